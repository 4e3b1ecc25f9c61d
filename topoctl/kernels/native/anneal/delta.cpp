#include "delta.hpp"

#include "widening.hpp"

namespace topoctl::anneal {
namespace {

template <class Distance>
class Delta final : public Evaluator {
public:
    explicit Delta(const Network& network) : matrix_(network) {}

    void reset(const Network& network, Beyond& beyond) override {
        matrix_.follow(network);
        matrix_.fill();
        pairs_.assign(1, 0);
        unreached_ = 0;
        for (std::size_t source = 0; source < matrix_.sources(); ++source)
            for (std::size_t place = 0; place < matrix_.order(); ++place) count(matrix_.row(source)[place], 1);
        sum_up(beyond);
        keep();
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        matrix_.follow(network);
        changes_.clear();
        ends_.clear();
        for (Router source : matrix_.affected()) {
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

    void accept() override { keep(); }

    void reject(const Network& network) override {
        const auto* change = changes_.data();
        for (std::size_t row = 0; row < ends_.size(); ++row) {
            const auto* end = changes_.data() + ends_[row];
            matrix_.restore(matrix_.last_affected()[row], change, end);
            change = end;
        }
        matrix_.follow(network);
        pairs_ = kept_pairs_;
        unreached_ = kept_unreached_;
    }

private:
    void count(Distance distance, std::int64_t pairs) {
        if (distance == Matrix<Distance>::unreachable) {
            unreached_ += pairs;
            return;
        }
        if (distance >= pairs_.size()) pairs_.resize(std::size_t(distance) + 1);
        pairs_[distance] += pairs;
    }

    void sum_up(Beyond& beyond) {
        while (!pairs_.back()) pairs_.pop_back();
        beyond.resize(pairs_.size());
        std::int64_t further = unreached_;
        for (std::size_t distance = pairs_.size(); distance-- > 0; further += pairs_[distance])
            beyond[distance] = further;
    }

    void keep() {
        kept_pairs_ = pairs_;
        kept_unreached_ = unreached_;
    }

    Matrix<Distance> matrix_;
    std::vector<std::int64_t> pairs_, kept_pairs_;  // by distance
    std::int64_t unreached_ = 0, kept_unreached_ = 0;
    std::vector<typename Matrix<Distance>::Change> changes_;
    std::vector<std::size_t> ends_;                 // of the changes of each affected source
};

}  // namespace

std::unique_ptr<Evaluator> delta_evaluator() { return std::make_unique<Widening<Delta>>(); }

}  // namespace topoctl::anneal
