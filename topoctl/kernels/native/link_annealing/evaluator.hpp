// How the distances of a changed network are found again; every way gives the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network.hpp"

namespace topoctl::link_annealing {

// beyond[d]: pairs (source, router) further than d apart, each counted as often as its two routers have hosts, where
// there are hosts. The last entry is 0, or the pairs without a path.
using Beyond = std::vector<std::int64_t>;

// What a pair costs: 1 for every distance below its own, `weight` for those from the target diameter on.
struct Cost {
    std::int64_t target, weight, order;

    std::int64_t of(std::size_t distance) const { return static_cast<std::int64_t>(distance) < target ? 1 : weight; }

    // A pair without a path counts as `order` apart.
    std::int64_t energy(const Beyond& beyond) const {
        std::int64_t sum = 0;
        for (std::size_t d = 0; d < beyond.size(); ++d) sum += of(d) * beyond[d];
        if (beyond.back())
            for (std::int64_t d = static_cast<std::int64_t>(beyond.size()); d < order; ++d)
                sum += of(static_cast<std::size_t>(d)) * beyond.back();
        return sum;
    }
};

// When a proposal is refused before it is known in full.
struct Refusal {
    const Cost& cost;
    const Beyond& current;
    std::int64_t most;      // the energy may be no more
    std::int64_t slack;     // nor may the part of it that distances up to some d make grow by more
    bool predicts;          // whether the second rule holds

    // Follows the energy of a changed network, distance by distance.
    class Watch {
    public:
        explicit Watch(const Refusal& refusal) : refusal_(refusal) {}

        // Takes beyond[d] of the next distance; true once the proposal is refused.
        bool refuses(std::int64_t beyond) {
            const std::int64_t weight = refusal_.cost.of(distance_);
            const Beyond& current = refusal_.current;
            after_ += weight * beyond;
            before_ += weight * (distance_ < current.size() ? current[distance_] : current.back());
            ++distance_;
            return after_ > refusal_.most || (refusal_.predicts && after_ - before_ > refusal_.slack);
        }

    private:
        const Refusal& refusal_;
        std::size_t distance_ = 0;
        std::int64_t after_ = 0, before_ = 0;
    };

    // The rule for those who have all distances at once.
    bool operator()(const Beyond& beyond) const {
        Watch watch(*this);
        for (std::int64_t pairs : beyond)
            if (watch.refuses(pairs)) return true;
        return cost.energy(beyond) > most;
    }
};

class Evaluator {
public:
    virtual ~Evaluator() = default;
    // From scratch.
    virtual void reset(const Network& network, Beyond& beyond) = 0;
    // After a move whose changes the network lists; false where the move is refused. Then comes a call of one
    // of the other two, the network having been put back before reject().
    virtual bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) = 0;
    virtual void accept() = 0;
    virtual void reject(const Network& network) = 0;
};

// Looks at nothing: every network is as good as any other.
class Blind final : public Evaluator {
public:
    void reset(const Network&, Beyond& beyond) override { beyond.assign(1, 0); }
    bool propose(const Network&, const Refusal&, Beyond& beyond) override {
        beyond.assign(1, 0);
        return true;
    }
    void accept() override {}
    void reject(const Network&) override {}
};

// From scratch: bit-parallel levels over all sources, block after block.
std::unique_ptr<Evaluator> full_evaluator(const Network& network);
// Bit-parallel levels over the sources that the change affects.
std::unique_ptr<Evaluator> affected_evaluator();
// From the distances before: only what changes is repaired, and logged to be taken back.
std::unique_ptr<Evaluator> delta_evaluator();
// The first and the last of these where routers have hosts.
std::unique_ptr<Evaluator> host_full_evaluator(const Network& network);
std::unique_ptr<Evaluator> host_delta_evaluator();

}  // namespace topoctl::link_annealing
