// The pass over the steps of one destination that moves the traffic of eight patterns, lane by lane in doubles.
#pragma once

#include "../bits.hpp"

namespace topoctl {

// Patterns whose traffic is moved side by side, one in every lane of a row.
constexpr std::size_t kPatterns = 8;

// An arc that traffic takes, from a state, which is a router in a phase.
struct Step {
    double share;
    std::int64_t to;  // the state that it leads to; below 0 where that is at the destination
    std::int32_t arc;
};

struct Pushing {
    const Step* steps;
    const std::size_t* first;   // of the steps of every state; they end where those of the next begin
    const std::int64_t* order;  // states, each after all from which traffic comes to it
    std::size_t count;
    double* here;         // a row of every state: what is there, in units
    std::int64_t* units;  // a row of every arc: what has gone over it
};
void push(const Pushing& pushing);

}  // namespace topoctl
