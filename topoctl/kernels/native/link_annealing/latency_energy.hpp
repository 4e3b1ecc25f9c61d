// Latencies over cables, and the cables that cost power, as what a walk makes small.
#pragma once

#include "energy.hpp"
#include "latency_matrix.hpp"

namespace topoctl::link_annealing {

// What latencies and cables cost; documented in topoctl.kernels.link_annealing, Cables and LinkWalk.
struct Cables {
    std::int64_t across, along, constant, electric, price;
};

class LatencyEnergy final : public Energy {
public:
    // diagonals: order x 2, coordinates whose half sum and half difference are the places of the cabinets.
    LatencyEnergy(const Network& network, const std::int32_t* diagonals, const Cables& cables, std::int64_t target,
                  std::int64_t weight, std::int64_t aim);

    Score score() const override;
    bool propose(const Network& network, const Allowance& allowance) override;
    void accept() override { matrix_.accept(); }
    void reject(const Network&) override;
    void mark_far(const Network& network, std::vector<bool>& far) const override;

private:
    std::int64_t energy() const { return energy(matrix_.score()) + cables_.price * optical_; }
    std::int64_t energy(const LatencyScore& score) const;
    bool is_optical(const Link& link) const { return weigh_(link.first, link.second) > cables_.electric; }
    FloorWeight weigher() const;
    std::int64_t farthest() const;

    const Cables cables_;
    const std::int64_t target_, weight_, aim_;
    const std::vector<std::int32_t> places_;
    const FloorWeight weigh_;
    const std::int64_t farthest_;  // what a pair without a path counts as
    LatencyMatrix<FloorWeight> matrix_;
    std::int64_t optical_ = 0, optical_before_ = 0;
};

}  // namespace topoctl::link_annealing
