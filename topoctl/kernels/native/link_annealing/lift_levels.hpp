// The distances of a lifted network: breadth-first levels from the sources of all orbits at once.
#pragma once

#include <memory>

#include "evaluator.hpp"
#include "lift.hpp"

namespace topoctl::link_annealing {

// The most orbits that a lift may have: their sources are the bits of a word.
constexpr std::size_t kMostOrbits = 64;

class LiftLevels {
public:
    virtual ~LiftLevels() = default;
    // From scratch.
    virtual void measure(Beyond& beyond) = 0;
    // After a move; false where it is refused. Then comes keep() or, before the move is taken back, discard().
    virtual bool propose(const Refusal& refusal, Beyond& beyond) = 0;
    virtual void discard() = 0;
};

// Follows the changes of a lift of kMostOrbits orbits at most.
std::unique_ptr<LiftLevels> lift_levels(const Lift& lift);

}  // namespace topoctl::link_annealing
