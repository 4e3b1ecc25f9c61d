// The distances of a changed network from scratch: bit-parallel levels over all sources, block after block.
#include "block_search.hpp"
#include "evaluator.hpp"

namespace topoctl::link_annealing {
namespace {

// Level 1 is kept as rows and follows every change of a link; the levels from 2 on are computed anew.
class Full final : public Evaluator {
public:
    explicit Full(const Network& network)
        : order_(network.order()), words_(words_of(network.sources().size(), order_)), width_(words_ * kWordBits),
          blocks_((network.sources().size() + width_ - 1) / width_), first_(blocks_ * order_ * words_),
          full_(blocks_ * words_), search_(order_, network.radix(), words_) {}

    void reset(const Network& network, Beyond& beyond) override {
        std::fill_n(first_.get(), blocks_ * order_ * words_, Word{0});
        std::fill_n(full_.get(), blocks_ * words_, Word{0});
        for (std::size_t source = 0; source < network.sources().size(); ++source) {
            const Router router = network.sources()[source];
            full_.get()[source / kWordBits] |= bit_of(source);
            flip(router, source);
            for (Router slot = 0; slot < network.degree(router); ++slot) flip(network.row(router)[slot], source);
        }
        evaluate(network, nullptr, beyond);
    }

    bool propose(const Network& network, const Refusal& refusal, Beyond& beyond) override {
        flip_changes(network);
        return evaluate(network, &refusal, beyond);
    }

    void accept() override {}

    void reject(const Network& network) override { flip_changes(network); }

private:
    Word* first(std::size_t block) { return first_.get() + block * order_ * words_; }

    void flip(Router router, std::size_t source) {
        first(source / width_)[std::size_t(router) * words_ + source % width_ / kWordBits] ^= bit_of(source);
    }

    void flip_changes(const Network& network) {
        for (const auto* links : {&network.removed(), &network.added()})
            for (const auto& [a, b] : *links) {
                if (network.source_of(a) >= 0) flip(b, static_cast<std::size_t>(network.source_of(a)));
                if (network.source_of(b) >= 0) flip(a, static_cast<std::size_t>(network.source_of(b)));
            }
    }

    bool evaluate(const Network& network, const Refusal* refusal, Beyond& beyond) {
        beyond.clear();
        for (std::size_t block = 0; block < blocks_; ++block)
            if (!evaluate(network, block, blocks_ == 1 ? refusal : nullptr, beyond)) return false;
        return !refusal || blocks_ == 1 || !(*refusal)(beyond);
    }

    // Adds the pairs of one block of sources; false once `refusal` applies.
    bool evaluate(const Network& network, std::size_t block, const Refusal* refusal, Beyond& beyond) {
        const std::size_t all = network.sources().size(), count = std::min(width_, all - block * width_);
        Refusal::Watch watch(refusal ? *refusal : none_);
        std::size_t level = 0;
        const std::int64_t tail = beyond.empty() ? 0 : beyond.back();
        auto reached = static_cast<std::int64_t>(count);
        for (std::size_t source = block * width_; source < block * width_ + count; ++source)
            reached += network.degree(network.sources()[source]);
        const std::optional<std::int64_t> left =
            search_.run(network.slots().data(), first(block), full_.get() + block * words_, words_, count, reached,
                        [&](std::int64_t pairs) {
                            if (level == beyond.size()) beyond.push_back(tail);
                            beyond[level++] += pairs;
                            return !refusal || !watch.refuses(pairs);
                        });
        if (!left) return false;
        for (; level < beyond.size(); ++level) beyond[level] += *left;
        return true;
    }

    std::size_t order_, words_, width_, blocks_;
    LineWords first_, full_;
    BlockSearch search_;
    const Cost no_cost_{0, 1, 0};
    const Beyond nothing_{};
    const Refusal none_{no_cost_, nothing_, 0, 0, false};
};

}  // namespace

std::unique_ptr<Evaluator> full_evaluator(const Network& network) { return std::make_unique<Full>(network); }

}  // namespace topoctl::link_annealing
