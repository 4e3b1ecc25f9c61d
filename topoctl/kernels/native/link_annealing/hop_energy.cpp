#include "hop_energy.hpp"

namespace topoctl::link_annealing {

Score HopScore::score() const {
    Score score;
    score.unreached = kept_.back();
    score.distance_sum = Cost{cost_.order, 1, cost_.order}.energy(kept_);
    score.diameter = static_cast<std::int64_t>(kept_.size()) - 1;
    score.at_diameter = kept_.size() > 1 ? kept_[kept_.size() - 2] - kept_.back() : 0;
    score.beyond = !aim_ ? score.diameter : aim_ < kept_.size() ? kept_[aim_] : kept_.back();
    return score;
}

void HopEnergy::mark_far(const Network& network, std::vector<bool>& far) const {
    std::vector<std::int32_t> distance(network.order());
    std::vector<Router> queue(network.order());
    for (Router source : network.sources()) {
        if (!network.weight(source)) continue;
        std::fill(distance.begin(), distance.end(), -1);
        distance[source] = 0;
        queue[0] = source;
        for (std::size_t head = 0, tail = 1; head < tail; ++head) {
            const Router router = queue[head];
            if (distance[router] == hops_.target()) break;
            for (Router slot = 0; slot < network.degree(router); ++slot) {
                const Router neighbor = network.row(router)[slot];
                if (distance[neighbor] >= 0) continue;
                distance[neighbor] = distance[router] + 1;
                queue[tail++] = neighbor;
            }
        }
        for (std::size_t router = 0; router < network.order(); ++router)
            if (distance[router] < 0 && network.weight(static_cast<Router>(router))) far[router] = true;
    }
}

}  // namespace topoctl::link_annealing
