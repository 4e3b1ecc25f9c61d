// Kernel 2: the distance distribution of Equality networks, whole populations per call.
//
// Half-indices in Z_H, H = N/2: odd hop 2t+1 is t, even hop 2b is b. Even router e (number 2e) links to odd
// router e+t and to even routers e±b; odd router o to even router o-t and to odd routers o±b. The network
// looks the same from every router, so one search from even router 0 is enough.

#include "cyclic_shifts.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {

namespace {

struct Workspace {
    explicit Workspace(std::size_t half)
        : spread(half), even(lines_for(half)), odd(lines_for(half)), even_next(lines_for(half)),
          odd_next(lines_for(half)) {}

    HopSpread spread;
    std::vector<BitLine> even, odd, even_next, odd_next;
};

struct Hops {
    const std::int32_t *odd, *even;
    std::size_t odd_count, even_count;
};

// Cumulative router counts by distance, until all are reached, a level adds nothing, or `most` is counted.
std::vector<std::int32_t> levels(std::size_t half, const Hops& hops, std::size_t most, Workspace& space) {
    std::fill(space.even.begin(), space.even.end(), BitLine{});
    std::fill(space.odd.begin(), space.odd.end(), BitLine{});
    insert(space.even.data(), 0);
    space.spread.clear();
    for (std::size_t hop = 0; hop < hops.odd_count; ++hop) {
        const std::size_t t = static_cast<std::size_t>(hops.odd[hop]);
        space.spread.add_odd_hop(t);
        insert(space.odd.data(), t);
    }
    for (std::size_t hop = 0; hop < hops.even_count; ++hop) {
        const std::size_t b = static_cast<std::size_t>(hops.even[hop]);
        space.spread.add_even_hop(b);
        insert(space.even.data(), b);
        insert(space.even.data(), half - b);
    }
    std::vector<std::int32_t> counts{1};
    std::size_t reached =
        population(space.even.data(), space.even.size()) + population(space.odd.data(), space.odd.size());
    while (reached > static_cast<std::size_t>(counts.back()) && counts.size() <= most) {
        counts.push_back(static_cast<std::int32_t>(reached));
        if (reached == 2 * half || counts.size() > most) break;  // before the next level is looked for
        reached = space.spread(space.even.data(), space.odd.data(), space.even_next.data(), space.odd_next.data(),
                               4 * reached > 3 * 2 * half, false);
        space.even.swap(space.even_next);
        space.odd.swap(space.odd_next);
    }
    return counts;
}

nb::ndarray<nb::numpy, std::int32_t> equality_levels(std::size_t half, Table<std::int32_t> odd,
                                                     Table<std::int32_t> even, std::size_t most, std::size_t threads) {
    const std::size_t networks = odd.shape(0);
    std::vector<std::vector<std::int32_t>> counts(networks);
    std::vector<std::unique_ptr<Workspace>> spaces(threads);
    parallel_for(networks, threads, [&](std::size_t worker, std::size_t network, Stop&) {
        if (!spaces[worker]) spaces[worker] = std::make_unique<Workspace>(half);
        const Hops hops{odd.data() + network * odd.shape(1), even.data() + network * even.shape(1), odd.shape(1),
                        even.shape(1)};
        counts[network] = levels(half, hops, most, *spaces[worker]);
    });
    return padded(counts);
}

const Kernel kernel([](nb::module_& module) {
    module.def("equality_levels", &equality_levels, nb::arg("half"), nb::arg("odd"), nb::arg("even"), nb::arg("most"),
               nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
