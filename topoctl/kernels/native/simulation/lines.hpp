// An input virtual channel: the flits that it holds, and what its packet waits for, in one cache line.
#pragma once

#include "memory.hpp"
#include "packets.hpp"
#include "plan.hpp"

namespace topoctl {

enum State : std::uint8_t { kIdle, kRouting, kAsking, kSending };

// The first few flits stand in the line itself; further ones in a ring elsewhere.
struct alignas(64) Line {
    static constexpr std::size_t kNear = 5;

    Flit near[kNear];
    Choice choice;
    std::uint16_t count, near_first, far_first;
    std::uint16_t accept;  // the output line that it prefers
    std::uint8_t state, channel;

    Flit& front() { return near[near_first]; }

    void push(Flit flit, Flit* ring, std::size_t room) {
        if (count < kNear) {
            const std::size_t end = std::size_t{near_first} + count;
            near[end < kNear ? end : end - kNear] = flit;
        } else {
            if (count == kNear) far_first = 0;  // an empty ring begins anew where its memory is at hand
            const std::size_t end = std::size_t{far_first} + count - kNear;
            ring[end < room ? end : end - room] = flit;
        }
        ++count;
    }

    Flit pop(const Flit* ring, std::size_t room) {
        const Flit flit = near[near_first];
        if (count > kNear) {
            near[near_first] = ring[far_first];
            if (++far_first == room) far_first = 0;
        }
        if (++near_first == kNear) near_first = 0;
        --count;
        return flit;
    }
};
static_assert(sizeof(Line) == 64);

}  // namespace topoctl
