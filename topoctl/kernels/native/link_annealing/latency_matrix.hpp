// The latencies of a network whose links change, for annealing: only what a move can change is computed again.
#pragma once

#include <cstdlib>
#include <functional>
#include <utility>

#include "../bucket_queue.hpp"

namespace topoctl {

using Link = std::pair<std::int32_t, std::int32_t>;

// Sums over (source, router) pairs, every source counted as often as its orbit has routers.
struct LatencyScore {
    std::int64_t sum;          // of the latencies of connected pairs
    std::int64_t maximum;      // of them
    std::int64_t beyond;       // connected pairs above the limit
    std::int64_t above;        // by how much they are, summed
    std::int64_t unconnected;  // pairs
};

// The weight of a link between two places on a floor: so much per step in either direction, so much in any case.
struct FloorWeight {
    const std::int32_t* places;  // (p, q) of every router
    std::uint32_t p_step, q_step, constant;

    std::uint32_t operator()(std::int32_t a, std::int32_t b) const {
        const std::int32_t* from = places + 2 * static_cast<std::size_t>(a);
        const std::int32_t* to = places + 2 * static_cast<std::size_t>(b);
        return static_cast<std::uint32_t>(std::abs(from[0] - to[0])) * p_step +
               static_cast<std::uint32_t>(std::abs(from[1] - to[1])) * q_step + constant;
    }
};

// Latencies from some sources to all routers. The neighbours are rows of `slots` routers, an unused slot holding
// the router itself; Weight gives the weight of a link, 1 .. 2^20, from its two routers, and no path may weigh
// 2^31. Every propose() is answered by accept() or reject(). The sources may be one router of each orbit, with the
// orbits' sizes as counts, where the symmetry keeps the weights: a quarter turn of oblong cabinets does not.
//
// For every source, routers that have lost the last link on a path of their latency are found in the order of
// these latencies, then searched again from the routers around them and from the ends of new links (Ramalingam &
// Reps, J. Algorithms 21(2), 1996, for many links at once). A link is on the paths of a source's tree to few
// routers on average, so this visits a small part of what a search from scratch does.
template <class Weight>
class LatencyMatrix {
public:
    LatencyMatrix(std::size_t order, std::size_t slots, std::vector<std::int32_t> sources,
                  std::vector<std::int64_t> counts, Weight weight, std::int64_t limit)
        : order_(order), slots_(slots), sources_(std::move(sources)), counts_(std::move(counts)), weight_(weight),
          limit_(limit), rows_(sources_.size() * order), maxima_(sources_.size()), lost_(order), changed_(order) {}

    const LatencyScore& score() const { return score_; }

    // Searches from scratch.
    const LatencyScore& reset(const std::int32_t* neighbors) {
        const auto arcs = [&](std::int32_t router, auto visit) { for_arcs(neighbors, router, visit); };
        Latency heaviest = 1;
        for (std::size_t router = 0; router < order_; ++router)
            arcs(static_cast<std::int32_t>(router),
                 [&](std::int32_t, Latency weight) { heaviest = std::max(heaviest, weight); });
        BucketQueue queue(heaviest);
        score_ = {};
        for (std::size_t source = 0; source < sources_.size(); ++source) {
            Latency* row = rows_.data() + source * order_;
            search_by_latency(arcs, sources_[source], order_, kUnreachable, queue, row);
            for (std::size_t router = 0; router < order_; ++router) credit(row[router], counts_[source]);
            maxima_[source] = largest(row);
        }
        score_.maximum = overall_maximum();
        before_.clear();
        maxima_before_.clear();
        return score_;
    }

    // Whether the score stays after a change of links that `neighbors` has already: all that are gone are among
    // `removed`, all that are new among `added`, and all of `added` are there. The score is shown before every
    // source, whose latencies and those after are still the old ones (and the maximum with them), and after the
    // last; where refused(score) holds, that is the end, and the answer false. Only reject() may follow then.
    template <class Refused>
    bool propose(const std::int32_t* neighbors, const std::vector<Link>& removed, const std::vector<Link>& added,
                 Refused refused) {
        score_before_ = score_;
        for (std::size_t source = 0; source < sources_.size(); ++source) {
            if (refused(score_)) return false;
            Latency* row = rows_.data() + source * order_;
            ++stamp_;
            const std::size_t first = before_.size();
            forget(neighbors, removed, row);
            join(added, row);
            if (!queue_.empty()) settle(neighbors, row);
            if (before_.size() > first) account(source, first, row);
        }
        score_.maximum = overall_maximum();
        return !refused(score_);
    }

    void accept() {
        before_.clear();
        maxima_before_.clear();
    }

    void reject() {
        for (const Change& change : before_) rows_[change.place] = change.latency;
        for (const auto& [source, maximum] : maxima_before_) maxima_[source] = maximum;
        score_ = score_before_;
        accept();
    }

    // Marks the routers that some source does not reach within the limit.
    void mark_above(std::vector<bool>& routers) const {
        for (std::size_t place = 0; place < rows_.size(); ++place)
            if (rows_[place] > limit_) routers[place % order_] = true;
    }

private:
    using Latency = std::uint32_t;
    // Any weight can be added to it without overflow.
    static constexpr Latency kUnreachable = Latency{1} << 31;

    struct Change {
        std::size_t place;  // in rows_
        Latency latency;    // before
    };
    using Entry = std::pair<Latency, std::int32_t>;

    template <class Visit>
    void for_arcs(const std::int32_t* neighbors, std::int32_t router, Visit visit) const {
        const std::int32_t* neighbor = neighbors + static_cast<std::size_t>(router) * slots_;
        for (const std::int32_t* end = neighbor + slots_; neighbor < end; ++neighbor)
            if (*neighbor != router) visit(*neighbor, weight_(router, *neighbor));
    }

    void push(Latency latency, std::int32_t router) {
        queue_.push_back({latency, router});
        std::push_heap(queue_.begin(), queue_.end(), std::greater<>{});
    }
    Entry pop() {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>{});
        const Entry entry = queue_.back();
        queue_.pop_back();
        return entry;
    }

    void set(Latency* row, std::int32_t router, Latency latency) {
        if (changed_[router] != stamp_) {
            changed_[router] = stamp_;
            before_.push_back({static_cast<std::size_t>(row + router - rows_.data()), row[router]});
        }
        row[router] = latency;
    }

    // Finds the routers that no remaining path reaches as soon as before, and queues them with the least latency
    // that those around them offer.
    void forget(const std::int32_t* neighbors, const std::vector<Link>& removed, Latency* row) {
        for (const auto& [a, b] : removed) {
            const Latency weight = weight_(a, b);
            if (row[b] == row[a] + weight) push(row[b], b);
            if (row[a] == row[b] + weight) push(row[a], a);
        }
        if (queue_.empty()) return;
        lost_routers_.clear();
        while (!queue_.empty()) {  // by latency: whatever could support a router is decided before it
            const auto [latency, router] = pop();
            if (lost_[router] == stamp_ || is_supported(neighbors, router, row)) continue;
            lost_[router] = stamp_;
            lost_routers_.push_back(router);
            for_arcs(neighbors, router, [&, from = latency](std::int32_t neighbor, Latency weight) {
                if (row[neighbor] == from + weight) push(row[neighbor], neighbor);
            });
        }
        for (std::int32_t router : lost_routers_) set(row, router, kUnreachable);
        for (std::int32_t router : lost_routers_) {
            Latency least = kUnreachable;
            for_arcs(neighbors, router,
                     [&](std::int32_t neighbor, Latency weight) { least = std::min(least, row[neighbor] + weight); });
            if (least == kUnreachable) continue;
            row[router] = least;
            push(least, router);
        }
    }

    bool is_supported(const std::int32_t* neighbors, std::int32_t router, const Latency* row) const {
        bool supported = false;
        for_arcs(neighbors, router, [&](std::int32_t neighbor, Latency weight) {
            supported |= row[neighbor] + weight == row[router] && lost_[neighbor] != stamp_;
        });
        return supported;
    }

    void relax(Latency* row, std::int32_t router, Latency latency) {
        if (latency >= row[router]) return;
        set(row, router, latency);
        push(latency, router);
    }

    void join(const std::vector<Link>& added, Latency* row) {
        for (const auto& [a, b] : added) {
            const Latency weight = weight_(a, b);
            relax(row, b, row[a] + weight);
            relax(row, a, row[b] + weight);
        }
    }

    void settle(const std::int32_t* neighbors, Latency* row) {
        while (!queue_.empty()) {
            const auto [latency, router] = pop();
            if (row[router] != latency) continue;
            for_arcs(neighbors, router, [&, from = latency](std::int32_t neighbor, Latency weight) {
                relax(row, neighbor, from + weight);
            });
        }
    }

    // Brings the score up to date with the changes of a source's row, from the first of them on.
    void account(std::size_t source, std::size_t first, const Latency* row) {
        const Latency maximum = maxima_[source];
        Latency grown = maximum;
        bool shrunk = false;
        for (std::size_t i = first; i < before_.size(); ++i) {
            const Latency before = before_[i].latency, after = rows_[before_[i].place];
            credit(before, -counts_[source]);
            credit(after, counts_[source]);
            shrunk |= before == maximum;
            if (after != kUnreachable) grown = std::max(grown, after);
        }
        const Latency now = grown > maximum || !shrunk ? grown : largest(row);
        if (now == maximum) return;
        maxima_before_.push_back({source, maximum});
        maxima_[source] = now;
    }

    void credit(Latency latency, std::int64_t count) {
        if (latency == kUnreachable) {
            score_.unconnected += count;
        } else {
            score_.sum += count * latency;
            score_.beyond += latency > limit_ ? count : 0;
            score_.above += latency > limit_ ? count * (latency - limit_) : 0;
        }
    }

    Latency largest(const Latency* row) const {
        Latency most = 0;
        for (std::size_t router = 0; router < order_; ++router)
            most = std::max(most, row[router] == kUnreachable ? 0 : row[router]);
        return most;
    }

    std::int64_t overall_maximum() const {
        return maxima_.empty() ? 0 : *std::max_element(maxima_.begin(), maxima_.end());
    }

    std::size_t order_, slots_;
    std::vector<std::int32_t> sources_;
    std::vector<std::int64_t> counts_;
    Weight weight_;
    std::int64_t limit_;
    std::vector<Latency> rows_;    // sources by routers
    std::vector<Latency> maxima_;  // of every source
    LatencyScore score_{}, score_before_{};
    std::vector<Change> before_;  // what reject() restores; every place once
    std::vector<std::pair<std::size_t, Latency>> maxima_before_;
    std::vector<Entry> queue_;  // a heap, the least latency first: it seldom holds more than a few routers
    std::vector<std::int32_t> lost_routers_;
    std::vector<std::uint64_t> lost_, changed_;  // the stamp of the source and move that last marked a router
    std::uint64_t stamp_ = 0;
};

}  // namespace topoctl
