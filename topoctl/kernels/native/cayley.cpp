// The distance distribution of Cayley networks of semidirect products, whole populations per call.
//
// The network looks the same from every router, so one search from the identity is enough.
#include "kernels.hpp"
#include "layer_spread.hpp"
#include "parallel.hpp"

namespace topoctl {

namespace {

struct Workspace {
    explicit Workspace(const SemidirectProduct& group)
        : spread(group), set(lines_for(group.places())), next(lines_for(group.places())) {}

    LayerSpread spread;
    std::vector<BitLine> set, next;
    std::vector<Element> generators;
};

// Cumulative router counts by distance, until all are reached, a level adds nothing, or `most` is counted.
std::vector<std::int32_t> levels(const SemidirectProduct& group, const std::int32_t* half, std::size_t count,
                                 std::size_t most, Workspace& space) {
    space.generators.clear();
    for (std::size_t place = 0; place < count; ++place) {
        if (half[place] == 0) continue;
        const Element x = group.element(static_cast<std::size_t>(half[place])), back = group.inverse(x);
        space.generators.push_back(x);
        if (group.number(back) != group.number(x)) space.generators.push_back(back);
    }
    std::fill(space.set.begin(), space.set.end(), BitLine{});
    insert(space.set.data(), 0);
    for (const Element& x : space.generators) insert(space.set.data(), group.place(x));
    std::vector<std::int32_t> counts{1};
    std::size_t reached = population(space.set.data(), space.set.size());
    while (reached > static_cast<std::size_t>(counts.back()) && counts.size() <= most) {
        counts.push_back(static_cast<std::int32_t>(reached));
        if (reached == group.order() || counts.size() > most) break;  // before the next level is looked for
        reached =
            space.spread(space.generators, space.set.data(), space.next.data(), 4 * reached > 3 * group.order(), false);
        space.set.swap(space.next);
    }
    return counts;
}

nb::ndarray<nb::numpy, std::int32_t> cayley_levels(std::size_t s, std::size_t t, std::size_t r,
                                                   Table<std::int32_t> generators, std::size_t most,
                                                   std::size_t threads) {
    const std::size_t networks = generators.shape(0), columns = generators.shape(1);
    const SemidirectProduct group(s, t, r);
    std::vector<std::vector<std::int32_t>> counts(networks);
    std::vector<std::unique_ptr<Workspace>> spaces(threads);
    parallel_for(networks, threads, [&](std::size_t worker, std::size_t network, Stop&) {
        if (!spaces[worker]) spaces[worker] = std::make_unique<Workspace>(group);
        counts[network] = levels(group, generators.data() + network * columns, columns, most, *spaces[worker]);
    });
    return padded(counts);
}

const Kernel kernel([](nb::module_& module) {
    module.def("cayley_levels", &cayley_levels, nb::arg("s"), nb::arg("t"), nb::arg("r"), nb::arg("generators"),
               nb::arg("most"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
