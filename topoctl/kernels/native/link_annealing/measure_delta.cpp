// The distances of a changed network from those before: only what changes is repaired, and logged for undo.
// With hosts, pairs count as often as their routers have hosts, and moved hosts are counted anew first.
#include "widening.hpp"

namespace topoctl::link_annealing {
namespace {

template <class Distance, bool WithHosts>
class Delta final : public Evaluator {
public:
    explicit Delta(const Network& network) : matrix_(network) {}

    void reset(const Network& network, Beyond& beyond) override {
        matrix_.follow(network);
        matrix_.fill();
        pairs_.assign(std::min<std::size_t>(matrix_.order(), DistanceMatrix<Distance>::kFurthest) + 2, 0);
        weights_.assign(WithHosts ? matrix_.order() : 0, 0);
        if constexpr (WithHosts)
            for (std::size_t router = 0; router < matrix_.order(); ++router)
                weights_[matrix_.place_of(static_cast<Router>(router))] = network.weight(static_cast<Router>(router));
        for (std::size_t source = 0; source < matrix_.sources(); ++source)
            for (std::size_t place = 0; place < matrix_.order(); ++place)
                count(matrix_.row(source)[place], weight(source) * weight(place));
        sum_up(beyond);
        kept_ = pairs_;
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        matrix_.follow(network);
        changes_.clear();
        ends_.clear();
        if constexpr (WithHosts) move_hosts(network);
        const std::vector<Router>& sources = matrix_.affected();
        matrix_.guess();
        for (std::size_t row = 0; row < sources.size(); ++row) {
            if (row + 1 < sources.size()) matrix_.fetch(sources[row + 1]);
            const Router source = sources[row];
            std::size_t change = changes_.size();
            matrix_.repair(source, changes_);
            const Distance* distances = matrix_.row(static_cast<std::size_t>(source));
            for (; change < changes_.size(); ++change) {
                const auto place = static_cast<std::size_t>(changes_[change].place);
                const std::int64_t pairs = weight(static_cast<std::size_t>(source)) * weight(place);
                count(changes_[change].before, -pairs);
                count(distances[place], pairs);
            }
            ends_.push_back(changes_.size());
        }
        sum_up(beyond);
        return !refusal(beyond);
    }

    void accept() override { kept_ = pairs_; }

    void reject(const Network& network) override {
        const auto* change = changes_.data();
        for (std::size_t row = 0; row < ends_.size(); ++row) {
            const auto* end = changes_.data() + ends_[row];
            matrix_.restore(matrix_.last_affected()[row], change, end);
            change = end;
        }
        matrix_.follow(network);
        pairs_ = kept_;
        if constexpr (WithHosts)
            for (Router router : moved_) weights_[matrix_.place_of(router)] = network.weight(router);
    }

private:
    // What a router counts. Sources have the first places.
    std::int64_t weight(std::size_t place) const { return WithHosts ? weights_[place] : 1; }

    // Counts the hosts that a move brought or took, at the distances before it.
    void move_hosts(const Network& network) {
        moved_.clear();
        for (Router router : network.touched()) {
            const std::int64_t change = network.weight(router) - weight(matrix_.place_of(router));
            if (!change || network.source_of(router) < 0) continue;
            const Distance* distances = matrix_.row(static_cast<std::size_t>(network.source_of(router)));
            for (std::size_t place = 0; place < matrix_.order(); ++place)
                if (weight(place)) count(distances[place], 2 * change * weight(place));
            network.each_image(router, [&](Router image) {
                count(distances[matrix_.place_of(image)], change * change);
                weights_[matrix_.place_of(image)] += change;
                moved_.push_back(image);
            });
        }
    }

    // Column 0 is for pairs without a path, column d + 1 for those at distance d.
    void count(Distance distance, std::int64_t pairs) { pairs_[static_cast<Distance>(distance + 1)] += pairs; }

    void sum_up(Beyond& beyond) const {
        std::size_t diameter = pairs_.size() - 2;
        while (!pairs_[diameter + 1]) --diameter;
        beyond.resize(diameter + 1);
        std::int64_t further = pairs_[0];
        for (std::size_t distance = diameter + 1; distance-- > 0; further += pairs_[distance + 1])
            beyond[distance] = further;
    }

    DistanceMatrix<Distance> matrix_;
    std::vector<std::int64_t> pairs_, kept_, weights_;  // weights of places, with hosts
    std::vector<Router> moved_;                          // routers whose hosts a move changed
    std::vector<typename DistanceMatrix<Distance>::Change> changes_;
    std::vector<std::size_t> ends_;                 // of the changes of each affected source
};

}  // namespace

template <class Distance>
using LinkDelta = Delta<Distance, false>;
template <class Distance>
using HostDelta = Delta<Distance, true>;

std::unique_ptr<Evaluator> delta_evaluator() { return std::make_unique<Widening<LinkDelta>>(); }
std::unique_ptr<Evaluator> host_delta_evaluator() { return std::make_unique<Widening<HostDelta>>(); }

}  // namespace topoctl::link_annealing
