// What a search finds: ordered (source, router) pairs by distance, and sums per word of sources.
#pragma once

#include "level.hpp"

namespace topoctl {

struct Tally {
    std::vector<std::int64_t> histogram;
    std::int64_t* sums;
    std::int64_t* reached;

    // So many more pairs of a word's sources are at a distance.
    void add(std::size_t word, std::int32_t distance, std::int64_t pairs) {
        if (histogram.size() <= std::size_t(distance)) histogram.resize(distance + 1);
        histogram[distance] += pairs;
        sums[word] += pairs * distance;
        reached[word] += pairs;
    }

    // The pair is at a distance, both ways, where all routers are sources in their order.
    void tell(const Pair& pair, std::int32_t distance, std::int64_t times) {
        add(pair.source / kWordBits, distance, times);
        add(pair.router / kWordBits, distance, times);
    }
};

}  // namespace topoctl
