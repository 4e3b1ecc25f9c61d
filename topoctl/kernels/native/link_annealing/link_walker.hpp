// One annealed network whose moves exchange links.
#pragma once

#include <array>
#include <memory>

#include "neighborhood.hpp"
#include "walker.hpp"

namespace topoctl::link_annealing {

class LinkWalker final : public Walker {
public:
    LinkWalker(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots, const Router* generators,
               std::uint64_t seed);

    void write_last(Router* slots) const override { write(network_.slots(), slots); }
    void write_best(Router* slots) const override { write(best_slots_, slots); }
    const std::vector<Router>& last_hosts() const override { return network_.hosts(); }
    const std::vector<Router>& best_hosts() const override { return best_hosts_; }

private:
    // After so many moves the routers of the pairs beyond the target are listed anew, which takes as long as measuring
    // the network in full.
    static constexpr std::int64_t kFocusPeriod = 256;

    void prepare() override {
        if (walk_.focus && moves_ % kFocusPeriod == 0) find_far();
    }
    bool make(std::uint64_t second, std::uint64_t third) override;
    bool keep(const Allowance& allowance) override;
    void remember() override {
        best_slots_ = network_.slots();
        best_hosts_ = network_.hosts();
    }
    void write(const std::vector<Router>& padded, Router* slots) const;
    bool exchange(Router p, std::uint64_t second, std::uint64_t third);
    bool use_stub(std::uint64_t second, std::uint64_t third);
    bool swing(std::uint64_t second, std::uint64_t third);
    bool shift(std::uint64_t second);
    bool may_change(std::initializer_list<Link> gone, std::initializer_list<Link> come);
    Router focused(std::uint64_t word, std::uint64_t third) const;
    void find_stubs();
    void find_far();

    const Neighborhood& neighborhood_;
    Network network_;
    std::unique_ptr<Energy> energy_;
    std::vector<Router> best_slots_, best_hosts_, far_;
    std::vector<Router> stubs_, open_;  // routers with a free port for a link; with hosts, those with one for a host
    std::int64_t missing_ = 0, rise_ = 0;  // standing links that are not there, and how many more once a move is kept
};

}  // namespace topoctl::link_annealing
