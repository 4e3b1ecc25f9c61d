// What a walk makes small, and what its networks are judged by.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "../cooling.hpp"
#include "network.hpp"

namespace topoctl::link_annealing {

// What networks are judged by; documented in topoctl.kernels.link_annealing.PairScore.
struct Score {
    std::int64_t unreached = 0;
    std::int64_t beyond = 0;
    std::int64_t diameter = 0;
    std::int64_t distance_sum = 0;
    std::int64_t at_diameter = 0;
    std::int64_t optical = 0;  // links that must be optical

    bool better(const Score& other) const {
        return std::tuple(unreached, beyond, optical, distance_sum) <
               std::tuple(other.unreached, other.beyond, other.optical, other.distance_sum);
    }
};
constexpr std::size_t kScoreColumns = sizeof(Score) / sizeof(std::int64_t);

class Energy {
public:
    virtual ~Energy() = default;
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
