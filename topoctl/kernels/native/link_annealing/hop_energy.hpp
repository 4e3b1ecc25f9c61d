// Distances in hops as what a walk makes small.
#pragma once

#include <memory>
#include <utility>

#include "energy.hpp"
#include "evaluator.hpp"

namespace topoctl::link_annealing {

// The distances of the network that was kept last, and of the one that a move proposes instead.
class HopScore {
public:
    HopScore(const Cost& cost, std::int64_t aim) : cost_(cost), aim_(static_cast<std::size_t>(aim)) {}

    // Where the distances of a changed network are written.
    Beyond& proposed() { return proposed_; }
    // When a change is refused that may make the energy grow by no more than this.
    Refusal refusal(const Allowance& allowance) const {
        return {cost_, kept_, energy_ + allowance.rise, allowance.partial_rise, allowance.predicts};
    }
    bool allows(const Refusal& refusal) const { return cost_.energy(proposed_) <= refusal.most; }
    // Keeps the network that was proposed.
    void take() {
        std::swap(kept_, proposed_);
        energy_ = cost_.energy(kept_);
    }
    // Of the network that is kept.
    Score score() const;
    std::int64_t target() const { return cost_.target; }

private:
    const Cost cost_;
    const std::size_t aim_;
    Beyond kept_, proposed_;
    std::int64_t energy_ = 0;
};

class HopEnergy final : public Energy {
public:
    HopEnergy(const Network& network, std::unique_ptr<Evaluator> evaluator, const Cost& cost, std::int64_t aim)
        : evaluator_(std::move(evaluator)), hops_(cost, aim) {
        evaluator_->reset(network, hops_.proposed());
        hops_.take();
    }

    Score score() const override { return hops_.score(); }
    bool propose(const Network& network, const Allowance& allowance) override {
        const Refusal refusal = hops_.refusal(allowance);
        return evaluator_->propose(network, refusal, hops_.proposed()) && hops_.allows(refusal);
    }
    void accept() override {
        evaluator_->accept();
        hops_.take();
    }
    void reject(const Network& network) override { evaluator_->reject(network); }
    void mark_far(const Network& network, std::vector<bool>& far) const override;

private:
    std::unique_ptr<Evaluator> evaluator_;
    HopScore hops_;
};

}  // namespace topoctl::link_annealing
