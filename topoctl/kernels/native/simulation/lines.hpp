// An input virtual channel: the flits that it holds, and what its packet waits for, in one cache line.
#pragma once

#include "memory.hpp"
#include "packets.hpp"
#include "plan.hpp"

namespace topoctl {

enum State : std::uint8_t { kIdle, kRouting, kAsking, kSending };

// Flits are put into a line when they are sent to it, which a credit allows, and are visible when they have arrived.
// The first few stand in the line itself; further ones in a ring elsewhere.
struct alignas(64) Line {
    static constexpr std::size_t kNear = 5;

    Flit near[kNear];
    Choice choice;
    std::uint16_t visible, accept;  // accept: the output line that it prefers
    std::uint16_t far_first, far_count;
    std::uint8_t near_first, near_count, state, channel;

    Flit& front() { return near[near_first]; }

    void push(Flit flit, Flit* ring, std::size_t room) {
        if (far_count == 0 && near_count < kNear) {
            std::size_t end = std::size_t{near_first} + near_count++;
            near[end < kNear ? end : end - kNear] = flit;
            return;
        }
        if (far_count == 0) far_first = 0;  // an empty ring begins anew where its memory is at hand
        std::size_t end = std::size_t{far_first} + far_count++;
        ring[end < room ? end : end - room] = flit;
    }

    Flit pop(const Flit* ring, std::size_t room) {
        const Flit flit = near[near_first];
        if (far_count) {
            near[near_first] = ring[far_first];
            if (++far_first == room) far_first = 0;
            --far_count;
        } else {
            --near_count;
        }
        if (++near_first == kNear) near_first = 0;
        --visible;
        return flit;
    }
};
static_assert(sizeof(Line) == 64);

}  // namespace topoctl
