// An input virtual channel: the flits that it holds, and what its packet waits for.
#pragma once

#include "memory.hpp"
#include "packets.hpp"
#include "plan.hpp"

namespace topoctl {

enum State : std::uint8_t { kIdle, kRouting, kAsking, kSending };

// The first flits stand in the line itself; further ones in a ring elsewhere. Half a cache line.
struct Line {
    static constexpr std::size_t kNear = 2;

    Flit near[kNear];
    Choice choice;
    std::uint16_t count, far_first;
    std::uint16_t accept;  // the output line that it prefers
    State state;
    std::uint8_t channel;

    Flit& front() { return near[0]; }

    // `ring()` is where its further flits are.
    template <class Ring>
    void push(Flit flit, std::size_t room, Ring&& ring) {
        if (count < kNear) {
            near[count] = flit;
        } else {
            if (count == kNear) far_first = 0;  // an empty ring begins anew where its memory is at hand
            const std::size_t end = std::size_t{far_first} + count - kNear;
            ring()[end < room ? end : end - room] = flit;
        }
        ++count;
    }

    template <class Ring>
    Flit pop(std::size_t room, Ring&& ring) {
        const Flit flit = near[0];
        near[0] = near[1];
        if (count > kNear) {
            near[1] = ring()[far_first];
            if (++far_first == room) far_first = 0;
        }
        --count;
        return flit;
    }
};
static_assert(sizeof(Line) == 32);

}  // namespace topoctl
