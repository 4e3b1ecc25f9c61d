// Cayley networks of semidirect products, whole populations per call: their distances, and the annealed exchange of
// generators. A network looks the same from every router, so one search from the identity is enough.
#include "cayley/walker.hpp"
#include "level_counts.hpp"

namespace topoctl {

namespace {

// What a search works in.
struct GeneratorSearch {
    explicit GeneratorSearch(const LayeredSets& sets)
        : sets(sets), spread(sets), set(lines_for(sets.places())), next(lines_for(sets.places())) {}

    // half: a generator of every pair of inverses; 0 for none.
    std::vector<std::int32_t> operator()(const std::int32_t* half, std::size_t count, std::size_t most) {
        begin(half, count);
        return level_counts(sets.order(), population(set.data(), set.size()), most, [this](bool dense) {
            const std::size_t reached = spread(generators, set.data(), next.data(), dense, false);
            set.swap(next);
            return reached;
        });
    }

    // The identity and its neighbours.
    void begin(const std::int32_t* half, std::size_t count) {
        generators.clear();
        for (std::size_t column = 0; column < count; ++column) {
            if (half[column] == 0) continue;
            const LayeredSets::Element x = sets.element(static_cast<std::size_t>(half[column]));
            const LayeredSets::Element back = sets.inverse(x);
            generators.push_back(x);
            if (sets.number(back) != sets.number(x)) generators.push_back(back);
        }
        std::fill(set.begin(), set.end(), BitLine{});
        insert(set.data(), 0);
        for (const LayeredSets::Element& x : generators) insert(set.data(), sets.place(x));
    }

    const LayeredSets& sets;
    LayerSpread spread;
    std::vector<BitLine> set, next;
    std::vector<LayeredSets::Element> generators;
};

nb::ndarray<nb::numpy, std::int32_t> cayley_levels(std::size_t s, std::size_t t, std::size_t r,
                                                   Table<std::int32_t> generators, std::size_t most,
                                                   std::size_t threads) {
    const std::size_t columns = generators.shape(1);
    const LayeredSets sets(s, t, r);
    const auto make = [&] { return std::make_unique<GeneratorSearch>(sets); };
    return table_of_counts<GeneratorSearch>(generators.shape(0), threads, make,
                                            [&](std::size_t network, GeneratorSearch& search) {
                                                return search(generators.data() + network * columns, columns, most);
                                            });
}

using cayley::GeneratorWalk;
using cayley::GeneratorWalker;

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
    module.def("cayley_levels", &cayley_levels, nb::arg("s"), nb::arg("t"), nb::arg("r"), nb::arg("generators"),
               nb::arg("most"), nb::arg("threads"));
    module.def("anneal_generators", &anneal_generators, nb::arg("groups"), nb::arg("generators"), nb::arg("walks"),
               nb::arg("seeds"), nb::arg("temperatures"), nb::arg("thresholds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
