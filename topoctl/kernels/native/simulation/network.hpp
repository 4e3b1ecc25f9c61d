// The network while it is simulated: what routers hold, what is on its way between them and to endpoints, and where
// it lies.
#pragma once

#include "calendar.hpp"
#include "draws.hpp"
#include "lines.hpp"
#include "memory.hpp"
#include "plan.hpp"

namespace topoctl {

// An output virtual channel: its credits, the input line that holds it, and the one that it prefers next.
struct Held {
    std::uint16_t credits, grant, holder;
};

struct Input {
    std::int32_t credit_left;  // the cycle in which the last credit left
    std::int32_t upstream;     // output port, or -2 - endpoint
    std::uint16_t delay, accept;
    std::uint8_t offset, kind;
};

template <int W>
struct alignas(64) Output {
    Mask<W> asking, ready;  // input lines that want a virtual channel; that could send a flit
    Word free;              // virtual channels that no packet holds
    std::int32_t left;      // the cycle in which the last flit left
    std::int32_t end;
    std::uint32_t used;     // credits
    std::uint32_t carried;  // flits, for statistics
    std::uint16_t delay, grant;
    std::uint8_t kind;

    // Flits that the switch has let pass, and that leave in a cycle or later: one a cycle.
    std::int64_t leave_from(std::int64_t cycle) const { return std::max<std::int64_t>(0, left + 1 - cycle); }
};

// Of an input virtual channel: one more output virtual channel that its packet asks for, at this port or another.
struct Escape {
    std::uint16_t port;
    std::uint8_t channel;
    bool offered;
};

// Of a router: lines to be routed, and output ports that lines ask for or could send to.
template <int W>
struct Work {
    Mask<W> routing, asked, ready;

    bool none() const { return routing.empty() && asked.empty() && ready.empty(); }
};

// Where the parts of a router lie.
template <int W>
struct At {
    std::size_t router;
    Input* inputs;
    Output<W>* outputs;
    Line* lines;
    Held* held;
    Escape* escapes;  // where there are any
    Work<W>& work;
};

// A router and one of its ports, in one number that takes no division to take apart.
constexpr int kPortBits = 12;
inline std::size_t router_of(std::int32_t packed) { return static_cast<std::size_t>(packed) >> kPortBits; }
inline std::size_t port_of(std::int32_t packed) { return packed & ((std::size_t{1} << kPortBits) - 1); }

template <int W>
struct Network {
    explicit Network(std::unique_ptr<Plan> followed)
        : plan(std::move(followed)), draws(*plan), routers(plan->routers), ports(plan->ports),
          endpoints(plan->endpoints), channels(plan->channels), buffer(plan->buffer), shift(shift_of(channels)),
          per_router(ports << shift), credit_delay(plan->credit_delay), inputs(routers * ports),
          outputs(routers * ports), queues(plan->way == kDecidedByAll ? routers * ports : 0), work(routers),
          lines(routers * per_router), held(routers * per_router), escapes(plan->escapes ? routers * per_router : 0),
          rings(routers * per_router * buffer), homes(endpoints), exits(endpoints), entries(endpoints),
          leaving(endpoints), exit_rings(endpoints * exit_room()), flits_due(routers, ports, soon()),
          credits_due(routers, ports, soon()), taken_due(1 + endpoints / kWordBits, kWordBits, soon()),
          entry_credits_due(1 + endpoints / kWordBits, kWordBits, soon()), packets(most_packets()) {
        connect();
        for (std::size_t place = 0; place < routers * per_router; ++place)
            held[place].credits = static_cast<std::uint16_t>(buffer);
    }

    At<W> at(std::size_t router) {
        return {router,
                &inputs[router * ports],
                &outputs[router * ports],
                &lines[router * per_router],
                &held[router * per_router],
                &escapes[plan->escapes ? router * per_router : 0],
                work[router]};
    }

    void turn_to(std::int64_t cycle) {
        now = cycle;
        flits_due.turn_to(now);
        credits_due.turn_to(now);
        taken_due.turn_to(now);
        entry_credits_due.turn_to(now);
        for (std::size_t output = 0; output < queues.size(); ++output) queues[output] = outputs[output].used;
    }

    // Puts a flit into an input virtual channel, where it is seen from the cycle in which it arrives.
    void put(std::int32_t input, std::size_t channel, Flit flit, std::int64_t arrives) {
        const std::size_t router = router_of(input), port = port_of(input);
        const std::size_t place = router * per_router + (port << shift | channel);
        lines[place].push(flit, ring_of(place), buffer);
        flits_due.enter(arrives, router, port, channel);
    }

    // Flits of a line that it has no room for itself.
    Flit* ring_of(std::size_t place) { return &rings[place * buffer]; }
    Flit* exit_ring_of(std::size_t endpoint) { return &exit_rings[endpoint * exit_room()]; }
    std::size_t exit_room() const { return channels * buffer; }

    Word channel_mask() const { return channels == kWordBits ? ~Word{0} : bit_of(channels) - 1; }

    template <class Visit>
    void saved(Visit& visit) {
        visit("inputs", inputs);
        visit("outputs", outputs);
        visit("work", work);
        visit("lines", lines);
        visit("held", held);
        visit("escapes", escapes);
        visit("rings", rings);
        visit("leaving", leaving);
        visit("exit_rings", exit_rings);
        visit("flits_due", flits_due);
        visit("credits_due", credits_due);
        visit("taken_due", taken_due);
        visit("entry_credits_due", entry_credits_due);
        visit("packets", packets);
        visit("moved", moved);
    }

    const std::unique_ptr<Plan> plan;
    const Draws draws;
    const std::size_t routers, ports, endpoints, channels, buffer;
    const int shift;  // a line is its port << shift | its virtual channel
    const std::size_t per_router;
    const std::int64_t credit_delay;

    Zeros<Input> inputs;  // by router, then port
    Zeros<Output<W>> outputs;
    Zeros<std::uint32_t> queues;  // `used` as the cycle began, where sources know that of all
    Zeros<Work<W>> work;
    Zeros<Line> lines;  // by router, then line; so the next ones
    Zeros<Held> held;   // by output port and virtual channel
    Zeros<Escape> escapes;
    Zeros<Flit> rings;
    std::vector<std::uint32_t> homes;          // by endpoint, its router
    std::vector<std::int32_t> exits, entries;  // and its output and input ports, packed
    Zeros<Line> leaving;                       // by endpoint: flits on their way to it
    Zeros<Flit> exit_rings;
    Calendar<W> flits_due, credits_due;
    Calendar<1> taken_due, entry_credits_due;
    Packets packets;
    std::int64_t now = 0, moved = -1;

private:
    static int shift_of(std::size_t channels) {
        int shift = 0;
        while (std::size_t{1} << shift < channels) ++shift;
        return shift;
    }

    // Cycles ahead in which most things arrive.
    std::size_t soon() const {
        const std::int32_t most = *std::max_element(plan->delays, plan->delays + routers * ports);
        return static_cast<std::size_t>(most) + plan->credit_delay + 12;
    }

    std::size_t most_packets() const { return 2 * (routers * per_router * buffer + endpoints); }

    std::int32_t packed(std::size_t port) const {
        return static_cast<std::int32_t>((port / ports) << kPortBits | port % ports);
    }

    void connect() {
        for (std::size_t input = 0; input < routers * ports; ++input)
            inputs[input].upstream = -1, inputs[input].credit_left = -1, inputs[input].kind = 2;
        for (std::size_t output = 0; output < routers * ports; ++output) {
            Output<W>& here = outputs[output];
            const std::int32_t end = plan->ends[output];
            here.end = end < 0 ? end : packed(end);
            here.delay = static_cast<std::uint16_t>(plan->delays[output]);
            here.kind = static_cast<std::uint8_t>(plan->class_width ? plan->kinds[output] : 0);
            here.free = channel_mask();
            here.left = -1;
            if (end >= 0) {
                inputs[end].upstream = packed(output);
                inputs[end].delay = here.delay;
                inputs[end].kind = here.kind;
            } else if (end < -1) {
                exits[-2 - end] = packed(output);
            }
        }
        for (std::size_t endpoint = 0; endpoint < endpoints; ++endpoint) {
            Input& entry = inputs[plan->entries[endpoint]];
            entry.upstream = -2 - static_cast<std::int32_t>(endpoint);
            entry.delay = 1;
            entries[endpoint] = packed(plan->entries[endpoint]);
            homes[endpoint] = static_cast<std::uint32_t>(router_of(entries[endpoint]));
        }
    }
};

}  // namespace topoctl
