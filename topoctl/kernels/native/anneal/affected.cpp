#include "affected.hpp"

#include "sweep.hpp"
#include "widening.hpp"

namespace topoctl::anneal {
namespace {

template <class Distance>
class Affected final : public Evaluator {
public:
    explicit Affected(const Network& network)
        : matrix_(network), first_(matrix_.order() * words()), full_(words()),
          sweep_(matrix_.order(), matrix_.radix(), words()), pairs_(matrix_.sources()) {}

    void reset(const Network& network, Beyond& beyond) override {
        matrix_.follow(network);
        matrix_.fill();
        beyond.assign(1, 0);
        for (std::size_t source = 0; source < matrix_.sources(); ++source) {
            pairs_[source].assign(1, 0);
            for (std::size_t place = 0; place < matrix_.order(); ++place)
                count(source, matrix_.row(source)[place], 1);
            add(pairs_[source], 1, beyond);
        }
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        matrix_.follow(network);
        const std::vector<Router>& sources = matrix_.affected();
        beyond = refusal.current;
        for (Router source : sources) add(pairs_[static_cast<std::size_t>(source)], -1, beyond);
        const std::size_t words = words_of(sources.size(), matrix_.order()), width = words * word_bits;
        Refusal::Watch watch(refusal);
        for (std::size_t block = 0; block < sources.size(); block += width) {
            const std::size_t count = std::min(width, sources.size() - block);
            std::size_t level = 0;
            const std::int64_t reached = start(sources.data() + block, count, words);
            const std::int64_t tail = beyond.back();
            const std::optional<std::int64_t> left =
                sweep_.run(matrix_.slots().data(), first_.get(), full_.get(), words, count, reached,
                           [&](std::int64_t pairs) {
                               if (level == beyond.size()) beyond.push_back(tail);
                               beyond[level] += pairs;
                               const std::int64_t all = beyond[level++];
                               return sources.size() > width || !watch.refuses(all);
                           });
            if (!left) return false;
            for (; level < beyond.size(); ++level) beyond[level] += *left;
        }
        while (beyond.size() > 1 && beyond[beyond.size() - 2] == beyond.back()) beyond.pop_back();
        if (beyond.size() - 1 > Matrix<Distance>::furthest) throw TooFar{};
        return !refusal(beyond);
    }

    void accept() override {
        for (Router source : matrix_.last_affected()) {
            changes_.clear();
            matrix_.repair(source, changes_);
            const auto row = static_cast<std::size_t>(source);
            for (const auto& change : changes_) {
                count(row, change.before, -1);
                count(row, matrix_.row(row)[change.place], 1);
            }
        }
    }

    void reject(const Network& network) override { matrix_.follow(network); }

private:
    std::size_t words() const { return words_of(matrix_.sources(), matrix_.order()); }

    void count(std::size_t source, Distance distance, std::int32_t pairs) {
        std::vector<std::int32_t>& row = pairs_[source];
        const std::size_t column = distance == Matrix<Distance>::unreachable ? 0 : std::size_t(distance) + 1;
        if (column >= row.size()) row.resize(column + 1);
        row[column] += pairs;
    }

    // Adds, times the sign, the pairs of one source to what is beyond each distance.
    static void add(const std::vector<std::int32_t>& row, std::int64_t sign, Beyond& beyond) {
        if (row.size() > beyond.size() + 1) beyond.resize(row.size() - 1, beyond.back());
        std::int64_t further = sign * row[0];
        for (std::size_t distance = beyond.size(); distance-- > 0;) {
            beyond[distance] += further;
            if (distance + 1 < row.size()) further += sign * row[distance + 1];
        }
    }

    // Sets up the rows of the routers within distance 1 of some sources; returns how many pairs these are.
    std::int64_t start(const Router* sources, std::size_t count, std::size_t words) {
        std::fill_n(first_.get(), matrix_.order() * words, Word{0});
        std::fill_n(full_.get(), words, Word{0});
        std::int64_t reached = 0;
        for (std::size_t number = 0; number < count; ++number) {
            const std::size_t word = number / word_bits;
            const Word bit = Word{1} << number % word_bits;
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

    Matrix<Distance> matrix_;
    Words first_, full_;
    Sweep sweep_;
    std::vector<std::vector<std::int32_t>> pairs_;  // per source: without a path, then at distance 0, 1, ...
    std::vector<typename Matrix<Distance>::Change> changes_;
};

}  // namespace

std::unique_ptr<Evaluator> affected_evaluator() { return std::make_unique<Widening<Affected>>(); }

}  // namespace topoctl::anneal
