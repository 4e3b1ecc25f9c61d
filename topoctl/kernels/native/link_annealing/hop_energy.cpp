#include "hop_energy.hpp"

namespace topoctl::link_annealing {

Score score_of(const Beyond& beyond, std::int64_t order, std::size_t aim) {
    Score score;
    score.unreached = beyond.back();
    score.distance_sum = Cost{order, 1, order}.energy(beyond);
    score.diameter = static_cast<std::int64_t>(beyond.size()) - 1;
    score.at_diameter = beyond.size() > 1 ? beyond[beyond.size() - 2] - beyond.back() : 0;
    score.beyond = !aim ? score.diameter : aim < beyond.size() ? beyond[aim] : beyond.back();
    return score;
}

void HopEnergy::mark_far(const Network& network, std::vector<bool>& far) const {
    std::vector<std::int32_t> distance(network.order());
    std::vector<Router> queue(network.order());
    for (Router source : network.sources()) {
        std::fill(distance.begin(), distance.end(), -1);
        distance[source] = 0;
        queue[0] = source;
        for (std::size_t head = 0, tail = 1; head < tail; ++head) {
            const Router router = queue[head];
            if (distance[router] == cost_.target) break;
            for (Router slot = 0; slot < network.degree(router); ++slot) {
                const Router neighbor = network.row(router)[slot];
                if (distance[neighbor] >= 0) continue;
                distance[neighbor] = distance[router] + 1;
                queue[tail++] = neighbor;
            }
        }
        for (std::size_t router = 0; router < network.order(); ++router)
            if (distance[router] < 0) far[router] = true;
    }
}

}  // namespace topoctl::link_annealing
