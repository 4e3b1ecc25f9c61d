// Bins of latencies: one for each cycle up to 127, then 64 for every doubling, so that a bin is within 1.6%.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topoctl {

constexpr std::size_t kExactBins = 128, kBinsADoubling = 64, kLatencyBins = kExactBins + 40 * kBinsADoubling;

inline std::size_t latency_bin(std::int64_t latency) {
    if (latency < static_cast<std::int64_t>(kExactBins)) return static_cast<std::size_t>(latency);
    const int doublings = 63 - __builtin_clzll(static_cast<unsigned long long>(latency)) - 7;  // 0 from 128 to 255
    return kExactBins + kBinsADoubling * doublings + (static_cast<std::size_t>(latency) >> (doublings + 1)) -
           kBinsADoubling;
}

}  // namespace topoctl
