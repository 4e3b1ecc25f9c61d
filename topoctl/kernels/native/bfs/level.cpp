#include "level.hpp"

#include "../dispatch.hpp"

namespace topoctl {
namespace {

// Rows of this many routers exceed the second-level cache; their loads are asked for so many arcs ahead.
constexpr std::size_t kPrefetchOrder = 4096;
constexpr std::ptrdiff_t kPrefetchDistance = 24;

// Adds the bits of the neighbours of a router to its row; returns whether the row is full, where it looks for that.
template <int Bytes, int Words, int Looks>
struct ArcUnion {
    const Level<Words>& level;
    const Row<Bytes, Words>& full;
    bool prefetches;

    TOPOCTL_INLINE bool operator()(std::int32_t router, Row<Bytes, Words>& row) const {
        if (Looks && level.eccentricities[router].load(std::memory_order_relaxed) <= level.number) return true;
        const auto* current = reinterpret_cast<const Row<Bytes, Words>*>(level.current);
        const std::int32_t* neighbor = level.links.neighbors + level.links.offsets[router];
        const std::int32_t* end = level.links.neighbors + level.links.offsets[router + 1];
        for (; Looks && end - neighbor >= Looks; neighbor += Looks) {
            unite(current, neighbor, Looks, row);
            if (same_bits(row, full)) return true;
        }
        for (; neighbor < end; ++neighbor) {
            if (!Looks && prefetches) prefetch_ahead(neighbor);
            unite(current, neighbor, 1, row);
        }
        return Looks && same_bits(row, full);
    }

    // The arcs ahead are those of the routers visited next, as long as no row is left early.
    TOPOCTL_INLINE void prefetch_ahead(const std::int32_t* neighbor) const {
        const std::int32_t* last = level.links.neighbors + level.links.arcs() - 1;
        const std::int32_t ahead = last - neighbor > kPrefetchDistance ? neighbor[kPrefetchDistance] : *last;
        for (int line = 0; line < Words; line += kLineWords)
            __builtin_prefetch(level.current + static_cast<std::size_t>(ahead) * Words + line);
    }
};

// Counts the bits of rows, word by word, and finds the sources that have reached every router.
template <int Bytes, int Words, bool Completes>
struct ReachedCount {
    BitCounts<Bytes, Words> counts;
    Row<Bytes, Words> completed;

    TOPOCTL_INLINE void tell(const Row<Bytes, Words>& row) {
        counts.add(row);
        if (Completes)
            for (int part = 0; part < row.kParts; ++part) completed.parts[part] &= row.parts[part];
    }
};

template <int Bytes, int Words>
TOPOCTL_INLINE void pull_any_level(Level<Words>& level_in_memory) {
    using Bits = Row<Bytes, Words>;
    const Level<Words> level = level_in_memory;  // a copy that no store can alias
    Bits full;
    std::memcpy(&full, level.full, sizeof full);
    dispatch<kLooksSoon, kLooksLater, 0>(level.looks, [&](auto looks) TOPOCTL_INLINED {
        constexpr int kLooks = decltype(looks)::value;
        ReachedCount<Bytes, Words, kLooks != 0> count{{}, kLooks ? full : Bits{}};
        const ArcUnion<Bytes, Words, kLooks> arcs{level, full, level.links.order >= kPrefetchOrder};
        pull_rows<kLooks != 0>(reinterpret_cast<const Bits*>(level.current), reinterpret_cast<Bits*>(level.next), full,
                               *level.visits, arcs, [&](const Bits& row) TOPOCTL_INLINED { count.tell(row); });
        count.counts.store(level.reached);
        std::memcpy(level.completed, &count.completed, sizeof count.completed);
    });
}

TOPOCTL_VERSIONS(void, pull_narrow, pull_any_level, (Level<kNarrow> & level), (level))
TOPOCTL_VERSIONS(void, pull_wide, pull_any_level, (Level<kWide> & level), (level))

}  // namespace

void pull_level(Level<kNarrow>& level) { pull_narrow(level); }
void pull_level(Level<kWide>& level) { pull_wide(level); }

}  // namespace topoctl
