// What the annealings of vertex-transitive networks keep: the two-hop paths from router 0, and the energy.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cyclic_shifts.hpp"

namespace topoctl {

// Routers within two hops of router 0, or those of one kind: paths counted, members as bits.
struct Ball {
    explicit Ball(std::size_t places) : counts(places), bits(lines_for(places), BitLine{}) {}

    void add(std::size_t router) {
        size += counts[router]++ == 0;
        insert(bits.data(), router);
    }
    void drop(std::size_t router) {
        const bool gone = --counts[router] == 0;
        size -= gone;
        erase(bits.data(), router, gone);
    }
    void clear() {
        std::fill(counts.begin(), counts.end(), 0);
        std::fill(bits.begin(), bits.end(), BitLine{});
        size = 0;
    }

    std::vector<std::uint16_t> counts;
    std::vector<BitLine> bits;
    std::size_t size = 0;
};

// Sums, over the distances up to each level, of the routers further away.
struct DistanceEnergy {
    std::vector<std::int64_t> partial;
    std::int64_t value = 0, beyond = 0;  // the whole sum; the routers beyond the target

    // Reaching the target diameter goes before any energy.
    bool better(const DistanceEnergy& other) const {
        return std::pair(beyond > 0, value) < std::pair(other.beyond > 0, other.value);
    }
};

}  // namespace topoctl
