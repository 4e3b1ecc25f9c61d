// The distances from all sources, kept while the network changes.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network.hpp"

namespace topoctl::link_annealing {

// Thrown where a distance does not fit the matrix, which is of no use then.
struct TooFar {};

// A row per source, a column per router. Columns are ordered by the element of the group, then by source: place
// g S + j is the image of source j under element g. D(i, g S + j) is then D(j, h S + i), where h is the inverse
// of g, so that the distances of one router from all sources lie side by side in a row, and no transposed copy
// is needed.
template <class Distance>
class DistanceMatrix {
public:
    static constexpr Distance kUnreachable = std::numeric_limits<Distance>::max();
    // Of a router whose nearer neighbours were all lost, until it is settled anew.
    static constexpr Distance kOrphaned = kUnreachable - 1;
    static constexpr std::size_t kCacheLine = 64;
    static constexpr Distance kFurthest = kUnreachable - 3;  // the largest that fits: one more is still no mark

    // The distance that a place had before.
    struct Change {
        Router place;
        Distance before;
    };

    struct Entry {
        Router place, next;
    };

    explicit DistanceMatrix(const Network& network);

    std::size_t sources() const { return sources_; }
    std::size_t order() const { return order_; }
    std::size_t radix() const { return radix_; }
    const std::vector<Router>& slots() const { return slots_; }
    Distance* row(std::size_t source) { return first_ + source * stride_; }
    Router place_of(Router router) const { return place_of_[router]; }

    // All distances from scratch.
    void fill();
    // Takes over the changed links of the network, not yet their effect on distances.
    void follow(const Network& network);
    // The sources whose rows do not fit the links that follow() took over.
    const std::vector<Router>& affected();
    const std::vector<Router>& last_affected() const { return affected_; }
    // To be called before all of them are repaired: most rows often need no more than new distances of the ends of
    // changed links, and these are found for many sources at once.
    void guess();
    // Makes the row of such a source fit, and appends what changed, every place once.
    void repair(Router source, std::vector<Change>& changes);
    // Asks for a row that is to be repaired soon: rows are far apart in memory, and most of their lines are read.
    void fetch(Router source) {
        if (guessed_ && !wrong_[source]) return;
        const Distance* distances = row(static_cast<std::size_t>(source));
        for (std::size_t place = 0; place < stride_; place += kCacheLine / sizeof(Distance))
            __builtin_prefetch(distances + place, 1);
    }
    // Takes back changes of a row.
    void restore(Router source, const Change* first, const Change* last) {
        Distance* distances = row(static_cast<std::size_t>(source));
        for (; first != last; ++first) distances[first->place] = first->before;
    }

private:
    using Flags = Distance;

    const Router* neighbors(Router place) const { return slots_.data() + std::size_t(place) * radix_; }
    void copy_row(const Network& network, Router router);
    void find_inverses(const Network& network);
    const Distance* column(Router place) const;
    bool take_guess(Router source, std::vector<Change>& changes);
    template <int Radix>
    void repair_row(Router source, std::vector<Change>& changes);

    std::size_t order_, radix_, sources_, stride_;  // rows start on cache lines
    std::vector<Router> place_of_, slots_;
    std::vector<Router> inverse_;                  // of every element
    std::vector<Distance> distances_;
    Distance* first_;
    std::vector<Router> touched_, affected_;       // ends of changed links; sources
    std::vector<Flags> flags_;                     // per source: bit i for touched routers i, i + 8, ...
    std::vector<const Distance*> columns_;
    bool guessed_ = false;
    std::size_t guess_stride_ = 0;
    std::vector<Distance> guesses_;                // of touched routers, from all sources
    std::vector<Flags> wrong_;                     // per source: whether something does not fit the guesses
    std::vector<Router> around_;                   // touched routers and their neighbours
    std::vector<std::pair<Router, std::size_t>> sorted_;  // touched routers, and which ones they are
    std::vector<Entry> pool_;                      // see RowRepair
    std::vector<Router> heads_;
};

extern template class DistanceMatrix<std::uint8_t>;
extern template class DistanceMatrix<std::uint16_t>;

}  // namespace topoctl::link_annealing
