// The two passes over the links of a block of roots, lane by lane in doubles: one counts shortest paths, level by
// level away from the roots; the other carries all endpoints' traffic back to them, and adds up what links carry.
#pragma once

#include <vector>

#include "../bits.hpp"
#include "../links.hpp"

namespace topoctl {

// Roots that are searched from side by side, one in every lane of a row of doubles.
constexpr std::size_t kLanes = 8;
// More than a link may carry, in units. Larger sums are overflows of too many paths, and are left out.
constexpr double kMostUnits = 0x1p62;

struct Routers : Links {
    const std::int32_t* endpoints;
};

// What is known of every router and root: rows of kLanes, one behind the other.
struct Rows {
    double* paths;       // shortest paths between the two; 0 before the router is reached
    std::int64_t* levels;  // hops between them
    double* next_hops;   // neighbours of the router that are a hop nearer to the root
    double* shares;      // two rows a router: its traffic, per shortest path and per next hop
    double* pending;     // what this level adds to other rows once it is through, so that it does not read it
};

// What is known of every root, by lane.
struct Roots {
    double weights[kLanes];  // of its traffic, in units of the loads
    std::int64_t reached[kLanes], hops[kLanes];
    double most_paths;
};

// Reaches those of the routers that have neighbours a hop nearer to a root, and appends them to `found`.
struct Counting {
    Routers routers;
    Rows rows;
    Roots* roots;
    std::int64_t level;
    const std::int32_t* visited;
    std::size_t count;
    std::vector<std::int32_t>* found;
    std::size_t first;  // of `found`, on this level
};
void count_paths(const Counting& counting);

// Takes the traffic for the roots from the neighbours of routers on a level, and tells what comes over each link.
struct Carrying {
    Routers routers;
    Rows rows;
    const Roots* roots;
    std::int64_t level;
    const std::int32_t* visited;
    std::size_t count;
    bool last;  // no router is further away
    std::uint64_t* loads;  // two an arc: what comes from that neighbour over paths, and over next hops
    double* pending;
};
void carry(const Carrying& carrying);

}  // namespace topoctl
