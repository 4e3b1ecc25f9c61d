// Rows of bits, one per router: bit i says whether source i of the block has reached the router.
#pragma once

#include <atomic>
#include <cstring>

#include "kernels.hpp"
#include "versions.hpp"

namespace topoctl {

constexpr std::size_t word_bits = 64;
constexpr std::size_t register_words = 8;
constexpr std::size_t register_bits = register_words * word_bits;
constexpr int arcs_per_step = 8;
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
    bool may_fill;    // some rows are expected to become full
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

template <int Bytes, int Registers>
TOPOCTL_INLINE bool is_full(const Row<Bytes, Registers>& row) {
    auto all = row.parts[0];
    for (int part = 1; part < row.size; ++part) all &= row.parts[part];
    std::uint64_t word = all[0];
    for (std::size_t lane = 1; lane < row.vector_words; ++lane) word &= all[lane];
    return word == ~std::uint64_t{0};
}

// Adds the bits that after has and before has not, word by word.
template <int Bytes, int Registers>
TOPOCTL_INLINE void add_gains(const Row<Bytes, Registers>& after, const Row<Bytes, Registers>& before,
                                             Row<Bytes, Registers>& gains) {
    constexpr std::size_t lanes = Row<Bytes, Registers>::vector_words;
    for (int part = 0; part < after.size; ++part) {
        alignas(Bytes) std::uint64_t words[lanes];
        const auto news = after.parts[part] ^ before.parts[part];
        std::memcpy(words, &news, sizeof words);
        if (Bytes == 64) {  // through arrays, because only so GCC finds the vector instruction
            alignas(Bytes) std::uint64_t counts[lanes];
            for (std::size_t lane = 0; lane < lanes; ++lane)
                counts[lane] = static_cast<std::uint64_t>(__builtin_popcountll(words[lane]));
            typename Row<Bytes, Registers>::Vector sum;
            std::memcpy(&sum, counts, sizeof sum);
            gains.parts[part] += sum;
        } else {
            auto* sums = reinterpret_cast<std::uint64_t*>(&gains.parts[part]);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                sums[lane] += static_cast<std::uint64_t>(__builtin_popcountll(words[lane]));
        }
    }
}

// row |= OR of current[u] over the neighbours u of a router.
template <int Bytes, int Registers>
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
        for (int step = 0; step < arcs_per_step; ++step)
            for (int part = 0; part < row.size; ++part) row.parts[part] |= current[neighbor[step]].parts[part];
        if (level.early_exit && is_full(row)) return;
    }
    for (; neighbor < end; ++neighbor)
        for (int part = 0; part < row.size; ++part) row.parts[part] |= current[*neighbor].parts[part];
}

// next[v] = current[v] | OR of current[u] over the neighbours u, for every row that is not full yet.
template <int Bytes, int Registers>
TOPOCTL_INLINE void pull_rows(Level<Registers>& level_in_memory) {
    using Bits = Row<Bytes, Registers>;
    const Level<Registers> level = level_in_memory;  // a copy that no store can alias
    const auto* current = reinterpret_cast<const Bits*>(level.current);
    auto* next = reinterpret_cast<Bits*>(level.next);
    const bool prefetch = level.links.order >= prefetch_order;
    Bits ones, gains, completed;
    for (int part = 0; part < Bits::size; ++part) {
        gains.parts[part] = typename Bits::Vector{};
        ones.parts[part] = completed.parts[part] = ~typename Bits::Vector{};
    }
    for (std::int32_t router : *level.filled) next[router] = ones;  // the other buffer has them already
    const std::size_t visited = level.unfilled->size();
    level.filled->resize(visited);
    std::int32_t* unfilled = level.unfilled->data();
    std::int32_t* filled = level.filled->data();
    std::size_t unfilled_count = 0, filled_count = 0;

    for (std::size_t position = 0; position < visited; ++position) {
        const std::int32_t router = unfilled[position];
        Bits row = current[router];
        if (level.eccentricities[router].load(std::memory_order_relaxed) <= level.number)
            row = ones;
        else
            unite(level, router, prefetch, row);
        add_gains(row, current[router], gains);
        for (int part = 0; part < Bits::size; ++part) completed.parts[part] &= row.parts[part];
        next[router] = row;
        const bool full = level.may_fill && is_full(row);
        unfilled[unfilled_count] = filled[filled_count] = router;
        unfilled_count += !full;
        filled_count += full;
    }
    level.unfilled->resize(unfilled_count);
    level.filled->resize(filled_count);
    std::memcpy(level.gains, &gains, sizeof gains);
    std::memcpy(level.completed, &completed, sizeof completed);
}

}  // namespace topoctl
