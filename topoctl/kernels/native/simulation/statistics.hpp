// What is counted while a simulation runs: sums of integers, so that no order of adding matters.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "latency_bins.hpp"
#include "packets.hpp"

namespace topoctl {

enum Sum : std::size_t {
    kMade,       // packets that sources took up
    kWanted,     // of them, those that statistics want
    kDelivered,  // of these, those that have arrived
    kLatency,
    kLatencySquares,
    kNetworkLatency,
    kFragmentation,
    kHops,
    kSent,   // flits that entered the network
    kTaken,  // flits that left it
    kFlitLatency,
    kLongest,  // latency
    kSums
};

struct Statistics {
    explicit Statistics(std::size_t endpoints) : sent(endpoints), taken(endpoints), histogram(kLatencyBins) {}

    void clear() {
        sums = {};
        for (auto* counts : {&sent, &taken, &histogram}) counts->assign(counts->size(), 0);
    }

    void deliver(const Packet& packet, std::size_t hops, std::int64_t cycle) {
        const std::int64_t latency = cycle - packet.made;
        ++sums[kDelivered];
        sums[kLatency] += latency;
        sums[kLatencySquares] += latency * latency;
        sums[kNetworkLatency] += cycle - packet.entered;
        sums[kFragmentation] += cycle - packet.arrived - (packet.flits - 1);
        sums[kHops] += static_cast<std::int64_t>(hops);
        if (latency > sums[kLongest]) sums[kLongest] = latency;
        ++histogram[latency_bin(latency)];
    }

    template <class Visit>
    void saved(Visit& visit) {
        visit("sums", sums);
        visit("sent", sent);
        visit("taken", taken);
        visit("histogram", histogram);
        visit.list("log", log);
        visit("live_flits", live_flits);
        visit("live_made", live_made);
        visit("live_wanted", live_wanted);
    }

    std::array<std::int64_t, kSums> sums{};
    std::vector<std::int64_t> sent, taken;  // by endpoint
    std::vector<std::int64_t> histogram;    // packets by bin of latency
    std::vector<std::int64_t> log;          // six numbers for every packet that has arrived
    std::int64_t live_flits = 0, live_made = 0;  // under way, those at their sources too, and the sum of their draws
    std::int64_t live_wanted = 0;  // packets under way that statistics want
};

}  // namespace topoctl
