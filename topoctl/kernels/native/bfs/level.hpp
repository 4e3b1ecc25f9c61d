// The dense levels of a breadth-first search: rows of bits that are pulled from neighbours or laid from strips.
#pragma once

#include <atomic>

#include "../links.hpp"
#include "../pull.hpp"

namespace topoctl {

// A row has one line of words or two.
constexpr int kNarrow = kLineWords, kWide = 2 * kLineWords;
constexpr std::size_t kArcsPerStep = 8;
constexpr std::size_t kStripWords = 2;

// What a pull of one level reads and writes.
template <int Words>
struct Level {
    Links links;
    std::int32_t number;
    bool may_fill;    // some rows are expected to become full: only then full rows and columns are looked for
    bool early_exit;  // and to be so well before their last neighbour
    // Distances are symmetric: the row of a router whose eccentricity is known is full at that level.
    const std::atomic<std::int32_t>* eccentricities;
    const Word* current;  // rows of so many words
    Word* next;
    Visits* visits;
    Word* gains;      // bits set by this level, per word of sources
    Word* completed;  // a row: the sources that have reached every router
};

// Rows that are set strip by strip, each of them a few words of every row.
template <int Words>
struct Strips {
    std::size_t order;
    const Word* strips;  // order x kStripWords, one behind the other
    const Word* others;  // a row that is united with all
    Word* rows;
    Word* counts;  // bits of the strips per word of sources
};

void pull_level(Level<kNarrow>& level);
void pull_level(Level<kWide>& level);
// Lays strips side by side as rows, and counts their bits.
void lay_strips(Strips<kNarrow>& strips);
void lay_strips(Strips<kWide>& strips);

}  // namespace topoctl
