// Equality networks, whole populations per call: their distances, and the annealed exchange of hops.
//
// Half-indices in Z_H, H = N/2: odd hop 2t+1 is t, even hop 2b is b. Even router e (number 2e) links to odd
// router e+t and to even routers e±b; odd router o to even router o-t and to odd routers o±b. The network
// looks the same from every router, so one search from even router 0 is enough.

#include "equality/walker.hpp"
#include "level_counts.hpp"

namespace topoctl {

namespace {

struct Hops {
    const std::int32_t *odd, *even;
    std::size_t odd_count, even_count;
};

// What a search works in.
struct HopSearch {
    explicit HopSearch(std::size_t half)
        : half(half), spread(half), even(lines_for(half)), odd(lines_for(half)), even_next(lines_for(half)),
          odd_next(lines_for(half)) {}

    std::vector<std::int32_t> operator()(const Hops& hops, std::size_t most) {
        begin(hops);
        const std::size_t first = population(even.data(), even.size()) + population(odd.data(), odd.size());
        return level_counts(2 * half, first, most, [this](bool dense) {
            const std::size_t reached =
                spread(even.data(), odd.data(), even_next.data(), odd_next.data(), dense, false);
            even.swap(even_next);
            odd.swap(odd_next);
            return reached;
        });
    }

    // Router 0 and its neighbours.
    void begin(const Hops& hops) {
        std::fill(even.begin(), even.end(), BitLine{});
        std::fill(odd.begin(), odd.end(), BitLine{});
        insert(even.data(), 0);
        spread.clear();
        for (std::size_t hop = 0; hop < hops.odd_count; ++hop) {
            const std::size_t t = static_cast<std::size_t>(hops.odd[hop]);
            spread.add_odd_hop(t);
            insert(odd.data(), t);
        }
        for (std::size_t hop = 0; hop < hops.even_count; ++hop) {
            const std::size_t b = static_cast<std::size_t>(hops.even[hop]);
            spread.add_even_hop(b);
            insert(even.data(), b);
            insert(even.data(), half - b);
        }
    }

    std::size_t half;
    HopSpread spread;
    std::vector<BitLine> even, odd, even_next, odd_next;
};

nb::ndarray<nb::numpy, std::int32_t> equality_levels(std::size_t half, Table<std::int32_t> odd,
                                                     Table<std::int32_t> even, std::size_t most, std::size_t threads) {
    const auto make = [half] { return std::make_unique<HopSearch>(half); };
    return table_of_counts<HopSearch>(odd.shape(0), threads, make, [&](std::size_t network, HopSearch& search) {
        return search(
            {odd.data() + network * odd.shape(1), even.data() + network * even.shape(1), odd.shape(1), even.shape(1)},
            most);
    });
}

using equality::HopWalk;
using equality::HopWalker;

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
    module.def("equality_levels", &equality_levels, nb::arg("half"), nb::arg("odd"), nb::arg("even"), nb::arg("most"),
               nb::arg("threads"));
    module.def("anneal_hops", &anneal_hops, nb::arg("half"), nb::arg("odd"), nb::arg("even"), nb::arg("walks"),
               nb::arg("seeds"), nb::arg("temperatures"), nb::arg("thresholds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
