// The distances of a changed network: bit-parallel levels over the sources that the change affects.
#include "block_search.hpp"
#include "widening.hpp"

namespace topoctl::link_annealing {
namespace {

template <class Distance>
class Affected final : public Evaluator {
public:
    explicit Affected(const Network& network)
        : matrix_(network), first_(matrix_.order() * words()), full_(words()),
          search_(matrix_.order(), matrix_.radix(), words()) {}

    void reset(const Network& network, Beyond& beyond) override {
        matrix_.follow(network);
        matrix_.fill();
        levels_ = 1;
        rows_.assign(matrix_.sources(), 0);
        for (std::size_t source = 0; source < matrix_.sources(); ++source) recount(source);
        sums_.assign(levels_, 0);
        for (std::size_t source = 0; source < matrix_.sources(); ++source) add(source);
        beyond.assign(sums_.begin(), sums_.end());
        trim(beyond);
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        matrix_.follow(network);
        const std::vector<Router>& sources = matrix_.affected();
        sums_.assign(levels_, 0);
        for (Router source : sources) add(static_cast<std::size_t>(source));
        beyond = refusal.current;
        beyond.resize(levels_, beyond.back());
        for (std::size_t level = 0; level < levels_; ++level) beyond[level] -= sums_[level];
        const std::size_t words = words_of(sources.size(), matrix_.order()), width = words * kWordBits;
        Refusal::Watch watch(refusal);
        for (std::size_t block = 0; block < sources.size(); block += width) {
            const std::size_t count = std::min(width, sources.size() - block);
            std::size_t level = 0;
            const std::int64_t reached = start(sources.data() + block, count, words);
            const std::int64_t tail = beyond.back();
            const std::optional<std::int64_t> left = search_.run(
                matrix_.slots().data(), first_.get(), full_.get(), words, count, reached, [&](std::int64_t pairs) {
                    if (level == beyond.size()) beyond.push_back(tail);
                    beyond[level] += pairs;
                    const std::int64_t all = beyond[level++];
                    return sources.size() > width || !watch.refuses(all);
                });
            if (!left) return false;
            for (; level < beyond.size(); ++level) beyond[level] += *left;
        }
        trim(beyond);
        if (beyond.size() - 1 > DistanceMatrix<Distance>::kFurthest) throw TooFar{};
        return !refusal(beyond);
    }

    void accept() override {
        for (Router source : matrix_.last_affected()) {
            changes_.clear();
            matrix_.repair(source, changes_);
            recount(static_cast<std::size_t>(source));
        }
    }

    void reject(const Network& network) override { matrix_.follow(network); }

private:
    std::size_t words() const { return words_of(matrix_.sources(), matrix_.order()); }

    // Counts the routers that a source has beyond each distance.
    void recount(std::size_t source) {
        counts_.assign(std::min<std::size_t>(matrix_.order(), DistanceMatrix<Distance>::kFurthest) + 2, 0);
        const Distance* distances = matrix_.row(source);
        for (std::size_t place = 0; place < matrix_.order(); ++place)
            ++counts_[static_cast<Distance>(distances[place] + 1)];  // those without a path first
        std::size_t levels = counts_.size() - 1;
        while (!counts_[levels]) --levels;
        if (levels > levels_) widen(levels);
        auto beyond = static_cast<std::int32_t>(matrix_.order());
        for (std::size_t level = 0; level < levels_; ++level) {
            if (level < levels) beyond -= counts_[level + 1];
            rows_[source * levels_ + level] = beyond;
        }
    }

    // Makes room for more levels; nothing changes beyond the last one.
    void widen(std::size_t levels) {
        std::vector<std::int32_t> wider(matrix_.sources() * levels);
        for (std::size_t source = 0; source < matrix_.sources(); ++source)
            for (std::size_t level = 0; level < levels; ++level)
                wider[source * levels + level] = rows_[source * levels_ + std::min(level, levels_ - 1)];
        rows_.swap(wider);
        levels_ = levels;
    }

    void add(std::size_t source) {
        const std::int32_t* row = rows_.data() + source * levels_;
        for (std::size_t level = 0; level < levels_; ++level) sums_[level] += row[level];
    }

    // Ends with the largest distance.
    static void trim(Beyond& beyond) {
        while (beyond.size() > 1 && beyond[beyond.size() - 2] == beyond.back()) beyond.pop_back();
    }

    // Sets up the rows of the routers within distance 1 of some sources; returns how many pairs these are.
    std::int64_t start(const Router* sources, std::size_t count, std::size_t words) {
        std::fill_n(first_.get(), matrix_.order() * words, Word{0});
        std::fill_n(full_.get(), words, Word{0});
        std::int64_t reached = 0;
        for (std::size_t number = 0; number < count; ++number) {
            const std::size_t word = number / kWordBits;
            const Word bit = bit_of(number);
            auto set = [&](Router place) {
                Word& row = first_.get()[std::size_t(place) * words + word];
                reached += !(row & bit);
                row |= bit;
            };
            full_.get()[word] |= bit;
            set(sources[number]);
            const Router* neighbors = matrix_.slots().data() + std::size_t(sources[number]) * matrix_.radix();
            for (std::size_t slot = 0; slot < matrix_.radix(); ++slot) set(neighbors[slot]);
        }
        return reached;
    }

    DistanceMatrix<Distance> matrix_;
    LineWords first_, full_;
    BlockSearch search_;
    std::size_t levels_ = 1;
    std::vector<std::int32_t> rows_;  // sources x levels: routers beyond each distance
    std::vector<std::int64_t> sums_;  // of some of these rows
    std::vector<std::int32_t> counts_;
    std::vector<typename DistanceMatrix<Distance>::Change> changes_;
};

}  // namespace

std::unique_ptr<Evaluator> affected_evaluator() { return std::make_unique<Widening<Affected>>(); }

}  // namespace topoctl::link_annealing
