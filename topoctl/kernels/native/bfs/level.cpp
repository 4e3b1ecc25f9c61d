#include "level.hpp"

#include "../dispatch.hpp"

namespace topoctl {
namespace {

// Adds the bits of neighbours to a row until it is full, which is looked for after so many; returns whether it is.
template <int Looks, int Bytes, int Words>
TOPOCTL_INLINE bool fill(const Row<Bytes, Words>* rows, const Links& links, std::size_t router,
                         const Row<Bytes, Words>& full, Row<Bytes, Words>& row) {
    const std::int32_t* neighbor = links.neighbors + links.offsets[router];
    const std::int32_t* end = links.neighbors + links.offsets[router + 1];
    for (; end - neighbor >= Looks; neighbor += Looks) {
        unite(rows, neighbor, Looks, row);
        if (same_bits(row, full)) return true;
    }
    unite(rows, neighbor, static_cast<std::size_t>(end - neighbor), row);
    return same_bits(row, full);
}

// Adds the bits of the neighbours of a router to its row; returns whether the row is full, where it looks for that.
template <int Bytes, int Words, int Looks>
struct ArcUnion {
    const Level<Words>& level;
    const Row<Bytes, Words>& full;

    TOPOCTL_INLINE bool operator()(std::int32_t router, Row<Bytes, Words>& row) const {
        if (Looks && level.eccentricities[router].load(std::memory_order_relaxed) <= level.number) return true;
        const auto* current = reinterpret_cast<const Row<Bytes, Words>*>(level.current);
        if constexpr (Looks) return fill<Looks>(current, level.links, static_cast<std::size_t>(router), full, row);
        unite_all(current, level.links, static_cast<std::size_t>(router), row);
        return false;
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
        const ArcUnion<Bytes, Words, kLooks> arcs{level, full};
        pull_rows<kLooks != 0>(reinterpret_cast<const Bits*>(level.current), reinterpret_cast<Bits*>(level.next), full,
                               *level.visits, arcs, [&](const Bits& row) TOPOCTL_INLINED { count.tell(row); });
        count.counts.store(level.reached);
        std::memcpy(level.completed, &count.completed, sizeof count.completed);
    });
}

// Lists the bits that a router's row misses, of sources before the router.
template <int Words>
[[gnu::noinline]] void list_bits(const Word* row, const Word* full, std::size_t first, std::int32_t router,
                                 std::vector<Pair>& missing) {
    for (std::size_t word = 0; word < Words; ++word)
        for (Word left = full[word] & ~row[word]; left; left &= left - 1) {
            const auto source = static_cast<std::int32_t>(first + word * kWordBits + bit_number(left));
            if (source < router) missing.push_back({router, source});
        }
}

template <int Bytes, int Words>
TOPOCTL_INLINE void list_any_missing(const LastLevel<Words>& level_in_memory, std::vector<Pair>& missing) {
    using Bits = Row<Bytes, Words>;
    const LastLevel<Words> level = level_in_memory;
    Bits full;
    std::memcpy(&full, level.full, sizeof full);
    const auto* current = reinterpret_cast<const Bits*>(level.current);
    const std::size_t most = missing.size() + level.most;
    dispatch<kLooksSoon, kLooksLater>(level.looks, [&](auto looks) TOPOCTL_INLINED {
        for (std::size_t router = level.first; router < level.links.order && missing.size() <= most; ++router) {
            Bits row = current[router];
            if (fill<decltype(looks)::value>(current, level.links, router, full, row)) continue;
            alignas(Bytes) Word words[Words];
            std::memcpy(words, &row, sizeof row);
            list_bits<Words>(words, level.full, level.first, static_cast<std::int32_t>(router), missing);
        }
    });
}

TOPOCTL_VERSIONS(void, list_narrow, list_any_missing, (const LastLevel<kNarrow>& level, std::vector<Pair>& missing),
                 (level, missing))
TOPOCTL_VERSIONS(void, list_wide, list_any_missing, (const LastLevel<kWide>& level, std::vector<Pair>& missing),
                 (level, missing))
TOPOCTL_VERSIONS(void, pull_narrow, pull_any_level, (Level<kNarrow> & level), (level))
TOPOCTL_VERSIONS(void, pull_wide, pull_any_level, (Level<kWide> & level), (level))

}  // namespace

void pull_level(Level<kNarrow>& level) { pull_narrow(level); }
void pull_level(Level<kWide>& level) { pull_wide(level); }
void list_missing(const LastLevel<kNarrow>& level, std::vector<Pair>& missing) { list_narrow(level, missing); }
void list_missing(const LastLevel<kWide>& level, std::vector<Pair>& missing) { list_wide(level, missing); }

}  // namespace topoctl
