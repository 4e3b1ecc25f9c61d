// Distances in hops as what a walk makes small.
#pragma once

#include <memory>
#include <utility>

#include "energy.hpp"
#include "evaluator.hpp"

namespace topoctl::link_annealing {

// What the pairs further than 0, 1, 2, ... apart say of a network of so many routers.
Score score_of(const Beyond& beyond, std::int64_t order, std::size_t aim);

class HopEnergy final : public Energy {
public:
    HopEnergy(const Network& network, std::unique_ptr<Evaluator> evaluator, const Cost& cost, std::int64_t aim)
        : evaluator_(std::move(evaluator)), cost_(cost), aim_(static_cast<std::size_t>(aim)) {
        evaluator_->reset(network, current_);
        energy_ = cost_.energy(current_);
    }

    Score score() const override { return score_of(current_, cost_.order, aim_); }
    bool propose(const Network& network, const Allowance& allowance) override {
        const Refusal refusal{cost_, current_, energy_ + allowance.rise, allowance.partial_rise, allowance.predicts};
        return evaluator_->propose(network, refusal, next_) && cost_.energy(next_) <= refusal.most;
    }
    void accept() override {
        evaluator_->accept();
        std::swap(current_, next_);
        energy_ = cost_.energy(current_);
    }
    void reject(const Network& network) override { evaluator_->reject(network); }
    void mark_far(const Network& network, std::vector<bool>& far) const override;

private:
    std::unique_ptr<Evaluator> evaluator_;
    const Cost cost_;
    const std::size_t aim_;
    Beyond current_, next_;
    std::int64_t energy_ = 0;
};

}  // namespace topoctl::link_annealing
