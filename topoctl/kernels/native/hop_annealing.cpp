// Annealed exchange of single hops in Equality networks, many walkers per call: see hop_annealing/walker.hpp.
#include "hop_annealing/walker.hpp"

#include "kernels.hpp"

namespace topoctl {
namespace {

using hop_annealing::HopWalk;
using hop_annealing::HopWalker;

HopWalk walk_of(nb::handle walk) {
    const Fields fields(walk);
    HopWalk found;
    found.odd_count = fields["odd_count"];
    found.odd_fixed = fields["odd_fixed"];
    found.even_count = fields["even_count"];
    found.even_fixed = fields["even_fixed"];
    found.lift = fields["lift"];
    found.target = fields["target"];
    found.weight = fields["weight"];
    found.moves = fields["moves"];
    return found;
}

nb::tuple anneal_hops(std::size_t half, Table<std::int32_t> odd, Table<std::int32_t> even, nb::sequence walks,
                      Array<Word> seeds, Table<std::int64_t> temperatures, Array<std::int64_t> thresholds,
                      std::size_t threads) {
    const std::size_t walkers = odd.shape(0), steps = temperatures.shape(1);
    const std::vector<HopWalk> given = walks_of(walks, walk_of);
    std::vector<std::int32_t> best_odd(odd.data(), odd.data() + odd.size());
    std::vector<std::int32_t> best_even(even.data(), even.data() + even.size());
    std::vector<std::int64_t> energy(walkers), beyond(walkers);
    std::vector<std::unique_ptr<HopWalker>> spaces(threads);
    parallel_for(walkers, threads, [&](std::size_t worker, std::size_t walker, Stop& stop) {
        if (!spaces[worker]) spaces[worker] = std::make_unique<HopWalker>(half);
        const HopWalk& walk = given[walker];
        const Cooling cooling{temperatures.data() + walker * steps, steps, thresholds.data(),
                              static_cast<Word>(walk.moves)};
        const DistanceEnergy best =
            spaces[worker]->run(walk, best_odd.data() + walker * odd.shape(1),
                                best_even.data() + walker * even.shape(1), seeds.data()[walker], cooling, stop);
        energy[walker] = best.value;
        beyond[walker] = best.beyond;
    });
    return nb::make_tuple(to_numpy(std::move(best_odd), {walkers, odd.shape(1)}),
                          to_numpy(std::move(best_even), {walkers, even.shape(1)}),
                          to_numpy(std::move(energy), {walkers}), to_numpy(std::move(beyond), {walkers}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("anneal_hops", &anneal_hops, nb::arg("half"), nb::arg("odd"), nb::arg("even"), nb::arg("walks"),
               nb::arg("seeds"), nb::arg("temperatures"), nb::arg("thresholds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
