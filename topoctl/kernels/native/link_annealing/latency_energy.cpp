#include "latency_energy.hpp"

namespace topoctl::link_annealing {
namespace {

std::vector<std::int32_t> places_of(const std::int32_t* diagonals, std::size_t order) {
    std::vector<std::int32_t> places;
    for (std::size_t router = 0; router < order; ++router) {
        const std::int32_t u = diagonals[2 * router], v = diagonals[2 * router + 1];
        places.insert(places.end(), {(u + v) / 2, (u - v) / 2});
    }
    return places;
}

}  // namespace

LatencyEnergy::LatencyEnergy(const Network& network, const std::int32_t* diagonals, const Cables& cables,
                             std::int64_t target, std::int64_t weight, std::int64_t aim)
    : cables_(cables), target_(target), weight_(weight), aim_(aim), places_(places_of(diagonals, network.order())),
      weigh_(weigher()), farthest_(farthest()),
      matrix_(network.order(), network.radix(), network.sources(),
              std::vector<std::int64_t>(network.sources().size(), 1), weigh_, target) {
    matrix_.reset(network.slots().data());
    for (std::size_t router = 0; router < network.order(); ++router)
        for (Router slot = 0; slot < network.degree(static_cast<Router>(router)); ++slot) {
            const Link link{static_cast<Router>(router), network.row(static_cast<Router>(router))[slot]};
            optical_ += link.first < link.second && is_optical(link);
        }
}

FloorWeight LatencyEnergy::weigher() const {
    return {places_.data(), static_cast<std::uint32_t>(cables_.across), static_cast<std::uint32_t>(cables_.along),
            static_cast<std::uint32_t>(cables_.constant)};
}

// More than any path weighs: as many links as there are routers, each from corner to corner.
std::int64_t LatencyEnergy::farthest() const {
    std::int64_t low[2]{places_[0], places_[1]}, high[2]{places_[0], places_[1]};
    for (std::size_t i = 0; i < places_.size(); ++i) {
        low[i % 2] = std::min<std::int64_t>(low[i % 2], places_[i]);
        high[i % 2] = std::max<std::int64_t>(high[i % 2], places_[i]);
    }
    return static_cast<std::int64_t>(places_.size() / 2) *
           ((high[0] - low[0]) * cables_.across + (high[1] - low[1]) * cables_.along + cables_.constant);
}

Score LatencyEnergy::score() const {
    const LatencyScore& found = matrix_.score();
    Score score;
    score.unreached = found.unconnected;
    score.beyond = aim_ ? found.beyond + found.unconnected : 0;
    score.optical = optical_;
    score.distance_sum = found.sum + found.unconnected * farthest_;
    score.diameter = found.maximum;
    return score;
}

// With a price of optical links, only latencies beyond the target cost anything besides.
std::int64_t LatencyEnergy::energy(const LatencyScore& score) const {
    const std::int64_t above = score.above + score.unconnected * (farthest_ - target_);
    if (cables_.price) return weight_ * above;
    return score.sum + score.unconnected * farthest_ + (weight_ - 1) * above;
}

bool LatencyEnergy::propose(const Network& network, const Allowance& allowance) {
    optical_before_ = optical_;
    const std::int64_t pairs = energy(matrix_.score());
    const std::int64_t before = pairs + cables_.price * optical_;
    for (const Link& link : network.removed()) optical_ -= is_optical(link);
    for (const Link& link : network.added()) optical_ += is_optical(link);
    // While the latencies from some sources are new and those from the others old, the sum of the new is at
    // least the sum of all less that of all the old.
    const auto refused = [&](const LatencyScore& score) {
        const std::int64_t rise = energy(score) + cables_.price * optical_ - before;
        return rise - pairs > allowance.rise || (allowance.predicts && rise > allowance.partial_rise);
    };
    return matrix_.propose(network.slots().data(), network.removed(), network.added(), refused) &&
           energy() - before <= allowance.rise;
}

void LatencyEnergy::reject(const Network&) {
    matrix_.reject();
    optical_ = optical_before_;
}

void LatencyEnergy::mark_far(const Network&, std::vector<bool>& far) const { matrix_.mark_above(far); }

}  // namespace topoctl::link_annealing
