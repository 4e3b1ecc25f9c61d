// Which pairs of routers an annealing may link.
#pragma once

#include <algorithm>

#include "../cooling.hpp"
#include "network.hpp"

namespace topoctl::link_annealing {

// Those no further apart than a limit; documented in topoctl.kernels.link_annealing.Neighborhood.
struct Neighborhood {
    std::size_t order, radix;
    const std::int64_t* near_offsets;  // order + 1; null where any two routers may be linked
    const Router* near;                // the routers that each one may be linked to
    const std::int32_t* diagonals;     // order x 2: lengths are max(|du|, |dv|)
    std::int32_t limit;

    // One of the routers that p may be linked to, or p itself if it has no partner.
    Router partner(Router p, std::uint64_t word) const {
        if (!near_offsets) {
            if (order == 1) return p;
            const auto other = static_cast<Router>(below(word, order - 1));
            return other + (other >= p);
        }
        const auto count = static_cast<std::size_t>(near_offsets[p + 1] - near_offsets[p]);
        return count ? near[near_offsets[p] + static_cast<std::int64_t>(below(word, count))] : p;
    }

    std::int32_t length(Router a, Router b) const {
        const std::int32_t u = diagonals[2 * a] - diagonals[2 * b], v = diagonals[2 * a + 1] - diagonals[2 * b + 1];
        return std::max(u < 0 ? -u : u, v < 0 ? -v : v);
    }
};

}  // namespace topoctl::link_annealing
