// One level of a breadth-first search from all sources at once, over rows of a fixed number of words.
#pragma once

#include "../pull.hpp"
#include "network.hpp"

namespace topoctl::link_annealing {

// Rows of `words` words, one per router: bit i says whether source i has reached the router.
struct Level {
    std::size_t words, radix;
    const Router* slots;           // order x radix
    const Router* degrees;         // of every router, where they differ much; else null
    const Word* current;
    Word* next;
    const Word* full;              // a row with the bits of all sources
    Visits* visits;
    bool may_fill;                 // some rows are expected to become full
};

// next[v] = current[v] | OR of current[u] over the neighbours u, for every row that is not full yet; returns the
// number of bits in the visited rows that are not known to be full.
std::int64_t pull_level(Level& level);

}  // namespace topoctl::link_annealing
