// The arcs that traffic may take to its destinations, by shares that are given for each of them.
#pragma once

#include "kernels.hpp"

namespace topoctl {

// Elements of the shares that are worth another thread: some tenths of a millisecond; with fewer, threads that share
// the caches take more processor time in all.
constexpr std::size_t kSharesPerThread = 1 << 17;

struct Routes : Links {
    Routes(const Array<std::int32_t>& offsets, const Array<std::int32_t>& neighbors,
           const Table<std::int8_t>& next_phase)
        : Links(links_of(offsets, neighbors)), next_phase(next_phase.data()), phases(next_phase.shape(0)) {}

    const std::int8_t* next_phase;  // of what has taken an arc, by phase and arc
    std::size_t phases;

    // Routers, each in every phase: where traffic can be.
    std::size_t places() const { return phases * order; }
    // Of one destination, by phase and arc.
    std::size_t shares() const { return phases * arcs(); }
};

}  // namespace topoctl
