// Annealed exchange of generators in Cayley networks, many walkers per call: see generator_annealing/walker.hpp.
#include "generator_annealing/walker.hpp"

#include "kernels.hpp"

namespace topoctl {
namespace {

using generator_annealing::GeneratorWalk;
using generator_annealing::GeneratorWalker;

GeneratorWalk walk_of(nb::handle walk) {
    const Fields fields(walk);
    GeneratorWalk found;
    found.pairs = fields["pairs"];
    found.involutions = fields["involutions"];
    found.target = fields["target"];
    found.weight = fields["weight"];
    found.moves = fields["moves"];
    return found;
}

nb::tuple anneal_generators(Table<std::int64_t> groups, Table<std::int32_t> generators, nb::sequence walks,
                            Array<Word> seeds, Table<std::int64_t> temperatures, Array<std::int64_t> thresholds,
                            std::size_t threads) {
    const std::size_t walkers = generators.shape(0), columns = generators.shape(1), steps = temperatures.shape(1);
    const std::vector<GeneratorWalk> given = walks_of(walks, walk_of);
    std::vector<std::int32_t> best(generators.data(), generators.data() + generators.size());
    std::vector<std::int64_t> energy(walkers), beyond(walkers);
    parallel_for(walkers, threads, [&](std::size_t, std::size_t walker, Stop& stop) {
        const std::int64_t* sizes = groups.data() + 3 * walker;
        const LayeredSets sets(static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]),
                               static_cast<std::size_t>(sizes[2]));
        const GeneratorWalk& walk = given[walker];
        const Cooling cooling{temperatures.data() + walker * steps, steps, thresholds.data(),
                              static_cast<Word>(walk.moves)};
        const DistanceEnergy found =
            GeneratorWalker(sets).run(walk, best.data() + walker * columns, seeds.data()[walker], cooling, stop);
        energy[walker] = found.value;
        beyond[walker] = found.beyond;
    });
    return nb::make_tuple(to_numpy(std::move(best), {walkers, columns}), to_numpy(std::move(energy), {walkers}),
                          to_numpy(std::move(beyond), {walkers}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("anneal_generators", &anneal_generators, nb::arg("groups"), nb::arg("generators"), nb::arg("walks"),
               nb::arg("seeds"), nb::arg("temperatures"), nb::arg("thresholds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
