// A method that keeps distances in bytes as long as they fit.
#pragma once

#include <memory>

#include "distance_matrix.hpp"
#include "evaluator.hpp"

namespace topoctl::link_annealing {

// Method<Distance> is an evaluator whose reset() and propose() may throw TooFar.
template <template <class> class Method>
class Widening final : public Evaluator {
public:
    void reset(const Network& network, Beyond& beyond) override {
        try {
            method_ = std::make_unique<Method<std::uint8_t>>(network);
            method_->reset(network, beyond);
        } catch (const TooFar&) {
            widen(network, beyond);
        }
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        try {
            return method_->propose(network, refusal, beyond);
        } catch (const TooFar&) {
            widen(network, beyond);
            ahead_ = true;
            return !refusal(beyond);
        }
    }

    void accept() override {
        if (!ahead_) method_->accept();
        ahead_ = false;
    }

    void reject(const Network& network) override {
        Beyond unused;
        if (ahead_)
            method_->reset(network, unused);
        else
            method_->reject(network);
        ahead_ = false;
    }

private:
    void widen(const Network& network, Beyond& beyond) {
        method_ = nullptr;  // its memory first
        method_ = std::make_unique<Method<std::uint16_t>>(network);
        method_->reset(network, beyond);
    }

    std::unique_ptr<Evaluator> method_;
    bool ahead_ = false;  // the method was set up for a proposal that is still undecided
};

}  // namespace topoctl::link_annealing
