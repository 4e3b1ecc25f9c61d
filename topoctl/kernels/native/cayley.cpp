// The distance distribution of Cayley networks of semidirect products, whole populations per call.
//
// The network looks the same from every router, so one search from the identity is enough.
#include "layer_spread.hpp"
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

const Kernel kernel([](nb::module_& module) {
    module.def("cayley_levels", &cayley_levels, nb::arg("s"), nb::arg("t"), nb::arg("r"), nb::arg("generators"),
               nb::arg("most"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
