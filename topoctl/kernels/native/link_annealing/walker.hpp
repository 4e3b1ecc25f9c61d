// One annealed network: draws moves, keeps or undoes them, remembers the best.
#pragma once

#include <array>
#include <memory>

#include "../parallel.hpp"
#include "latency_energy.hpp"
#include "neighborhood.hpp"

namespace topoctl::link_annealing {

// The columns of the table that describes a walk; documented in topoctl.kernels.link_annealing.LinkWalk.
struct LinkWalk {
    std::int64_t rotation_order, second_order, target, weight, slack, method, focus, moves, aim, goal_diameter,
        goal_sum;
    Cables cables;  // without a constant weight of links the distances are hops
};
// The values of LinkWalk::method.
enum Method : std::int64_t { kToggle, kFull, kAffected, kDelta };
constexpr std::size_t kWalkColumns = sizeof(LinkWalk) / sizeof(std::int64_t);

class LinkWalker {
public:
    LinkWalker(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots, const Router* generators,
               std::uint64_t seed);

    // Makes the moves of the walk; accepted[step] counts those kept while that temperature held.
    void run(const Cooling& cooling, std::int64_t* accepted, Stop& stop);

    const Network& network() const { return network_; }
    const std::vector<Router>& best_slots() const { return best_slots_; }
    const Score& score() const { return score_; }
    const Score& best() const { return best_; }
    std::int64_t moves() const { return moves_; }

private:
    bool propose();
    bool exchange(Router p, std::uint64_t where, std::uint64_t whither);
    bool use_stub(std::uint64_t where, std::uint64_t whither);
    Router focused(std::uint64_t where, std::uint64_t whither) const;
    void find_stubs();
    void find_far();

    const Neighborhood& neighborhood_;
    const LinkWalk walk_;
    Network network_;
    std::unique_ptr<Energy> energy_;
    std::uint64_t seed_, attempts_ = 0, word_ = 0;
    std::int64_t moves_ = 0;
    Score score_, best_;
    std::vector<Router> best_slots_, stubs_, far_;
};

}  // namespace topoctl::link_annealing
