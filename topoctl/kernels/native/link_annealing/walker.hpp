// One annealed network: draws moves, keeps or undoes them, remembers the best.
#pragma once

#include <array>
#include <memory>

#include "../draws.hpp"
#include "../parallel.hpp"
#include "latency_energy.hpp"

namespace topoctl::link_annealing {

// The columns of the table that describes a walk; documented in topoctl.kernels.link_annealing.LinkWalk.
struct LinkWalk {
    std::int64_t rotation_order, target, weight, slack, method, focus, moves, aim, goal_diameter, goal_sum;
    Cables cables;  // without a constant weight of links the distances are hops
};
// The values of LinkWalk::method.
enum Method : std::int64_t { kToggle, kFull, kAffected, kDelta };
constexpr std::size_t kWalkColumns = sizeof(LinkWalk) / sizeof(std::int64_t);

// Which pairs of routers may be linked.
struct Neighborhood {
    std::size_t order, radix;
    const std::int64_t* near_offsets;  // order + 1; null where any two routers may be linked
    const Router* near;                // the routers that each one may be linked to
    const std::int32_t* diagonals;     // order x 2: lengths are max(|du|, |dv|)
    std::int32_t limit;

    // One of the routers that p may be linked to, or p itself where there is none.
    Router partner(Router p, std::uint64_t word) const {
        if (!near_offsets) {
            if (order == 1) return p;
            const auto other = static_cast<Router>(below(word, order - 1));
            return other + (other >= p);
        }
        const auto count = static_cast<std::size_t>(near_offsets[p + 1] - near_offsets[p]);
        return count ? near[near_offsets[p] + static_cast<std::int64_t>(below(word, count))] : p;
    }

    std::int32_t length(Router a, Router b) const {
        const std::int32_t u = diagonals[2 * a] - diagonals[2 * b], v = diagonals[2 * a + 1] - diagonals[2 * b + 1];
        return std::max(u < 0 ? -u : u, v < 0 ? -v : v);
    }
};

class LinkWalker {
public:
    LinkWalker(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots, const Router* rotation,
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
