// The end of a search from all routers, by the symmetry of distances.
//
// At the level by which nearly all pairs are reached, a block of consecutive sources does not pull all rows: it looks
// whether those of its own and of later routers become full, and lists the pairs that are missing. Earlier blocks have
// listed the others. Missing pairs are few, and are reached without rows: d(s, v) <= l where {s, u} is not missing
// after level l - 1 for a neighbour u of v. All blocks end at one level, or the search is repeated without this.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "level.hpp"
#include "tally.hpp"

namespace topoctl {

class Ending {
public:
    Ending(std::size_t order, std::size_t blocks)
        : most_(std::min(order * (order / kRarity + 1), kMostPairs) / (blocks + 1) + 1) {}

    // Pairs that a block may miss for the end to be worth it.
    std::size_t most() const { return most_; }
    // At which blocks end, or 0 as long as none has.
    std::int32_t level() const { return level_; }

    // Whether a block may end at this level: as the first one, or because others do.
    bool agree(std::int32_t level) {
        std::int32_t before = 0;
        return level_.compare_exchange_strong(before, level) || before == level;
    }

    // Tells the level until which a block was searched, whether it ended there or all was reached.
    void reached(std::int32_t level) {
        std::int32_t before = latest_;
        while (before < level && !latest_.compare_exchange_weak(before, level)) continue;
    }

    // Whether no block was searched beyond the level at which others ended.
    bool holds() const { return level_ == 0 || latest_ <= level_; }

private:
    static constexpr std::size_t kRarity = 4096, kMostPairs = std::size_t{1} << 22;

    const std::size_t most_;
    std::atomic<std::int32_t> level_{0}, latest_{0};
};

// The routers that each router misses.
class Missing {
public:
    Missing(std::size_t order, const std::vector<Pair>& pairs) : begins_(order + 1), others_(2 * pairs.size()) {
        for (const Pair& pair : pairs) ++begins_[pair.router], ++begins_[pair.source];
        std::size_t end = 0;
        for (std::size_t& begin : begins_) begin = end += begin;
        for (const Pair& pair : pairs) {
            others_[--begins_[pair.router]] = pair.source;
            others_[--begins_[pair.source]] = pair.router;
        }
        for (std::size_t router = 0; router < order; ++router)
            std::sort(others_.begin() + begins_[router], others_.begin() + begins_[router + 1]);
    }

    bool has(std::int32_t one, std::int32_t other) const {
        const bool shorter = begins_[one + 1] - begins_[one] < begins_[other + 1] - begins_[other];
        const std::int32_t of = shorter ? one : other;
        return std::binary_search(others_.begin() + begins_[of], others_.begin() + begins_[of + 1],
                                  shorter ? other : one);
    }

private:
    std::vector<std::size_t> begins_;
    std::vector<std::int32_t> others_;
};

// Tells the pairs that were missing after a level, but counted at it, where they are reached.
inline void reach_missing(const Links& links, std::int32_t level, std::vector<Pair> pairs, Tally& tally) {
    for (const Pair& pair : pairs) tally.tell(pair, level, -1);
    while (!pairs.empty()) {
        ++level;
        const Missing missing(links.order, pairs);
        const auto still_missing = [&](const Pair& pair) {
            const std::int32_t* end = links.neighbors + links.offsets[pair.router + 1];
            return std::all_of(links.neighbors + links.offsets[pair.router], end,
                               [&](std::int32_t neighbor) { return missing.has(pair.source, neighbor); });
        };
        const auto reached = std::partition(pairs.begin(), pairs.end(), still_missing);
        if (reached == pairs.end()) return;
        for (auto pair = reached; pair != pairs.end(); ++pair) tally.tell(*pair, level, 1);
        pairs.erase(reached, pairs.end());
    }
}

}  // namespace topoctl
