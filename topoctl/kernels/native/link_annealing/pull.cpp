#include "pull.hpp"

namespace topoctl::link_annealing {
namespace {

// Adds the bits of the neighbours of a router to its row. Radix 0 stands for one that is known at run time only.
template <int Bytes, int Words, int Radix>
struct SlotUnion {
    const Row<Bytes, Words>* current;
    const Router* slots;
    std::size_t run_time_radix;

    TOPOCTL_INLINE void operator()(Router router, Row<Bytes, Words>& row) const {
        const std::size_t radix = Radix ? std::size_t(Radix) : run_time_radix;
        unite(current, slots + static_cast<std::size_t>(router) * radix, radix, row);
    }
};

// Counts the bits of all rows.
template <int Bytes, int Words>
struct BitCount {
    Row<Bytes, Words> sums;

    TOPOCTL_INLINE void operator()(const Row<Bytes, Words>& row, const Row<Bytes, Words>&) {
        for (int part = 0; part < row.kParts; ++part) sums.parts[part] += bit_counts<row.kBytes>(row.parts[part]);
    }

    TOPOCTL_INLINE std::int64_t total() const {
        Word words[Words], sum = 0;
        std::memcpy(words, &sums, sizeof words);
        for (Word word : words) sum += word;
        return static_cast<std::int64_t>(sum);
    }
};

template <int Bytes, int Words, int Radix>
TOPOCTL_INLINE std::int64_t pull_rows_of(Pull& pull) {
    using Bits = Row<Bytes, Words>;
    const auto* current = reinterpret_cast<const Bits*>(pull.current);
    auto* next = reinterpret_cast<Bits*>(pull.next);
    const Bits full = *reinterpret_cast<const Bits*>(pull.full);
    const SlotUnion<Bytes, Words, Radix> slots{current, pull.slots, pull.radix};
    BitCount<Bytes, Words> count{};
    if (pull.may_fill)
        pull_rows<true>(current, next, full, *pull.visits, slots, count);
    else
        pull_rows<false>(current, next, full, *pull.visits, slots, count);
    return count.total();
}

template <int Bytes, int Words>
TOPOCTL_INLINE std::int64_t pull_any_radix(Pull& pull) {
    switch (pull.radix) {
        case 3: return pull_rows_of<Bytes, Words, 3>(pull);
        case 4: return pull_rows_of<Bytes, Words, 4>(pull);
        case 5: return pull_rows_of<Bytes, Words, 5>(pull);
        case 6: return pull_rows_of<Bytes, Words, 6>(pull);
        default: return pull_rows_of<Bytes, Words, 0>(pull);
    }
}

template <int Bytes>
TOPOCTL_INLINE std::int64_t pull_any_rows(Pull& pull) {
    switch (pull.words) {
        case 1: return pull_any_radix<Bytes, 1>(pull);
        case 2: return pull_any_radix<Bytes, 2>(pull);
        case 4: return pull_any_radix<Bytes, 4>(pull);
        case 8: return pull_any_radix<Bytes, 8>(pull);
        default: return pull_any_radix<Bytes, 16>(pull);
    }
}

}  // namespace

TOPOCTL_VERSIONS(std::int64_t, pull_level, pull_any_rows, (Pull & pull), (pull))

}  // namespace topoctl::link_annealing
