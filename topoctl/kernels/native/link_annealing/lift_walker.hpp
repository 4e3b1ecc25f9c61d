// One annealed network that a group maps onto itself: moves change the voltages and the ends of whole orbits of links.
#pragma once

#include <memory>

#include "hop_energy.hpp"
#include "lift_levels.hpp"
#include "neighborhood.hpp"
#include "walker.hpp"

namespace topoctl::link_annealing {

class LiftWalker final : public Walker {
public:
    LiftWalker(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots, const Router* generators,
               std::uint64_t seed);

    void write_last(Router* slots) const override { lift_.write_slots(lift_.codes(), slots); }
    void write_best(Router* slots) const override { lift_.write_slots(best_codes_, slots); }

private:
    bool make(std::uint64_t second, std::uint64_t third) override;
    bool keep(const Allowance& allowance) override;
    void remember() override { best_codes_ = lift_.codes(); }

    Lift lift_;
    std::unique_ptr<LiftLevels> levels_;
    HopScore hops_;
    std::vector<Lift::Code> involutions_, best_codes_;
};

}  // namespace topoctl::link_annealing
