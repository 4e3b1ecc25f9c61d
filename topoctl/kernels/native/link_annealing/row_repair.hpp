// How a row of distances is made to fit the links again after some of them changed.
#pragma once

#include <algorithm>

#include "distance_matrix.hpp"

namespace topoctl::link_annealing {

// Changes one row of distances so that it fits the links. Lists of places by distance are chained in a pool; no
// place is processed twice in a pass, so that each pass adds at most one entry per slot and per seed.
template <class Distance, int Radix>
struct RowRepair {
    using Row = DistanceMatrix<Distance>;
    using Entry = typename Row::Entry;

    Distance* distances;
    const Router* slots;
    std::size_t run_time_radix;
    Entry* pool;
    Router* heads;  // of the list of each distance: -1 where it is empty
    Router used = 0;
    std::size_t lowest = Row::kUnreachable, highest = 0;

    std::size_t radix() const { return Radix ? std::size_t(Radix) : run_time_radix; }
    const Router* neighbors_of(Router place) const { return slots + std::size_t(place) * radix(); }

    std::size_t nearest(Router place) const {
        const Router* neighbors = neighbors_of(place);
        Distance least = Row::kUnreachable;
        for (std::size_t slot = 0; slot < radix(); ++slot) least = std::min(least, distances[neighbors[slot]]);
        return least;
    }

    void push(std::size_t distance, Router place) {
        pool[used] = {place, heads[distance]};
        heads[distance] = used++;
        lowest = std::min(lowest, distance);
        highest = std::max(highest, distance);
    }

    // Calls visit(place, distance), which may push places one further, by ascending distance.
    template <class Visit>
    void drain(Visit visit) {
        for (std::size_t distance = lowest; distance <= highest; ++distance) {
            for (Router entry = heads[distance]; entry >= 0; entry = pool[entry].next)
                visit(pool[entry].place, distance);
            heads[distance] = -1;
        }
        used = 0;
        lowest = Row::kUnreachable;
        highest = 0;
    }

    // An end of a changed link, which may have lost its nearer neighbours.
    void suspect(Router place) {
        if (distances[place] && distances[place] != Row::kUnreachable) push(distances[place], place);
    }

    // Marks the routers that have no way of their old length any more: level by level, those without a nearer
    // neighbour that still has its distance.
    void orphan(std::vector<typename Row::Change>& changes) {
        drain([&](Router place, std::size_t distance) {
            if (distances[place] != distance || nearest(place) < distance) return;
            changes.push_back({place, static_cast<Distance>(distance)});
            distances[place] = Row::kOrphaned;
            const Router* neighbors = neighbors_of(place);
            for (std::size_t slot = 0; slot < radix(); ++slot)
                if (distances[neighbors[slot]] == distance + 1) push(distance + 1, neighbors[slot]);
        });
    }

    // A router that may have a nearer neighbour than its distance says.
    void seed(Router place) {
        const std::size_t least = nearest(place);
        if (least < Row::kOrphaned && least + 1 < distances[place]) push(least + 1, place);
    }

    // Dijkstra's search from the seeds.
    void settle(std::vector<typename Row::Change>& changes) {
        drain([&](Router place, std::size_t distance) {
            if (distances[place] <= distance) return;
            if (distance > Row::kFurthest) throw TooFar{};
            if (distances[place] != Row::kOrphaned) changes.push_back({place, distances[place]});
            distances[place] = static_cast<Distance>(distance);
            const Router* neighbors = neighbors_of(place);
            for (std::size_t slot = 0; slot < radix(); ++slot)
                if (distances[neighbors[slot]] > distance + 1) push(distance + 1, neighbors[slot]);
        });
    }
};

}  // namespace topoctl::link_annealing
