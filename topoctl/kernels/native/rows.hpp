// Rows of bits, one per router: bit i says whether source i of the block has reached the router.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels.hpp"
#include "versions.hpp"

namespace topoctl {

constexpr std::size_t word_bits = 64;
constexpr std::size_t register_words = 8;
constexpr std::size_t register_bits = register_words * word_bits;
constexpr int arcs_per_step = 8;
constexpr std::size_t strip_words = 2;
// So many rows and their strips stay in the first-level cache.
constexpr std::size_t tile = 64;
// Rows of this many routers exceed the second-level cache; their loads are asked for so many arcs ahead.
constexpr std::size_t prefetch_order = 32768;
constexpr std::ptrdiff_t prefetch_distance = 64;

template <int Bytes, int Registers>
struct Row {
    using Vector = typename VectorOf<Bytes>::type;
    static constexpr int size = Registers * 64 / Bytes;
    static constexpr std::size_t vector_words = Bytes / sizeof(std::uint64_t);
    Vector parts[size];
};

struct Links {
    const std::int32_t* offsets;
    const std::int32_t* neighbors;
    std::size_t order;

    std::size_t degree(std::int32_t router) const {
        return static_cast<std::size_t>(offsets[router + 1] - offsets[router]);
    }
    std::size_t arcs() const { return static_cast<std::size_t>(offsets[order]); }
};

// What a pull of one level reads and writes.
template <int Registers>
struct Level {
    Links links;
    std::int32_t number;
    bool may_fill;    // some rows are expected to become full: only then full rows and columns are looked for
    bool early_exit;  // and to be so well before their last neighbour
    // Distances are symmetric: the row of a router whose eccentricity is known is full at that level.
    const std::atomic<std::int32_t>* eccentricities;
    const std::uint64_t* current;  // rows of Registers * register_words words
    std::uint64_t* next;
    std::vector<std::int32_t>* unfilled;  // routers to visit; those that are full afterwards leave it
    std::vector<std::int32_t>* filled;    // routers that the level before filled; then those of this level
    std::uint64_t* gains;                 // bits set by this level, per word of sources
    std::uint64_t* completed;             // a row: the sources that have reached every router
};

// Rows that are set strip by strip, each of them a few words of every row.
template <int Registers>
struct Strips {
    std::size_t order;
    const std::uint64_t* strips;  // order x strip_words, one behind the other
    std::uint64_t* rows;
    std::uint64_t* counts;  // bits per word of sources
};

// The bits that are in every word.
template <int Bytes>
TOPOCTL_INLINE std::uint64_t common_bits(const typename VectorOf<Bytes>::type& words) {
    if constexpr (Bytes == 8) {
        return words[0];
    } else {
        typename VectorOf<Bytes / 2>::type halves[2];
        std::memcpy(halves, &words, sizeof words);
        return common_bits<Bytes / 2>(halves[0] & halves[1]);
    }
}

template <int Bytes, int Registers>
TOPOCTL_INLINE bool is_full(const Row<Bytes, Registers>& row) {
    auto all = row.parts[0];
    for (int part = 1; part < row.size; ++part) all &= row.parts[part];
    return common_bits<Bytes>(all) == ~std::uint64_t{0};
}

// How many bits each word has.
template <int Bytes>
TOPOCTL_INLINE typename VectorOf<Bytes>::type bit_counts(const typename VectorOf<Bytes>::type& bits) {
    alignas(Bytes) std::uint64_t words[Bytes / sizeof(std::uint64_t)];
    std::memcpy(words, &bits, sizeof words);  // through an array, because only so GCC finds the vector instruction
    for (std::uint64_t& word : words) word = static_cast<std::uint64_t>(__builtin_popcountll(word));
    typename VectorOf<Bytes>::type counts;
    std::memcpy(&counts, words, sizeof counts);
    return counts;
}

template <int Bytes, int Registers>
TOPOCTL_INLINE void store(const Row<Bytes, Registers>& row, std::uint64_t* words) {
    for (int part = 0; part < row.size; ++part)
        std::memcpy(words + part * row.vector_words, &row.parts[part], Bytes);
}

// row |= OR of current[u] over some neighbours u.
template <int Arcs, int Bytes, int Registers>
TOPOCTL_INLINE void unite_some(const Row<Bytes, Registers>* current, const std::int32_t* neighbor,
                               Row<Bytes, Registers>& row) {
    for (int arc = 0; arc < Arcs; ++arc)
        for (int part = 0; part < row.size; ++part) row.parts[part] |= current[neighbor[arc]].parts[part];
}

// row |= OR of current[u] over the neighbours u of a router.
template <int Bytes, int Registers, bool EarlyExit>
TOPOCTL_INLINE void unite(const Level<Registers>& level, std::int32_t router, bool prefetch,
                          Row<Bytes, Registers>& row) {
    const auto* current = reinterpret_cast<const Row<Bytes, Registers>*>(level.current);
    const std::int32_t* neighbor = level.links.neighbors + level.links.offsets[router];
    const std::int32_t* end = level.links.neighbors + level.links.offsets[router + 1];
    for (; end - neighbor >= arcs_per_step; neighbor += arcs_per_step) {
        if (prefetch) {  // the arcs ahead are those of the routers visited next
            const std::int32_t* last = level.links.neighbors + level.links.arcs() - arcs_per_step;
            const std::int32_t* ahead = last - neighbor > prefetch_distance ? neighbor + prefetch_distance : last;
            for (int step = 0; step < arcs_per_step; ++step) __builtin_prefetch(&current[ahead[step]]);
        }
        unite_some<arcs_per_step>(current, neighbor, row);
        if (EarlyExit && is_full(row)) return;
    }
    const std::ptrdiff_t left = end - neighbor;
    if (left & 4) unite_some<4>(current, neighbor, row);
    if (left & 2) unite_some<2>(current, neighbor + (left & 4), row);
    if (left & 1) unite_some<1>(current, end - 1, row);
}

// next[v] = current[v] | OR of current[u] over the neighbours u, for every row that is not full yet.
template <int Bytes, int Registers, bool MayFill, bool EarlyExit>
TOPOCTL_INLINE void pull_rows_so(Level<Registers>& level_in_memory) {
    using Bits = Row<Bytes, Registers>;
    const Level<Registers> level = level_in_memory;  // a copy that no store can alias
    const auto* current = reinterpret_cast<const Bits*>(level.current);
    auto* next = reinterpret_cast<Bits*>(level.next);
    const bool prefetch = level.links.order >= prefetch_order;
    Bits ones, gains, completed;
    for (int part = 0; part < Bits::size; ++part) {
        gains.parts[part] = typename Bits::Vector{};
        ones.parts[part] = ~gains.parts[part];
        completed.parts[part] = MayFill ? ones.parts[part] : gains.parts[part];
    }
    for (std::int32_t router : *level.filled) next[router] = ones;  // the other buffer has them already
    const std::size_t visited = level.unfilled->size();
    level.filled->resize(MayFill ? visited : 0);
    std::int32_t* unfilled = level.unfilled->data();
    std::int32_t* filled = level.filled->data();
    std::size_t unfilled_count = 0, filled_count = 0;

    for (std::size_t position = 0; position < visited; ++position) {
        const std::int32_t router = unfilled[position];
        Bits row = current[router];
        if (MayFill && level.eccentricities[router].load(std::memory_order_relaxed) <= level.number)
            row = ones;
        else
            unite<Bytes, Registers, EarlyExit>(level, router, prefetch, row);
        for (int part = 0; part < Bits::size; ++part) {
            gains.parts[part] += bit_counts<Bytes>(row.parts[part] ^ current[router].parts[part]);
            if (MayFill) completed.parts[part] &= row.parts[part];
        }
        next[router] = row;
        if (MayFill) {
            const bool full = is_full(row);
            unfilled[unfilled_count] = filled[filled_count] = router;
            unfilled_count += !full;
            filled_count += full;
        }
    }
    if (MayFill) {
        level.unfilled->resize(unfilled_count);
        level.filled->resize(filled_count);
    }
    store(gains, level.gains);
    store(completed, level.completed);
}

template <int Bytes, int Registers>
TOPOCTL_INLINE void pull_rows(Level<Registers>& level) {
    if (level.early_exit)
        pull_rows_so<Bytes, Registers, true, true>(level);
    else if (level.may_fill)
        pull_rows_so<Bytes, Registers, true, false>(level);
    else
        pull_rows_so<Bytes, Registers, false, false>(level);
}

// Lays strips side by side as rows, and counts the bits per word of sources.
template <int Bytes, int Registers>
TOPOCTL_INLINE void lay_rows(Strips<Registers>& strips_in_memory) {
    const Strips<Registers> strips = strips_in_memory;  // a copy that no store can alias
    constexpr std::size_t words = Registers * register_words;
    for (std::size_t word = 0; word < words; word += strip_words) {
        const std::uint64_t* strip = strips.strips + word * strips.order;
        std::uint64_t bits[strip_words] = {};
        for (std::size_t router = 0; router < strips.order; ++router)
            for (std::size_t part = 0; part < strip_words; ++part)
                bits[part] += static_cast<std::uint64_t>(__builtin_popcountll(strip[router * strip_words + part]));
        std::copy_n(bits, strip_words, strips.counts + word);
    }
    for (std::size_t first = 0; first < strips.order; first += tile) {
        const std::size_t end = std::min(strips.order, first + tile);
        for (std::size_t word = 0; word < words; word += strip_words)
            for (std::size_t router = first; router < end; ++router)
                std::memcpy(strips.rows + router * words + word,
                            strips.strips + word * strips.order + router * strip_words, sizeof(std::uint64_t[strip_words]));
    }
}

}  // namespace topoctl
