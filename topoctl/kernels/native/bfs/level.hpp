// The dense levels of a breadth-first search: rows of bits that are pulled from neighbours.
#pragma once

#include <atomic>

#include "../links.hpp"
#include "../pull.hpp"

namespace topoctl {

// A row has one line of words or two.
constexpr int kNarrow = kLineWords, kWide = 2 * kLineWords;
// Neighbours that a row takes over between two looks at whether it is full: few on a last level, where nearly all rows
// are full after the first of them; many before, where more looks cost more than they spare.
constexpr std::size_t kLooksSoon = 2, kLooksLater = 8;

// What a pull of one level reads and writes.
template <int Words>
struct Level {
    Links links;
    std::int32_t number;
    std::size_t looks;  // kLooksSoon, kLooksLater, or 0: then no full rows and columns are looked for
    // Distances are symmetric: the row of a router whose eccentricity is known is full at that level.
    const std::atomic<std::int32_t>* eccentricities;
    const Word* full;     // a row with the bits of all sources
    const Word* current;  // rows of so many words
    Word* next;
    Visits* visits;
    Word* reached;    // bits of the visited rows that are not known to be full, per word of sources
    Word* completed;  // a row: the sources that have reached every router
};

void pull_level(Level<kNarrow>& level);
void pull_level(Level<kWide>& level);

struct Pair {
    std::int32_t router, source;
};

// What the last level of a block of consecutive sources reads: see ending.hpp.
template <int Words>
struct LastLevel {
    Links links;
    std::size_t looks;  // kLooksSoon or kLooksLater
    const Word* full;
    const Word* current;
    std::size_t first;  // the block's first source; later routers alone are looked at
    std::size_t most;   // pairs that it may miss
};

// Lists the pairs of a source and a later router that the level does not reach, until there are too many.
void list_missing(const LastLevel<kNarrow>& level, std::vector<Pair>& missing);
void list_missing(const LastLevel<kWide>& level, std::vector<Pair>& missing);

}  // namespace topoctl
