// The distance distribution of Equality networks, whole populations per call.
//
// Half-indices in Z_H, H = N/2: odd hop 2t+1 is t, even hop 2b is b. Even router e (number 2e) links to odd
// router e+t and to even routers e±b; odd router o to even router o-t and to odd routers o±b. The network
// looks the same from every router, so one search from even router 0 is enough.

#include "cyclic_shifts.hpp"
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

const Kernel kernel([](nb::module_& module) {
    module.def("equality_levels", &equality_levels, nb::arg("half"), nb::arg("odd"), nb::arg("even"), nb::arg("most"),
               nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
