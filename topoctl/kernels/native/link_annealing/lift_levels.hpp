// The distances of a lifted network: breadth-first levels from the sources of all orbits at once.
#pragma once

#include <memory>

#include "evaluator.hpp"
#include "lift.hpp"

namespace topoctl::link_annealing {

class LiftLevels {
public:
    virtual ~LiftLevels() = default;
    // From scratch.
    virtual void measure(Beyond& beyond) = 0;
    // After a move; false where it is refused. Where it is taken back, discard() comes first.
    virtual bool propose(const Refusal& refusal, Beyond& beyond) = 0;
    virtual void discard() = 0;
};

// Follows the changes of a lift of at most 64 orbits: their sources are the bits of a word.
std::unique_ptr<LiftLevels> lift_levels(const Lift& lift);

}  // namespace topoctl::link_annealing
