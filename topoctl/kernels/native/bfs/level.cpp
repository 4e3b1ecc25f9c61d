#include "level.hpp"

#include <algorithm>

namespace topoctl {
namespace {

// So many rows and their strips stay in the first-level cache.
constexpr std::size_t kTile = 64;
// Rows of this many routers exceed the second-level cache; their loads are asked for so many arcs ahead.
constexpr std::size_t kPrefetchOrder = 32768;
constexpr std::ptrdiff_t kPrefetchDistance = 64;

template <int Bytes, int Words>
TOPOCTL_INLINE Row<Bytes, Words> filled_row(Word word) {
    Row<Bytes, Words> row;
    for (int part = 0; part < row.kParts; ++part) row.parts[part] = typename Row<Bytes, Words>::Part{} + word;
    return row;
}

// Adds the bits of the neighbours of a router to its row.
template <int Bytes, int Words, bool MayFill, bool EarlyExit>
struct ArcUnion {
    const Level<Words>& level;
    const Row<Bytes, Words>& ones;
    bool prefetches;

    TOPOCTL_INLINE void operator()(std::int32_t router, Row<Bytes, Words>& row) const {
        if (MayFill && level.eccentricities[router].load(std::memory_order_relaxed) <= level.number) {
            row = ones;
            return;
        }
        const auto* current = reinterpret_cast<const Row<Bytes, Words>*>(level.current);
        const std::int32_t* neighbor = level.links.neighbors + level.links.offsets[router];
        const std::int32_t* end = level.links.neighbors + level.links.offsets[router + 1];
        for (; end - neighbor >= std::ptrdiff_t(kArcsPerStep); neighbor += kArcsPerStep) {
            if (prefetches) {  // the arcs ahead are those of the routers visited next
                const std::int32_t* last = level.links.neighbors + level.links.arcs() - kArcsPerStep;
                const std::int32_t* ahead = last - neighbor > kPrefetchDistance ? neighbor + kPrefetchDistance : last;
                for (std::size_t step = 0; step < kArcsPerStep; ++step) __builtin_prefetch(&current[ahead[step]]);
            }
            unite(current, neighbor, kArcsPerStep, row);
            if (EarlyExit && same_bits(row, ones)) return;
        }
        const std::ptrdiff_t left = end - neighbor;
        if (left & 4) unite(current, neighbor, 4, row);
        if (left & 2) unite(current, neighbor + (left & 4), 2, row);
        if (left & 1) unite(current, end - 1, 1, row);
    }
};

// Counts what a level sets, word by word, and finds the sources that have reached every router.
template <int Bytes, int Words, bool MayFill>
struct GainCount {
    Row<Bytes, Words> gains, completed;

    TOPOCTL_INLINE void operator()(const Row<Bytes, Words>& row, const Row<Bytes, Words>& before) {
        for (int part = 0; part < row.kParts; ++part) {
            gains.parts[part] += bit_counts<Row<Bytes, Words>::kBytes>(row.parts[part] ^ before.parts[part]);
            if (MayFill) completed.parts[part] &= row.parts[part];
        }
    }
};

template <int Bytes, int Words, bool MayFill, bool EarlyExit>
TOPOCTL_INLINE void pull_level_so(Level<Words>& level_in_memory) {
    using Bits = Row<Bytes, Words>;
    const Level<Words> level = level_in_memory;  // a copy that no store can alias
    const Bits ones = filled_row<Bytes, Words>(~Word{0});
    GainCount<Bytes, Words, MayFill> count{filled_row<Bytes, Words>(0),
                                           filled_row<Bytes, Words>(MayFill ? ~Word{0} : 0)};
    const ArcUnion<Bytes, Words, MayFill, EarlyExit> arcs{level, ones, level.links.order >= kPrefetchOrder};
    pull_rows<MayFill>(reinterpret_cast<const Bits*>(level.current), reinterpret_cast<Bits*>(level.next), ones,
                       *level.visits, arcs, count);
    std::memcpy(level.gains, &count.gains, sizeof count.gains);
    std::memcpy(level.completed, &count.completed, sizeof count.completed);
}

template <int Bytes, int Words>
TOPOCTL_INLINE void pull_any_level(Level<Words>& level) {
    if (level.early_exit)
        pull_level_so<Bytes, Words, true, true>(level);
    else if (level.may_fill)
        pull_level_so<Bytes, Words, true, false>(level);
    else
        pull_level_so<Bytes, Words, false, false>(level);
}

template <int Bytes, int Words>
TOPOCTL_INLINE void lay_any_strips(Strips<Words>& strips_in_memory) {
    using Bits = Row<Bytes, Words>;
    const Strips<Words> strips = strips_in_memory;  // a copy that no store can alias
    Bits counts = filled_row<Bytes, Words>(0), others;
    std::memcpy(&others, strips.others, sizeof others);
    for (std::size_t first = 0; first < strips.order; first += kTile) {
        const std::size_t end = std::min(strips.order, first + kTile);
        for (std::size_t word = 0; word < Words; word += kStripWords)
            for (std::size_t router = first; router < end; ++router)
                std::memcpy(strips.rows + router * Words + word,
                            strips.strips + word * strips.order + router * kStripWords, sizeof(Word[kStripWords]));
        for (std::size_t router = first; router < end; ++router) {
            Bits& row = reinterpret_cast<Bits*>(strips.rows)[router];
            for (int part = 0; part < row.kParts; ++part) {
                counts.parts[part] += bit_counts<Bits::kBytes>(row.parts[part]);
                row.parts[part] |= others.parts[part];
            }
        }
    }
    std::memcpy(strips.counts, &counts, sizeof counts);
}

TOPOCTL_VERSIONS(void, pull_narrow, pull_any_level, (Level<kNarrow> & level), (level))
TOPOCTL_VERSIONS(void, pull_wide, pull_any_level, (Level<kWide> & level), (level))
TOPOCTL_VERSIONS(void, lay_narrow, lay_any_strips, (Strips<kNarrow> & strips), (strips))
TOPOCTL_VERSIONS(void, lay_wide, lay_any_strips, (Strips<kWide> & strips), (strips))

}  // namespace

void pull_level(Level<kNarrow>& level) { pull_narrow(level); }
void pull_level(Level<kWide>& level) { pull_wide(level); }
void lay_strips(Strips<kNarrow>& strips) { lay_narrow(strips); }
void lay_strips(Strips<kWide>& strips) { lay_wide(strips); }

}  // namespace topoctl
