// Annealed exchange of the cabinets of two routers, for short cables.
#include "cooling.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

using Word = std::uint64_t;
// Looking whether to stop reads the clock, which takes as long as a move or two.
constexpr Word kMovesPerLook = 256;

struct PlacedNetwork {
    const std::int32_t *offsets, *neighbors, *places;
    std::int64_t detour;
    std::vector<std::int32_t>& cabinet_of;

    std::int64_t length(std::int32_t one, std::int32_t other) const {
        if (one == other) return 0;
        const std::int32_t *here = places + 2 * static_cast<std::size_t>(one),
                           *there = places + 2 * static_cast<std::size_t>(other);
        return detour + std::abs(here[0] - there[0]) + std::abs(here[1] - there[1]);
    }

    // How much longer the cables of a router get in another cabinet; the link to `partner`, who changes places with
    // it, stays as long as it is.
    std::int64_t change(std::int32_t router, std::int32_t to, std::int32_t partner) const {
        std::int64_t sum = 0;
        for (std::int32_t arc = offsets[router]; arc < offsets[router + 1]; ++arc) {
            if (neighbors[arc] == partner) continue;
            const std::int32_t cabinet = cabinet_of[neighbors[arc]];
            sum += length(to, cabinet) - length(cabinet_of[router], cabinet);
        }
        return sum;
    }
};

nb::ndarray<nb::numpy, std::int32_t> anneal_placement(Array<std::int32_t> offsets, Array<std::int32_t> neighbors,
                                                      Array<std::int32_t> cabinet_of, Table<std::int32_t> places,
                                                      std::int64_t detour, Array<Word> seeds, Word moves,
                                                      Array<std::int64_t> temperatures, Array<std::int64_t> thresholds,
                                                      std::size_t threads) {
    const std::size_t order = cabinet_of.size(), walkers = seeds.size();
    const Cooling cooling{temperatures.data(), temperatures.size(), thresholds.data(), moves};
    std::vector<std::int32_t> found(walkers * order);
    parallel_for(walkers, threads, [&](std::size_t, std::size_t walker, Stop& stop) {
        const Word seed = seeds.data()[walker];
        std::vector<std::int32_t> placed(cabinet_of.data(), cabinet_of.data() + order);
        const PlacedNetwork network{offsets.data(), neighbors.data(), places.data(), detour, placed};
        for (Word move = 0; move < moves && !(move % kMovesPerLook == 0 && stop); ++move) {
            const Word word = draw(seed, 2 * move);
            const auto router = static_cast<std::int32_t>(below(word, order));
            const auto partner = static_cast<std::int32_t>(below(draw(seed, 2 * move + 1), order));
            const std::int32_t here = placed[router], there = placed[partner];
            if (here == there) continue;
            const std::int64_t rise = network.change(router, there, partner) + network.change(partner, here, router);
            if (rise <= cooling.allowance(move, word, -1).rise) std::swap(placed[router], placed[partner]);
        }
        std::copy(placed.begin(), placed.end(), found.begin() + walker * order);
    });
    return to_numpy(std::move(found), {walkers, order});
}

const Kernel kernel([](nb::module_& module) {
    module.def("anneal_placement", &anneal_placement, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("cabinet_of"),
               nb::arg("places"), nb::arg("detour"), nb::arg("seeds"), nb::arg("moves"), nb::arg("temperatures"),
               nb::arg("thresholds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
