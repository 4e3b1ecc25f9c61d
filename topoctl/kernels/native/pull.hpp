// One level of a breadth-first search from many sources at once: every router takes over what its neighbours
// have. Bit i of a router's row says whether source i has reached the router.
#pragma once

#include <vector>

#include "bits.hpp"
#include "links.hpp"

namespace topoctl {

// row |= OR of the rows of so many neighbours.
template <int Bytes, int Words>
TOPOCTL_INLINE void unite(const Row<Bytes, Words>* rows, const std::int32_t* neighbors, std::size_t count,
                          Row<Bytes, Words>& row) {
    for (std::size_t neighbor = 0; neighbor < count; ++neighbor)
        for (int part = 0; part < row.kParts; ++part) row.parts[part] |= rows[neighbors[neighbor]].parts[part];
}

// Rows of this many routers exceed the second-level cache; their loads are asked for so many arcs ahead.
constexpr std::size_t kPrefetchOrder = 4096;
constexpr std::ptrdiff_t kPrefetchDistance = 24;

// row |= OR of the rows of all neighbours of a router. The arcs ahead are those of the routers visited next.
template <int Bytes, int Words>
TOPOCTL_INLINE void unite_all(const Row<Bytes, Words>* rows, const Links& links, std::size_t router,
                              Row<Bytes, Words>& row) {
    const std::int32_t* last = links.neighbors + links.arcs() - 1;
    const std::int32_t* end = links.neighbors + links.offsets[router + 1];
    for (const std::int32_t* neighbor = links.neighbors + links.offsets[router]; neighbor < end; ++neighbor) {
        if (links.order >= kPrefetchOrder) {
            const std::int32_t ahead = last - neighbor > kPrefetchDistance ? neighbor[kPrefetchDistance] : *last;
            const auto* words = reinterpret_cast<const Word*>(rows + ahead);
            for (int line = 0; line < Words; line += kLineWords) __builtin_prefetch(words + line);
        }
        unite(rows, neighbor, 1, row);
    }
}

template <int Bytes, int Words>
TOPOCTL_INLINE bool same_bits(const Row<Bytes, Words>& a, const Row<Bytes, Words>& b) {
    auto same = ~(a.parts[0] ^ b.parts[0]);
    for (int part = 1; part < a.kParts; ++part) same &= ~(a.parts[part] ^ b.parts[part]);
    return common_bits<Row<Bytes, Words>::kBytes>(same) == ~Word{0};
}

// The routers of a search: those whose rows are still to be pulled, and those that the level before filled.
struct Visits {
    std::vector<std::int32_t> unfilled, filled;
    std::size_t order = 0;

    void restart(std::size_t routers) {
        order = routers;
        filled.clear();
        unfilled.resize(order);
        for (std::size_t router = 0; router < order; ++router) unfilled[router] = static_cast<std::int32_t>(router);
    }
};

// next[v] = current[v] and all that the neighbours of v have, for every row that is not full yet. Then those that
// are full leave the routers to visit, if MayFill: only then full rows are looked for.
// add(router, row) adds the neighbours' bits and returns, if MayFill, whether the row is full; count(row) is told
// every visited row that is not known to be full.
template <bool MayFill, int Bytes, int Words, class Add, class Count>
TOPOCTL_INLINE void pull_rows(const Row<Bytes, Words>* current, Row<Bytes, Words>* next, const Row<Bytes, Words>& full,
                              Visits& visits, const Add& add, const Count& count) {
    for (std::int32_t router : visits.filled) next[router] = full;  // the other buffer has them already
    const std::size_t visited = visits.unfilled.size();
    const bool all = visited == visits.order;  // not to read the list then saves a tenth of the time
    visits.filled.resize(MayFill ? visited : 0);
    std::int32_t* unfilled = visits.unfilled.data();
    std::int32_t* filled = visits.filled.data();
    std::size_t unfilled_count = 0, filled_count = 0;
    for (std::size_t position = 0; position < visited; ++position) {
        const std::int32_t router = all ? static_cast<std::int32_t>(position) : unfilled[position];
        Row<Bytes, Words> row = current[router];
        if (add(router, row) && MayFill) {
            next[router] = full;
            filled[filled_count++] = router;
        } else {
            count(row);
            next[router] = row;
            if (MayFill) unfilled[unfilled_count++] = router;
        }
    }
    if (MayFill) {
        visits.unfilled.resize(unfilled_count);
        visits.filled.resize(filled_count);
    }
}

}  // namespace topoctl
