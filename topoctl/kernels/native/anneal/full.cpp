#include "full.hpp"

#include <cstdint>
#include <memory>

#include "pull.hpp"

namespace topoctl::anneal {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t cache_line_words = 8;
// Rows of 16 words pay off while two buffers of them stay in the second-level cache.
constexpr std::size_t wide_order = 4096;

TOPOCTL_VERSIONS(std::int64_t, pull_level, pull_rows_of_any, (Pull & pull), (pull))

std::size_t words_of(std::size_t sources, std::size_t order) {
    const std::size_t widest = order < wide_order ? 16 : 8;
    std::size_t words = 1;
    while (words < widest && words * word_bits < sources) words *= 2;
    return words;
}

// Memory for words that starts on a cache line.
class Words {
public:
    explicit Words(std::size_t count) : storage_(new Word[count + cache_line_words]()) {
        const auto address = reinterpret_cast<std::uintptr_t>(storage_.get()) / sizeof(Word);
        first_ = storage_.get() + (cache_line_words - address % cache_line_words) % cache_line_words;
    }
    Word* get() { return first_; }

private:
    std::unique_ptr<Word[]> storage_;
    Word* first_;
};

// Level 1 is kept as rows and follows every change of a link; the levels from 2 on are computed anew.
class Full final : public Evaluator {
public:
    explicit Full(const Network& network)
        : order_(network.order()), words_(words_of(network.sources().size(), order_)), width_(words_ * word_bits),
          blocks_((network.sources().size() + width_ - 1) / width_), first_(blocks_ * order_ * words_),
          even_(order_ * words_), odd_(order_ * words_), full_(blocks_ * words_) {
        unfilled_.reserve(order_);
        filled_.reserve(order_);
    }

    void reset(const Network& network, Beyond& beyond) override {
        std::fill_n(first_.get(), blocks_ * order_ * words_, Word{0});
        for (std::size_t source = 0; source < network.sources().size(); ++source) {
            const Router router = network.sources()[source];
            full_.get()[source / word_bits] |= Word{1} << source % word_bits;
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
        first(source / width_)[std::size_t(router) * words_ + source % width_ / word_bits] ^=
            Word{1} << source % word_bits;
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
        const auto pairs = static_cast<std::int64_t>(order_ * count);
        Refusal::Watch watch(refusal ? *refusal : none_);
        std::size_t level = 0;
        std::int64_t before = 0;
        const std::int64_t tail = beyond.empty() ? 0 : beyond.back();
        auto record = [&](std::int64_t left) {
            if (level == beyond.size()) beyond.push_back(tail);
            beyond[level++] += left;
            before = left;
            return !refusal || !watch.refuses(left);
        };
        std::int64_t reached = static_cast<std::int64_t>(count);
        if (!record(pairs - reached)) return false;
        for (std::size_t source = block * width_; source < block * width_ + count; ++source)
            reached += network.degree(network.sources()[source]);
        if (before && reached > static_cast<std::int64_t>(count) && !record(pairs - reached)) return false;
        unfilled_.resize(order_);
        for (std::size_t router = 0; router < order_; ++router) unfilled_[router] = static_cast<Router>(router);
        filled_.clear();
        Pull pull{words_, network.radix(), network.slots().data(), first(block), nullptr,
                  full_.get() + block * words_, &unfilled_, &filled_, false};
        while (before) {
            pull.next = level % 2 ? odd_.get() : even_.get();
            pull.may_fill = before < pairs / 2;
            const std::int64_t bits = pull_level(pull);
            const std::size_t full = order_ - unfilled_.size() - (pull.may_fill ? filled_.size() : 0);
            const std::int64_t left = pairs - bits - static_cast<std::int64_t>(full * count);
            if (left == before) break;
            if (!record(left)) return false;
            pull.current = pull.next;
        }
        for (; level < beyond.size(); ++level) beyond[level] += before;
        return true;
    }

    std::size_t order_, words_, width_, blocks_;
    Words first_, even_, odd_, full_;
    std::vector<Router> unfilled_, filled_;
    const Cost no_cost_{0, 1, 0};
    const Beyond nothing_{};
    const Refusal none_{no_cost_, nothing_, 0, 0, false};
};

}  // namespace

std::unique_ptr<Evaluator> full_evaluator(const Network& network) { return std::make_unique<Full>(network); }

}  // namespace topoctl::anneal
