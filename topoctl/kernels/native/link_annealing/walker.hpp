// What an annealed network does, whatever its moves are: draws them, keeps or undoes them, remembers the best.
// How much worse a network may become is drawn in ../cooling.hpp, and compared in hop_energy.hpp and
// latency_energy.cpp.
#pragma once

#include "../parallel.hpp"
#include "latency_energy.hpp"

namespace topoctl::link_annealing {

enum Method { kToggle, kFull, kAffected, kDelta };

// Links of which only so many may be missing; documented in topoctl.kernels.link_annealing.Standing.
struct Standing {
    const Router* slots = nullptr;  // null where all links are alike
    std::size_t order = 0, width = 0;
    std::int64_t most_missing = 0;

    bool has(Router a, Router b) const {
        const Router* row = slots + std::size_t(a) * width;
        return std::find(row, row + width, b) != row + width;
    }
};

// Documented in topoctl.kernels.link_annealing.LinkWalk.
struct LinkWalk {
    std::int64_t rotation_order, second_order, target, weight, slack, moves, aim, goal_diameter, goal_sum, focus;
    Method method;
    bool lifted;
    Cables cables{};  // without a constant weight of links the distances are hops
    Standing standing{};
    Hosts hosts{};
};

class Walker {
public:
    virtual ~Walker() = default;

    // Makes the moves of the walk; accepted[step] counts those kept while that temperature held.
    void run(const Cooling& cooling, std::int64_t* accepted, Stop& stop);

    const Score& score() const { return score_; }
    const Score& best() const { return best_; }
    std::int64_t moves() const { return moves_; }
    // The neighbours of every router, -1 behind the last, as they are and as they were best.
    virtual void write_last(Router* slots) const = 0;
    virtual void write_best(Router* slots) const = 0;
    // The hosts of every router, where there are some: as they are, and as they were best.
    virtual const std::vector<Router>& last_hosts() const { return no_hosts_; }
    virtual const std::vector<Router>& best_hosts() const { return no_hosts_; }

protected:
    Walker(const LinkWalk& walk, std::uint64_t seed) : walk_(walk), seed_(seed) {}

    const LinkWalk walk_;
    std::int64_t moves_ = 0;
    std::uint64_t word_ = 0;  // the first of the random words of a move
    Score score_, best_;

private:
    bool propose();

    // Before a move is drawn.
    virtual void prepare() {}
    // Makes the move that three random words choose; false where it would break a rule.
    virtual bool make(std::uint64_t second, std::uint64_t third) = 0;
    // Finds the score of the network that the move made; false where it is refused and taken back.
    virtual bool keep(const Allowance& allowance) = 0;
    // The network is the best one so far.
    virtual void remember() = 0;

    std::uint64_t seed_, attempts_ = 0;
    const std::vector<Router> no_hosts_;
};

}  // namespace topoctl::link_annealing
