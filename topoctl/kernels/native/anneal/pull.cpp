#include "pull.hpp"

#include <cstring>

#include "../versions.hpp"

namespace topoctl::anneal {
namespace {

template <int Bytes, int Words>
struct BitRow {
    static constexpr int bytes = Words * 8 < Bytes ? Words * 8 : Bytes;
    static constexpr int size = Words * 8 / bytes;
    using Part = typename VectorOf<bytes>::type;
    Part parts[size];
};

template <int Bytes, int Words>
TOPOCTL_INLINE std::int64_t count_bits(const BitRow<Bytes, Words>& row) {
    alignas(64) Word words[Words];
    std::memcpy(words, &row, sizeof words);
    std::int64_t count = 0;
    for (int word = 0; word < Words; ++word) count += __builtin_popcountll(words[word]);
    return count;
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
    std::int64_t bits = 0;
    if (!pull.may_fill) {
        pull.filled->clear();
        for (std::size_t position = 0; position < visited; ++position) {
            const std::size_t router = static_cast<std::size_t>(unfilled[position]);
            const Router* neighbors = slots + router * radix;
            Bits row = current[router];
            for (std::size_t slot = 0; slot < radix; ++slot)
                for (int part = 0; part < Bits::size; ++part) row.parts[part] |= current[neighbors[slot]].parts[part];
            bits += count_bits<Bytes, Words>(row);
            next[router] = row;
        }
        return bits;
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
        bits += count_bits<Bytes, Words>(row);
        next[router] = row;
        const bool is_full = same_bits<Bytes, Words>(row, full);
        unfilled[unfilled_count] = filled[filled_count] = router;
        unfilled_count += !is_full;
        filled_count += is_full;
    }
    pull.unfilled->resize(unfilled_count);
    pull.filled->resize(filled_count);
    return bits;
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

}  // namespace topoctl::anneal
