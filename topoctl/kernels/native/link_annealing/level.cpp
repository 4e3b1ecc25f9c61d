#include "level.hpp"

#include <numeric>

#include "../dispatch.hpp"

namespace topoctl::link_annealing {
namespace {

// Adds the bits of the neighbours of a router to its row, and looks whether it is full then. Radix 0 stands for one
// that is known at run time only, or for the degree of every router.
template <int Bytes, int Words, int Radix>
struct SlotUnion {
    const Row<Bytes, Words>* current;
    const Row<Bytes, Words>& full;
    const Router* slots;
    std::size_t run_time_radix;
    const Router* degrees;

    TOPOCTL_INLINE bool operator()(Router router, Row<Bytes, Words>& row) const {
        const std::size_t radix = Radix ? std::size_t(Radix) : run_time_radix;
        const std::size_t count = !Radix && degrees ? static_cast<std::size_t>(degrees[router]) : radix;
        unite(current, slots + static_cast<std::size_t>(router) * radix, count, row);
        return same_bits(row, full);
    }
};

template <int Bytes, int Words, int Radix>
TOPOCTL_INLINE std::int64_t pull_rows_of(Level& level) {
    using Bits = Row<Bytes, Words>;
    const auto* current = reinterpret_cast<const Bits*>(level.current);
    auto* next = reinterpret_cast<Bits*>(level.next);
    const Bits full = *reinterpret_cast<const Bits*>(level.full);
    const SlotUnion<Bytes, Words, Radix> slots{current, full, level.slots, level.radix, level.degrees};
    BitCounts<Bytes, Words> counts;
    const auto count = [&](const Bits& row) TOPOCTL_INLINED { counts.add(row); };
    if (level.may_fill)
        pull_rows<true>(current, next, full, *level.visits, slots, count);
    else
        pull_rows<false>(current, next, full, *level.visits, slots, count);
    Word sums[Words];
    counts.store(sums);
    return static_cast<std::int64_t>(std::accumulate(sums, sums + Words, Word{0}));
}

template <int Bytes>
TOPOCTL_INLINE std::int64_t pull_any_rows(Level& level) {
    return dispatch<1, 2, 4, 8, 16>(level.words, [&](auto words) TOPOCTL_INLINED {
        if constexpr (Bytes == 16) {  // machines without AVX2 are rare: they are not worth the compiler's time
            return pull_rows_of<Bytes, decltype(words)::value, 0>(level);
        } else {
            return dispatch<3, 4, 5, 6, 0>(level.degrees ? 0 : level.radix, [&](auto radix) TOPOCTL_INLINED {
                return pull_rows_of<Bytes, decltype(words)::value, radix>(level);
            });
        }
    });
}

}  // namespace

TOPOCTL_VERSIONS(std::int64_t, pull_level, pull_any_rows, (Level & level), (level))

}  // namespace topoctl::link_annealing
