// The distances of the hosts of a changed network from scratch: bit-parallel levels over the routers that have some.
#include <numeric>
#include <utility>

#include "block_search.hpp"
#include "evaluator.hpp"
#include "host_count.hpp"

namespace topoctl::link_annealing {
namespace {

// Positions for routers that have no hosts yet.
constexpr std::size_t kSpare = 64;
// Positions are dealt out anew where bits that do not count as most of their word make so many more groups than words.
constexpr std::size_t kMostOdd = 12;

// A source with hosts has a position in the rows of bits, which it keeps without hosts until positions are dealt out
// anew. Level 1 is kept as rows and follows every change; the levels from 2 on are computed anew.
class HostFull final : public Evaluator {
public:
    explicit HostFull(const Network& network)
        : order_(network.order()), group_(order_ / network.sources().size()), all_routers_(order_) {
        std::iota(all_routers_.begin(), all_routers_.end(), 0);
    }

    void reset(const Network& network, Beyond& beyond) override {
        weights_ = network.hosts();
        hosts_ = squares_ = adjacent_ = 0;
        for (std::size_t router = 0; router < order_; ++router) {
            const std::int64_t weight = weights_[router];
            hosts_ += weight;
            squares_ += weight * weight;
            adjacent_ += weight * around(network, static_cast<Router>(router));
        }
        lay_out(network);
        evaluate(network, nullptr, beyond);
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        kept_squares_ = squares_;
        kept_adjacent_ = adjacent_;
        flip_changes(network);
        follow(network);
        dealt_ = std::exchange(is_crowded_, false);
        for (std::size_t number = 0; number < moved_.size() && !dealt_; ++number)
            dealt_ = !weigh(network, moved_[number]);
        if (dealt_)
            lay_out(network);
        else
            refresh();
        return evaluate(network, &refusal, beyond);
    }

    void accept() override { is_crowded_ = count_.odd_words() > count_.words() + kMostOdd; }

    void reject(const Network& network) override {
        squares_ = kept_squares_;
        adjacent_ = kept_adjacent_;
        for (Router router : network.touched()) weights_[router] = network.hosts()[router];
        if (dealt_) {
            lay_out(network);
        } else {
            flip_changes(network);
            for (Router router : moved_) weigh(network, router);
            for (std::size_t source : enlisted_) {
                flip_source(network, source);
                position_of_[source] = kNone;
                --positions_;
            }
            enlisted_.clear();
            refresh();
        }
    }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    Word* first(std::size_t block) { return first_->get() + block * order_ * words_; }

    std::int64_t around(const Network& network, Router router) const {
        std::int64_t sum = 0;
        for (Router slot = 0; slot < network.degree(router); ++slot) sum += weights_[network.row(router)[slot]];
        return sum;
    }

    // Deals out positions by the number of hosts, so that the words of most rows count alike.
    void lay_out(const Network& network) {
        const std::size_t sources = network.sources().size();
        std::vector<std::size_t> with_hosts;
        for (std::size_t source = 0; source < sources; ++source)
            if (weights_[network.sources()[source]]) with_hosts.push_back(source);
        std::stable_sort(with_hosts.begin(), with_hosts.end(), [&](std::size_t a, std::size_t b) {
            return weights_[network.sources()[a]] < weights_[network.sources()[b]];
        });
        // Rather deal out positions often than search from one block of them more.
        const std::size_t block = words_of(sources, order_) * kWordBits;
        const std::size_t blocks = (with_hosts.size() + block - 1) / block;
        const std::size_t spacious = (with_hosts.size() + kSpare) / kWordBits * kWordBits + kWordBits;
        const std::size_t capacity = std::min({sources, spacious, blocks * block});
        const std::size_t words = words_of(capacity, order_);
        if (!search_ || words != words_ || capacity > capacity_) {
            words_ = words;
            width_ = words * kWordBits;
            blocks_ = (capacity + width_ - 1) / width_;
            first_ = std::make_unique<LineWords>(blocks_ * order_ * words_);
            full_ = std::make_unique<LineWords>(blocks_ * words_);
            search_ = std::make_unique<BlockSearch>(order_, network.radix(), words_);
        }
        capacity_ = capacity;
        std::fill_n(first_->get(), blocks_ * order_ * words_, Word{0});
        std::fill_n(full_->get(), blocks_ * words_, Word{0});
        position_of_.assign(sources, kNone);
        source_at_.assign(capacity_, 0);
        count_.restart(blocks_ * words_);
        positions_ = 0;
        enlisted_.clear();
        dirty_.clear();
        for (std::size_t source : with_hosts) weigh(network, network.sources()[source]);
        enlisted_.clear();
        refresh();
    }

    void enlist(const Network& network, std::size_t source) {
        source_at_[positions_] = source;
        position_of_[source] = positions_++;
        enlisted_.push_back(source);
        flip_source(network, source);
    }

    // The bits of a source within distance 1.
    void flip_source(const Network& network, std::size_t source) {
        const Router router = network.sources()[source];
        full_->get()[position_of_[source] / kWordBits] ^= bit_of(position_of_[source]);
        flip(router, source);
        for (Router slot = 0; slot < network.degree(router); ++slot) flip(network.row(router)[slot], source);
    }

    void flip(Router router, std::size_t source) {
        const std::size_t position = position_of_[source];
        first(position / width_)[std::size_t(router) * words_ + position % width_ / kWordBits] ^= bit_of(position);
    }

    void flip_changes(const Network& network) {
        const auto flip_of = [&](Router end, Router other) {
            const Router source = network.source_of(end);
            if (source >= 0 && position_of_[source] != kNone) flip(other, static_cast<std::size_t>(source));
        };
        for (const auto* links : {&network.removed(), &network.added()})
            for (const auto& [a, b] : *links) {
                flip_of(a, b);
                flip_of(b, a);
            }
    }

    // Takes over links and hosts that a move changed in what is summed over pairs of neighbours.
    void follow(const Network& network) {
        for (const auto& [a, b] : network.removed()) adjacent_ -= 2 * std::int64_t{weights_[a]} * weights_[b];
        for (const auto& [a, b] : network.added()) adjacent_ += 2 * std::int64_t{weights_[a]} * weights_[b];
        moved_.clear();
        enlisted_.clear();
        for (Router router : network.touched()) {
            const std::int64_t before = weights_[router], after = network.hosts()[router];
            if (before == after) continue;
            adjacent_ += 2 * (after - before) * around(network, router);
            squares_ += after * after - before * before;
            weights_[router] = static_cast<Router>(after);
            if (network.source_of(router) >= 0) moved_.push_back(router);
        }
    }

    // Takes over the hosts of a router; false where it needs a position and none is left.
    bool weigh(const Network& network, Router router) {
        const auto source = static_cast<std::size_t>(network.source_of(router));
        if (position_of_[source] == kNone) {
            if (!weights_[router]) return true;
            if (positions_ == capacity_) return false;
            enlist(network, source);
        }
        count_.weigh(position_of_[source], weights_[router]);
        dirty_.push_back(position_of_[source] / kWordBits);
        return true;
    }

    void refresh() {
        if (dirty_.empty()) return;
        std::sort(dirty_.begin(), dirty_.end());
        dirty_.erase(std::unique(dirty_.begin(), dirty_.end()), dirty_.end());
        for (std::size_t word : dirty_) count_.refresh(word, full_->get()[word]);
        dirty_.clear();
        count_.gather();
    }

    // False once `refusal` applies.
    bool evaluate(const Network& network, const Refusal* refusal, Beyond& beyond) {
        const auto group = static_cast<std::int64_t>(group_);
        const std::int64_t apart = (hosts_ * hosts_ - squares_) / group;
        beyond.assign({apart, apart - adjacent_ / group});
        // Distances are told one after the other, but those that no pair has only once one follows that some have.
        Refusal::Watch watch(refusal && blocks_ == 1 ? *refusal : none_);
        std::size_t waiting = 0;
        std::int64_t last = -1;
        const auto refuses = [&](std::int64_t pairs) {
            if (!refusal || blocks_ > 1) return false;
            if (pairs == last) {
                ++waiting;
                return false;
            }
            for (; waiting; --waiting)
                if (watch.refuses(last)) return true;
            last = pairs;
            return watch.refuses(pairs);
        };
        if (refuses(beyond[0]) || refuses(beyond[1])) return false;
        std::int64_t tail = 0;  // of the blocks before
        for (std::size_t block = 0; block < blocks_ && beyond[1]; ++block) {
            own_.clear();
            std::size_t level = 0;
            const auto unreached = search_->run(
                network.slots().data(), first(block), full_->get() + block * words_, words_, positions_in(block),
                reached_in(network, block),
                [&](std::int64_t) {
                    if (++level <= 2) return true;
                    own_.push_back(left(block, search_->rows(), search_->unfilled()));
                    return !refuses(own_.back());
                },
                network.degrees().data());
            if (!unreached) return false;
            std::int64_t end = 0;
            if (*unreached) end = own_.empty() ? left(block, first(block), all_routers_) : own_.back();
            for (std::size_t distance = 2; distance < std::max(beyond.size(), own_.size() + 2); ++distance) {
                if (distance == beyond.size()) beyond.push_back(tail);
                beyond[distance] += distance - 2 < own_.size() ? own_[distance - 2] : end;
            }
            tail += end;
        }
        while (beyond.size() > 1 && beyond[beyond.size() - 2] == beyond.back()) beyond.pop_back();
        return !refusal || blocks_ == 1 || !(*refusal)(beyond);
    }

    std::size_t positions_in(std::size_t block) const {
        return std::min(width_, positions_ - std::min(positions_, block * width_));
    }

    // Pairs of a position of a block and a router within distance 1.
    std::int64_t reached_in(const Network& network, std::size_t block) const {
        std::int64_t reached = 0;
        for (std::size_t position = block * width_; position < block * width_ + positions_in(block); ++position)
            reached += 1 + network.degree(network.sources()[source_at_[position]]);
        return reached;
    }

    std::int64_t left(std::size_t block, const Word* rows, const std::vector<Router>& routers) const {
        return count_.left(block * words_, words_, rows, weights_.data(), routers);
    }

    std::size_t order_, group_;  // routers, and elements of the group
    std::size_t words_ = 0, width_ = 0, blocks_ = 0, capacity_ = 0, positions_ = 0;
    std::unique_ptr<LineWords> first_, full_;
    std::unique_ptr<BlockSearch> search_;
    std::vector<std::size_t> position_of_, source_at_;
    HostCount count_;
    // Hosts of routers as the rows count them; their number, the sums of their squares and over ordered neighbours.
    std::vector<Router> weights_;
    std::int64_t hosts_ = 0, squares_ = 0, adjacent_ = 0, kept_squares_ = 0, kept_adjacent_ = 0;
    std::vector<Router> moved_, all_routers_;  // sources whose hosts a move changed
    std::vector<std::size_t> enlisted_, dirty_;  // sources that a move gave a position; words to look at again
    bool dealt_ = false, is_crowded_ = false;  // positions were dealt out for a proposal; should be for the next
    std::vector<std::int64_t> own_;  // of a block
    const Cost no_cost_{0, 1, 0};
    const Beyond nothing_{};
    const Refusal none_{no_cost_, nothing_, 0, 0, false};
};

}  // namespace

std::unique_ptr<Evaluator> host_full_evaluator(const Network& network) { return std::make_unique<HostFull>(network); }

}  // namespace topoctl::link_annealing
