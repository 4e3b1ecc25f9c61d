#include "level.hpp"

#include "../dispatch.hpp"

namespace topoctl::link_annealing {
namespace {

// Adds the bits of the neighbours of a router to its row. Radix 0 stands for one that is known at run time only, or
// for the degree of every router.
template <int Bytes, int Words, int Radix>
struct SlotUnion {
    const Row<Bytes, Words>* current;
    const Router* slots;
    std::size_t run_time_radix;
    const Router* degrees;

    TOPOCTL_INLINE void operator()(Router router, Row<Bytes, Words>& row) const {
        const std::size_t radix = Radix ? std::size_t(Radix) : run_time_radix;
        const std::size_t count = !Radix && degrees ? static_cast<std::size_t>(degrees[router]) : radix;
        unite(current, slots + static_cast<std::size_t>(router) * radix, count, row);
    }
};

// Counts the bits of all rows: by word where the machine counts the bits of a vector at once.
template <int Bytes, int Words>
struct BitCount {
    static constexpr int kBytes = Row<Bytes, Words>::kBytes;

    Row<Bytes, Words> sums;
    Word sum;

    TOPOCTL_INLINE void operator()(const Row<Bytes, Words>& row, const Row<Bytes, Words>&) {
        for (int part = 0; part < row.kParts; ++part) {
            if constexpr (Bytes == 64) {
                sums.parts[part] += bit_counts<kBytes>(row.parts[part]);
            } else {
                for (int word = 0; word < kBytes / 8; ++word) sum += bit_count(row.parts[part][word]);
                asm("" : "+r"(sum));  // or else GCC counts all parts at once, in more registers than there are
            }
        }
    }

    TOPOCTL_INLINE std::int64_t total() const {
        Word words[Words], all = sum;
        std::memcpy(words, &sums, sizeof words);
        for (Word word : words) all += word;
        return static_cast<std::int64_t>(all);
    }
};

template <int Bytes, int Words, int Radix>
TOPOCTL_INLINE std::int64_t pull_rows_of(Level& level) {
    using Bits = Row<Bytes, Words>;
    const auto* current = reinterpret_cast<const Bits*>(level.current);
    auto* next = reinterpret_cast<Bits*>(level.next);
    const Bits full = *reinterpret_cast<const Bits*>(level.full);
    const SlotUnion<Bytes, Words, Radix> slots{current, level.slots, level.radix, level.degrees};
    BitCount<Bytes, Words> count{};
    if (level.may_fill)
        pull_rows<true>(current, next, full, *level.visits, slots, count);
    else
        pull_rows<false>(current, next, full, *level.visits, slots, count);
    return count.total();
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
