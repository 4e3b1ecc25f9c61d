// The network while it is simulated: what routers hold, what is on its way between them and to endpoints, and where
// it lies.
#pragma once

#include "calendar.hpp"
#include "draws.hpp"
#include "lines.hpp"
#include "masks.hpp"
#include "memory.hpp"
#include "plan.hpp"

namespace topoctl {

// A line of a router, in one number that takes no division to take apart. Behind the routers, from the beginning of a
// block on, there are more places, of as many ports: these are the endpoints.
using Address = std::uint32_t;
constexpr int kAddressBits = 12, kBlockBits = 6;
constexpr Address kNowhere = ~Address{0};
inline std::size_t place_at(Address address) { return address >> kAddressBits; }
inline std::size_t line_of(Address address) { return address & ((Address{1} << kAddressBits) - 1); }
inline std::size_t block_of(Address address) { return address >> (kAddressBits + kBlockBits); }

// A flit on its way.
struct Moving {
    Flit flit;
    std::uint64_t line;  // an address, of as many bits as leave no gap
};

// An output virtual channel: its credits, the input line that holds it, and the one that it prefers next.
struct Held {
    std::uint16_t credits, grant, holder;
};

struct Input {
    Address upstream;          // where its credits go
    std::int32_t credit_left;  // the cycle in which the last one left
    std::uint32_t credit_delay;
    std::uint16_t accept;
    std::uint8_t offset, kind;
};

template <int W>
struct alignas(64) Output {
    Mask<W> asking, ready;  // input lines that want a virtual channel; that could send a flit
    Word free;              // virtual channels that no packet holds
    std::uint64_t granted;  // the router's step in which the last one passed the switch
    Address end;            // where its flits go
    std::int32_t left;      // the cycle in which the last one left
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

template <int W>
struct Network {
    explicit Network(std::unique_ptr<Plan> followed)
        : plan(std::move(followed)), draws(*plan), routers(plan->routers), ports(plan->ports),
          endpoints(plan->endpoints), channels(plan->channels), buffer(plan->buffer), shift(shift_of(channels)),
          per_router(ports << shift), first_place(behind(routers) << kBlockBits), inputs(routers * ports),
          outputs(routers * ports), queues(plan->way == kDecidedByAll ? routers * ports : 0), work(routers),
          lines(routers * per_router), held(routers * per_router), escapes(plan->escapes ? routers * per_router : 0),
          rings(lines.size() * buffer), homes(endpoints), exits(endpoints), entries(endpoints),
          flits_due(blocks(), soon()), credits_due(blocks(), soon()), packets(2 * (held.size() * buffer + endpoints)) {
        connect();
        for (std::size_t place = 0; place < held.size(); ++place)
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
        for (std::size_t output = 0; output < queues.size(); ++output) queues[output] = outputs[output].used;
    }

    // Sends a flit to a line, or to an endpoint.
    void send(Address there, Flit flit, std::int64_t arrives) {
        flits_due.enter(arrives, block_of(there), {flit, there});
    }
    void send_credit(Address there, std::int64_t arrives) { credits_due.enter(arrives, block_of(there), there); }

    // Flits of a line that it has no room for itself.
    Flit* ring_of(std::size_t router, std::size_t line) { return &rings[(router * per_router + line) * buffer]; }

    // The first line of an endpoint, and the endpoint of a line.
    Address address_of(std::size_t endpoint) const { return address(first_place * ports + endpoint); }
    std::size_t endpoint_of(Address line) const {
        return (place_at(line) - first_place) * ports + (line_of(line) >> shift);
    }

    // Blocks of routers come first, then those of endpoints.
    std::size_t router_blocks() const { return behind(routers); }
    std::size_t blocks() const { return behind(places()); }

    // Cycles ahead in which most things arrive.
    std::size_t soon() const {
        const std::int32_t most = *std::max_element(plan->delays, plan->delays + routers * ports);
        return static_cast<std::size_t>(most) + plan->credit_delay + 12;
    }

    std::size_t line_mask() const { return (std::size_t{1} << shift) - 1; }
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
        visit("flits_due", flits_due);
        visit("credits_due", credits_due);
        visit("packets", packets);
        visit("moved", moved);
    }

    const std::unique_ptr<Plan> plan;
    const Draws draws;
    const std::size_t routers, ports, endpoints, channels, buffer;
    const int shift;  // a line is its port << shift | its virtual channel
    const std::size_t per_router;
    const std::size_t first_place;  // of endpoints

    Zeros<Input> inputs;  // by router, then port
    Zeros<Output<W>> outputs;
    Zeros<std::uint32_t> queues;  // `used` as the cycle began, where sources know that of all
    Zeros<Work<W>> work;
    Zeros<Line> lines;  // by router, then line; so the next ones
    Zeros<Held> held;   // by output port and virtual channel
    Zeros<Escape> escapes;
    Zeros<Flit> rings;
    std::vector<std::uint32_t> homes;  // by endpoint, its router
    std::vector<std::uint16_t> exits;  // and the output port there
    std::vector<Address> entries;      // and the first line of the input port there
    Calendar<Moving> flits_due;
    Calendar<Address> credits_due;
    Packets packets;
    std::int64_t now = 0, moved = -1;

private:
    static int shift_of(std::size_t channels) {
        int shift = 0;
        while (std::size_t{1} << shift < channels) ++shift;
        return shift;
    }

    static std::size_t behind(std::size_t places) {
        return (places + (std::size_t{1} << kBlockBits) - 1) >> kBlockBits;
    }
    std::size_t places() const { return first_place + (endpoints + ports - 1) / ports; }

    // The first line of a port, where all are numbered place after place.
    Address address(std::size_t port) const {
        return static_cast<Address>(port / ports << kAddressBits | (port % ports) << shift);
    }

    void connect() {
        for (std::size_t input = 0; input < routers * ports; ++input)
            inputs[input].upstream = kNowhere, inputs[input].credit_left = -1, inputs[input].kind = 2;
        for (std::size_t output = 0; output < routers * ports; ++output) {
            Output<W>& here = outputs[output];
            const std::int32_t end = plan->ends[output];
            here.delay = static_cast<std::uint16_t>(plan->delays[output]);
            here.kind = static_cast<std::uint8_t>(plan->class_width ? plan->kinds[output] : 0);
            here.free = channel_mask();
            here.left = -1;
            here.end = end == -1 ? kNowhere : end < 0 ? address_of(-2 - end) : address(end);
            if (end >= 0) {
                inputs[end].upstream = address(output);
                inputs[end].credit_delay = static_cast<std::uint32_t>(1 + here.delay + plan->credit_delay);
                inputs[end].kind = here.kind;
            } else if (end < -1) {
                exits[-2 - end] = static_cast<std::uint16_t>(output % ports);
            }
        }
        for (std::size_t endpoint = 0; endpoint < endpoints; ++endpoint) {
            Input& entry = inputs[plan->entries[endpoint]];
            entry.upstream = address_of(endpoint);
            entry.credit_delay = 2;  // over a channel of one cycle, and used at once
            entries[endpoint] = address(plan->entries[endpoint]);
            homes[endpoint] = static_cast<std::uint32_t>(plan->entries[endpoint] / ports);
        }
    }
};

}  // namespace topoctl
