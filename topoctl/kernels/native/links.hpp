// The links of a network, and how searches along them are shared out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topoctl {

// Arcs, visited by all searches together, that are worth another thread: calling one takes a few microseconds.
constexpr std::size_t kArcsPerThread = 1 << 13;
// Routers between two looks at whether to stop.
constexpr std::size_t kSlice = 4096;

struct Links {
    const std::int32_t* offsets;
    const std::int32_t* neighbors;
    std::size_t order;

    std::size_t degree(std::int32_t router) const {
        return static_cast<std::size_t>(offsets[router + 1] - offsets[router]);
    }
    std::size_t arcs() const { return static_cast<std::size_t>(offsets[order]); }
};

}  // namespace topoctl
