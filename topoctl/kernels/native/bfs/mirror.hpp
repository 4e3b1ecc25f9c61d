// The second level of a search from all routers, half of it mirrored: a router is within two hops of another where the
// other is of it. A block of sources pulls the rows of its own and of later routers, and hands these, transposed, to
// the blocks of their routers. Where routers have many links this takes less than to pull the other half.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "level.hpp"

namespace topoctl {

// next[v] = current[v] and all that the neighbours of v have, for routers from `first` to `end`; kept too, if anywhere.
void unite_rows(const Links& links, const Word* current, Word* next, std::size_t first, std::size_t end, Word* kept);

// Counts the bits of rows, word by word.
void count_rows(const Word* rows, std::size_t count, Word* counts);

// Makes rows of columns: bit i of row j becomes bit j of row i. The rows are kWide words long, and at most as many as
// have bits; those beyond `count` are empty.
void transpose_rows(const Word* rows, std::size_t count, Word* transposed);

class Mirror {
public:
    static constexpr std::size_t kWidth = kWide * kWordBits;

    Mirror(std::size_t order, std::size_t blocks)
        : order_(order), kept_(blocks), states_(new std::atomic<State>[blocks]) {
        for (std::size_t block = 0; block < blocks; ++block) states_[block] = kWaiting;
    }

    // Whether half of the bits are few enough to be kept, and take longer to pull than to mirror.
    static bool pays(std::size_t order, double mean_degree) {
        return order > kWidth && order * order / 16 <= kMostBytes && mean_degree >= kLeastDegree &&
               mean_degree * mean_degree * double(kWidth) >= double(order);
    }

    // Pulls the level of a block.
    template <class Stop>
    void pull(const Links& links, const Word* current, Word* next, std::size_t block, Stop& stop) {
        const std::size_t first = block * kWidth, end = std::min(order_, first + kWidth);
        unite_rows(links, current, next, first, end, nullptr);
        if (end < order_) {
            kept_[block] = std::make_unique<LineWords>((order_ - end) * kWide);
            unite_rows(links, current, next, end, order_, kept_[block]->get());
        }
        states_[block].store(kKept, std::memory_order_release);
        for (std::size_t earlier = 0; earlier < block; ++earlier)
            if (is_kept(earlier, stop))
                transpose_rows(kept_[earlier]->get() + (first - (earlier + 1) * kWidth) * kWide, end - first,
                               next + earlier * kWidth * kWide);
            else
                unite_rows(links, current, next, earlier * kWidth, (earlier + 1) * kWidth, nullptr);
    }

    // A block that ended before hands nothing on.
    void leave(std::size_t block) {
        State before = kWaiting;
        states_[block].compare_exchange_strong(before, kLeft);
    }

private:
    enum State : char { kWaiting, kKept, kLeft };
    static constexpr std::size_t kMostBytes = std::size_t{1} << 25;
    static constexpr double kLeastDegree = 20;

    // Waits for a block, which has begun before those after it.
    template <class Stop>
    bool is_kept(std::size_t block, Stop& stop) {
        State state;
        while ((state = states_[block].load(std::memory_order_acquire)) == kWaiting && !stop) std::this_thread::yield();
        return state == kKept;
    }

    const std::size_t order_;
    std::vector<std::unique_ptr<LineWords>> kept_;  // by block: the rows of later blocks' routers
    std::unique_ptr<std::atomic<State>[]> states_;
};

}  // namespace topoctl
