// What a walk makes small.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "network.hpp"

namespace topoctl::link_annealing {

struct Score {
    std::int64_t unreached = 0;  // pairs without a path
    std::int64_t excess = 0;     // with an aim: pairs beyond it; else the diameter in hops, or 0
    std::int64_t optical = 0;    // links that must be optical
    std::int64_t sum = 0;        // of distances
    std::int64_t diameter = 0;
    std::int64_t furthest = 0;   // pairs that many hops apart

    bool better(const Score& other) const {
        return std::tuple(unreached, excess, optical, sum) <
               std::tuple(other.unreached, other.excess, other.optical, other.sum);
    }
};

// How much worse a proposal may be.
struct Allowance {
    std::int64_t rise;   // the energy may rise by no more
    std::int64_t slack;  // nor may the part of it that is known first
    bool predicts;       // whether the second rule holds
};

class Objective {
public:
    virtual ~Objective() = default;
    virtual Score score() const = 0;
    // After a move whose changes the network lists; false where it is not allowed. Then comes accept(), or, the
    // network having been put back, reject().
    virtual bool propose(const Network& network, const Allowance& allowance) = 0;
    virtual void accept() = 0;
    virtual void reject(const Network& network) = 0;
    // Marks the routers that some source is further from than the target.
    virtual void mark_far(const Network& network, std::vector<bool>& far) const = 0;
};

}  // namespace topoctl::link_annealing
