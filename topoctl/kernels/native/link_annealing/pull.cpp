#include "pull.hpp"

#include <cstring>

#include "../versions.hpp"

namespace topoctl::link_annealing {
namespace {

template <int Bytes, int Words>
struct BitRow {
    static constexpr int bytes = Words * 8 < Bytes ? Words * 8 : Bytes;
    static constexpr int size = Words * 8 / bytes;
    using Part = typename VectorOf<bytes>::type;
    Part parts[size];
};

// Adds the bits of a row to sums by lane.
template <int Bytes, int Words>
TOPOCTL_INLINE void count_bits(const BitRow<Bytes, Words>& row, BitRow<Bytes, Words>& sums) {
    constexpr int lanes = BitRow<Bytes, Words>::bytes / 8;
    for (int part = 0; part < row.size; ++part) {
        Word words[lanes], counts[lanes];
        std::memcpy(words, &row.parts[part], sizeof words);
        if (Bytes == 64) {  // through arrays, because only so GCC finds the vector instruction
            for (int lane = 0; lane < lanes; ++lane) counts[lane] = static_cast<Word>(__builtin_popcountll(words[lane]));
            typename BitRow<Bytes, Words>::Part sum;
            std::memcpy(&sum, counts, sizeof sum);
            sums.parts[part] += sum;
        } else {
            for (int lane = 0; lane < lanes; ++lane)
                sums.parts[0][0] += static_cast<Word>(__builtin_popcountll(words[lane]));
        }
    }
}

template <int Bytes, int Words>
TOPOCTL_INLINE std::int64_t total(const BitRow<Bytes, Words>& sums) {
    Word words[Words], sum = 0;
    std::memcpy(words, &sums, sizeof words);
    for (int word = 0; word < Words; ++word) sum += words[word];
    return static_cast<std::int64_t>(sum);
}

template <int Bytes, int Words>
TOPOCTL_INLINE bool same_bits(const BitRow<Bytes, Words>& a, const BitRow<Bytes, Words>& b) {
    Word different = 0;
    Word words[Words];
    BitRow<Bytes, Words> difference;
    for (int part = 0; part < a.size; ++part) difference.parts[part] = a.parts[part] ^ b.parts[part];
    std::memcpy(words, &difference, sizeof words);
    for (int word = 0; word < Words; ++word) different |= words[word];
    return different == 0;
}

// Radix 0 stands for one that is known at run time only.
template <int Bytes, int Words, int Radix>
TOPOCTL_INLINE std::int64_t pull_rows_of(Pull& pull) {
    using Bits = BitRow<Bytes, Words>;
    const auto* current = reinterpret_cast<const Bits*>(pull.current);
    auto* next = reinterpret_cast<Bits*>(pull.next);
    const Bits full = *reinterpret_cast<const Bits*>(pull.full);
    for (Router router : *pull.filled) next[router] = full;  // the other buffer has them already
    const std::size_t radix = Radix ? std::size_t(Radix) : pull.radix, visited = pull.unfilled->size();
    const Router* slots = pull.slots;
    Router* unfilled = pull.unfilled->data();
    Bits sums{};
    if (!pull.may_fill) {
        pull.filled->clear();
        for (std::size_t position = 0; position < visited; ++position) {
            const std::size_t router = static_cast<std::size_t>(unfilled[position]);
            const Router* neighbors = slots + router * radix;
            Bits row = current[router];
            for (std::size_t slot = 0; slot < radix; ++slot)
                for (int part = 0; part < Bits::size; ++part) row.parts[part] |= current[neighbors[slot]].parts[part];
            count_bits<Bytes, Words>(row, sums);
            next[router] = row;
        }
        return total<Bytes, Words>(sums);
    }
    pull.filled->resize(visited);
    Router* filled = pull.filled->data();
    std::size_t unfilled_count = 0, filled_count = 0;
    for (std::size_t position = 0; position < visited; ++position) {
        const Router router = unfilled[position];
        const Router* neighbors = slots + static_cast<std::size_t>(router) * radix;
        Bits row = current[router];
        for (std::size_t slot = 0; slot < radix; ++slot)
            for (int part = 0; part < Bits::size; ++part) row.parts[part] |= current[neighbors[slot]].parts[part];
        count_bits<Bytes, Words>(row, sums);
        next[router] = row;
        const bool is_full = same_bits<Bytes, Words>(row, full);
        unfilled[unfilled_count] = filled[filled_count] = router;
        unfilled_count += !is_full;
        filled_count += is_full;
    }
    pull.unfilled->resize(unfilled_count);
    pull.filled->resize(filled_count);
    return total<Bytes, Words>(sums);
}

template <int Bytes, int Words>
TOPOCTL_INLINE std::int64_t pull_rows(Pull& pull) {
    switch (pull.radix) {
        case 3: return pull_rows_of<Bytes, Words, 3>(pull);
        case 4: return pull_rows_of<Bytes, Words, 4>(pull);
        case 5: return pull_rows_of<Bytes, Words, 5>(pull);
        case 6: return pull_rows_of<Bytes, Words, 6>(pull);
        default: return pull_rows_of<Bytes, Words, 0>(pull);
    }
}

template <int Bytes>
TOPOCTL_INLINE std::int64_t pull_rows_of_any(Pull& pull) {
    switch (pull.words) {
        case 1: return pull_rows<Bytes, 1>(pull);
        case 2: return pull_rows<Bytes, 2>(pull);
        case 4: return pull_rows<Bytes, 4>(pull);
        case 8: return pull_rows<Bytes, 8>(pull);
        default: return pull_rows<Bytes, 16>(pull);
    }
}

}  // namespace

TOPOCTL_VERSIONS(std::int64_t, pull_level, pull_rows_of_any, (Pull & pull), (pull))

}  // namespace topoctl::link_annealing
