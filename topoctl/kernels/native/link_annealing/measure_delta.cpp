// The distances of a changed network from those before: only what changes is repaired, and logged for undo.
#include "widening.hpp"

namespace topoctl::link_annealing {
namespace {

template <class Distance>
class Delta final : public Evaluator {
public:
    explicit Delta(const Network& network) : matrix_(network) {}

    void reset(const Network& network, Beyond& beyond) override {
        matrix_.follow(network);
        matrix_.fill();
        pairs_.assign(std::min<std::size_t>(matrix_.order(), DistanceMatrix<Distance>::kFurthest) + 2, 0);
        for (std::size_t source = 0; source < matrix_.sources(); ++source)
            for (std::size_t place = 0; place < matrix_.order(); ++place) count(matrix_.row(source)[place], 1);
        sum_up(beyond);
        kept_ = pairs_;
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        matrix_.follow(network);
        changes_.clear();
        ends_.clear();
        const std::vector<Router>& sources = matrix_.affected();
        matrix_.guess();
        for (std::size_t row = 0; row < sources.size(); ++row) {
            if (row + 1 < sources.size()) matrix_.fetch(sources[row + 1]);
            const Router source = sources[row];
            std::size_t change = changes_.size();
            matrix_.repair(source, changes_);
            const Distance* distances = matrix_.row(static_cast<std::size_t>(source));
            for (; change < changes_.size(); ++change) {
                count(changes_[change].before, -1);
                count(distances[changes_[change].place], 1);
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
    }

private:
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
    std::vector<std::int64_t> pairs_, kept_;
    std::vector<typename DistanceMatrix<Distance>::Change> changes_;
    std::vector<std::size_t> ends_;                 // of the changes of each affected source
};

}  // namespace

std::unique_ptr<Evaluator> delta_evaluator() { return std::make_unique<Widening<Delta>>(); }

}  // namespace topoctl::link_annealing
