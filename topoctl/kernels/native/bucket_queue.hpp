// Least latencies from one source with a queue of buckets (Dial, "Algorithm 360", CACM 12(11), 1969).
#pragma once

#include <algorithm>
#include <vector>

#include "bits.hpp"

namespace topoctl {

// Routers by latency, the least first. All that are in the queue are within `span` of the one taken out last, so
// that a ring of as many buckets holds them; a bit for each bucket says whether it is empty.
class BucketQueue {
public:
    explicit BucketQueue(std::size_t span) {
        std::size_t buckets = kWordBits;
        while (buckets <= span) buckets *= 2;
        mask_ = buckets - 1;
        heads_.assign(buckets, kNone);
        filled_.assign(buckets / kWordBits, 0);
    }

    bool empty() const { return size_ == 0; }

    void push(std::uint64_t latency, std::int32_t router) {
        const std::size_t bucket = latency & mask_;
        entries_.push_back({router, heads_[bucket]});
        heads_[bucket] = static_cast<std::int32_t>(entries_.size() - 1);
        filled_[bucket / kWordBits] |= bit_of(bucket);
        ++size_;
    }

    // The router of least latency; the queue must not be empty. `latency` is that of the one before, or 0.
    std::int32_t pop(std::uint64_t& latency) {
        latency += distance_to_filled(latency & mask_);
        const std::size_t bucket = latency & mask_;
        const Entry entry = entries_[static_cast<std::size_t>(heads_[bucket])];
        heads_[bucket] = entry.next;
        if (entry.next == kNone) filled_[bucket / kWordBits] &= ~bit_of(bucket);
        if (--size_ == 0) entries_.clear();
        return entry.router;
    }

private:
    static constexpr std::int32_t kNone = -1;

    struct Entry {
        std::int32_t router, next;
    };

    // How many buckets after `first`, round the ring, the next one is that is not empty.
    std::size_t distance_to_filled(std::size_t first) const {
        std::size_t word = first / kWordBits;
        Word bits = filled_[word] & ~Word{0} << first % kWordBits;
        while (!bits) {
            word = (word + 1) & (filled_.size() - 1);
            bits = filled_[word];
        }
        return (word * kWordBits + bit_number(bits) - first) & mask_;
    }

    std::size_t mask_;
    std::size_t size_ = 0;
    std::vector<std::int32_t> heads_;
    std::vector<Word> filled_;
    std::vector<Entry> entries_;
};

// Fills `row` with the latencies from `source`. arcs(router, visit) calls visit(neighbor, weight) for every arc;
// `unreachable` is more than any latency.
template <class Latency, class Arcs>
void search_by_latency(const Arcs& arcs, std::int32_t source, std::size_t order, Latency unreachable,
                       BucketQueue& queue, Latency* row) {
    std::fill_n(row, order, unreachable);
    row[source] = 0;
    queue.push(0, source);
    for (std::uint64_t latency = 0; !queue.empty();) {
        const std::int32_t router = queue.pop(latency);
        const auto here = static_cast<Latency>(latency);
        if (row[router] != here) continue;  // it was reached sooner after it had been put here
        arcs(router, [&](std::int32_t neighbor, Latency weight) {
            const Latency there = here + weight;
            if (there >= row[neighbor]) return;
            row[neighbor] = there;
            queue.push(there, neighbor);
        });
    }
}

}  // namespace topoctl
