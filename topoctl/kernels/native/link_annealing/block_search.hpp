// A breadth-first search from a block of sources, level by level, over rows of bits.
#pragma once

#include <optional>

#include "level.hpp"

namespace topoctl::link_annealing {

// The words of a row: a power of two. Rows of 16 pay off while two buffers of them stay in the second-level cache.
inline std::size_t words_of(std::size_t sources, std::size_t order) {
    const std::size_t widest = order < 4096 ? 16 : 8;
    std::size_t words = 1;
    while (words < widest && words * kWordBits < sources) words *= 2;
    return words;
}

class BlockSearch {
public:
    // For rows of up to `words` words.
    BlockSearch(std::size_t order, std::size_t radix, std::size_t words)
        : order_(order), radix_(radix), even_(order * words), odd_(order * words) {
        visits_.unfilled.reserve(order);
        visits_.filled.reserve(order);
    }

    // slots: order x radix. first: rows of `words` words, the pairs (source, router) within distance 1, which are
    // `reached`. full: a row with the bits of all `count` sources. record(pairs) is told the pairs further than
    // 0, 1, 2, ... apart, as long as a level brings any nearer, and returns whether to go on. degrees: of every
    // router, or null.
    // Returns the pairs without a path; nothing where record said no.
    template <class Record>
    std::optional<std::int64_t> run(const Router* slots, const Word* first, const Word* full, std::size_t words,
                                    std::size_t count, std::int64_t reached, Record record,
                                    const Router* degrees = nullptr) {
        const auto pairs = static_cast<std::int64_t>(order_ * count);
        std::int64_t left = pairs - static_cast<std::int64_t>(count);
        if (!record(left)) return std::nullopt;
        if (reached == static_cast<std::int64_t>(count)) return left;
        left = pairs - reached;
        if (!record(left)) return std::nullopt;
        visits_.restart(order_);
        rows_ = first;
        Level level{words, radix_, slots, degrees, first, even_.get(), full, &visits_, false};
        while (left) {
            level.may_fill = left < pairs / 2;
            const std::int64_t bits = pull_level(level);
            const std::size_t filled = order_ - visits_.unfilled.size();
            const std::int64_t still = pairs - bits - static_cast<std::int64_t>(filled * count);
            if (still == left) break;
            left = still;
            rows_ = level.next;
            if (!record(left)) return std::nullopt;
            level.current = level.next;
            level.next = level.next == even_.get() ? odd_.get() : even_.get();
        }
        return left;
    }

    // For record, from the second level on: the rows of that level, and the routers whose rows may not be full.
    const Word* rows() const { return rows_; }
    const std::vector<Router>& unfilled() const { return visits_.unfilled; }

private:
    std::size_t order_, radix_;
    const Word* rows_ = nullptr;
    LineWords even_, odd_;
    Visits visits_;
};

}  // namespace topoctl::link_annealing
