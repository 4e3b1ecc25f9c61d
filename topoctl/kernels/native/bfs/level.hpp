// The dense levels of a breadth-first search: rows of bits that are pulled from neighbours.
#pragma once

#include <atomic>

#include "../links.hpp"
#include "../pull.hpp"

namespace topoctl {

// A row has one line of words or two.
constexpr int kNarrow = kLineWords, kWide = 2 * kLineWords;
constexpr std::size_t kLooksSoon = 2, kLooksLater = 8;
// What a pull of one level reads and writes.
template <int Words>
struct Level {
    Links links;
    std::int32_t number;
    // After so many neighbours a router looks whether its row is full (kLooksSoon or kLooksLater); 0: never, nor is
    // any other full row or column looked for.
    std::size_t looks;
    // Distances are symmetric: the row of a router whose eccentricity is known is full at that level.
    const std::atomic<std::int32_t>* eccentricities;
    const Word* full;  // a row with the bits of all sources
    const Word* current;  // rows of so many words
    Word* next;
    Visits* visits;
    Word* reached;  // bits of the rows visited, per word of sources
    Word* completed;  // a row: the sources that have reached every router
};

void pull_level(Level<kNarrow>& level);
void pull_level(Level<kWide>& level);

}  // namespace topoctl
