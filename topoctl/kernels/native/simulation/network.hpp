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

// Where the parts of a router lie, one after the other.
template <int W>
struct At {
    std::size_t router;
    Output<W>* outputs;
    Line* lines;
    Input* inputs;
    Held* held;       // by output port and virtual channel
    Escape* escapes;  // by line, where there are any
    Work<W>& work;
};

// Of an endpoint: the router that it is at, the output there that leads to it, and how long its credits take.
struct Exit {
    Address output;
    std::uint32_t credit_delay;
};

template <int W>
struct Network {
    explicit Network(std::unique_ptr<Plan> followed)
        : plan(std::move(followed)), draws(*plan), routers(plan->routers), ports(plan->ports),
          endpoints(plan->endpoints), channels(plan->channels), buffer(plan->buffer), shift(shift_of(channels)),
          per_router(ports << shift), channel_mask(~Word{0} >> (kWordBits - channels)), lookahead(plan->lookahead),
          escaping(plan->escapes), first_place(behind(routers) << kBlockBits), lines_from(ports * sizeof(Output<W>)),
          inputs_from(lines_from + per_router * sizeof(Line)), held_from(inputs_from + ports * sizeof(Input)),
          escapes_from(held_from + per_router * sizeof(Held)),
          stride(aligned(escapes_from + (escaping ? per_router * sizeof(Escape) : 0))), state(routers * stride),
          queues(plan->way == kDecidedByAll ? routers * ports : 0), work(routers), rings(routers * per_router * buffer),
          homes(endpoints), exits(endpoints), entries(endpoints), flits_due(blocks(), soon()),
          credits_due(blocks(), soon()), packets(2 * (routers * per_router * buffer + endpoints)) {
        connect(true);
        begin();
    }

    At<W> at(std::size_t router) {
        std::uint8_t* parts = &state[router * stride];
        return {router,
                reinterpret_cast<Output<W>*>(parts),
                reinterpret_cast<Line*>(parts + lines_from),
                reinterpret_cast<Input*>(parts + inputs_from),
                reinterpret_cast<Held*>(parts + held_from),
                reinterpret_cast<Escape*>(parts + escapes_from),
                work[router]};
    }

    // By the number of the port among those of all routers; so the next one.
    Output<W>& output(std::size_t port) { return at(port / ports).outputs[port % ports]; }
    Input& input(std::size_t port) { return at(port / ports).inputs[port % ports]; }

    void turn_to(std::int64_t cycle) {
        now = cycle;
        steps_before = static_cast<std::uint64_t>(now * plan->steps / 1000);
        flits_due.turn_to(now);
        credits_due.turn_to(now);
        for (std::size_t port = 0; port < queues.size(); ++port) queues[port] = output(port).used;
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

    template <class Visit>
    void saved(Visit& visit) {
        put_back(taken_out());  // rings begin anew
        forget_what_is_over();
        connect(false);
        visit.first("state", state, state.size());
        connect(true);
        visit.first("work", work, work.size());
        std::vector<Flit> far = taken_out();
        visit("rings", far);
        put_back(far);
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
    const Word channel_mask;
    const bool lookahead, escaping;
    const std::size_t first_place;  // of endpoints
    const std::size_t lines_from, inputs_from, held_from, escapes_from, stride;  // bytes of a router

    Zeros<std::uint8_t> state;    // of routers, each in one piece
    Zeros<std::uint32_t> queues;  // `used` as the cycle began, where sources know that of all
    Zeros<Work<W>> work;
    Zeros<Flit> rings;                 // by router, then line
    std::vector<std::uint32_t> homes;  // by endpoint, its router
    std::vector<Exit> exits;
    std::vector<Address> entries;      // and the first line of the input port there
    Calendar<Moving> flits_due;
    Calendar<Address> credits_due;
    Packets packets;
    std::int64_t now = 0, moved = -1;
    std::uint64_t steps_before = 0;  // that routers have made before this cycle

private:
    static int shift_of(std::size_t channels) {
        int shift = 0;
        while (std::size_t{1} << shift < channels) ++shift;
        return shift;
    }

    static std::size_t aligned(std::size_t bytes) {
        constexpr std::size_t line = alignof(Output<W>);
        return (bytes + line - 1) / line * line;
    }

    static std::size_t behind(std::size_t places) {
        return (places + (std::size_t{1} << kBlockBits) - 1) >> kBlockBits;
    }
    std::size_t places() const { return first_place + (endpoints + ports - 1) / ports; }

    // The first line of a port, where all are numbered place after place.
    Address address(std::size_t port) const {
        return static_cast<Address>(port / ports << kAddressBits | (port % ports) << shift);
    }

    // The flits of all rings, line after line.
    std::vector<Flit> taken_out() {
        std::vector<Flit> flits;
        each_line([&](std::size_t router, std::size_t number, const Line& line) {
            for (std::size_t place = Line::kNear, ring = line.far_first; place < line.count; ++place) {
                flits.push_back(ring_of(router, number)[ring]);
                if (++ring == buffer) ring = 0;
            }
        });
        return flits;
    }

    // Puts them where each ring begins.
    void put_back(const std::vector<Flit>& flits) {
        auto next = flits.begin();
        each_line([&](std::size_t router, std::size_t number, Line& line) {
            line.far_first = 0;
            const std::ptrdiff_t far = std::max<std::ptrdiff_t>(0, line.count - std::ptrdiff_t{Line::kNear});
            std::copy(next, next + far, ring_of(router, number));
            next += far;
        });
    }

    // Sets to zero what nothing will read any more; what left before this cycle is as if it had in the first.
    void forget_what_is_over() {
        for (std::size_t port = 0; port < routers * ports; ++port) {
            if (!plan->output_room) output(port).granted = 0;
            for (std::int32_t* left : {&output(port).left, &input(port).credit_left})
                if (*left < now) *left = std::min(*left, 0);
        }
        each_line([&](std::size_t router, std::size_t number, Line& line) {
            for (std::size_t place = line.count; place < Line::kNear; ++place) line.near[place] = {};
            if (line.state < kAsking) line.choice = {};
            if (line.state < kSending) line.channel = 0;
            const At<W> here = at(router);
            if (here.outputs[number >> shift].free & bit_of(number & line_mask())) here.held[number].holder = 0;
        });
    }

    template <class Visit>
    void each_line(Visit&& visit) {
        for (std::size_t router = 0; router < routers; ++router)
            for (std::size_t number = 0; number < per_router; ++number) visit(router, number, at(router).lines[number]);
    }

    // Sets what the plan says of ports, or sets it to zero.
    void connect(bool connected) {
        const auto told = [&](auto& member, auto value) {
            member = connected ? static_cast<std::remove_reference_t<decltype(member)>>(value) : 0;
        };
        for (std::size_t port = 0; port < routers * ports; ++port) {
            Output<W>& here = output(port);
            const std::int32_t end = plan->ends[port];
            told(here.delay, plan->delays[port]);
            told(here.kind, plan->class_width ? plan->kinds[port] : 0);
            told(here.end, end == -1 ? kNowhere : end < 0 ? address_of(-2 - end) : address(end));
            told(input(port).upstream, kNowhere);
            told(input(port).kind, 2);
        }
        for (std::size_t port = 0; port < routers * ports; ++port) {
            const std::int32_t end = plan->ends[port];
            const auto credit_delay = static_cast<std::uint32_t>(1 + plan->delays[port] + plan->credit_delay);
            if (end >= 0) {
                Input& there = input(end);
                told(there.upstream, address(port));
                told(there.credit_delay, credit_delay);
                told(there.kind, plan->class_width ? plan->kinds[port] : 0);
            } else if (end < -1) {
                exits[-2 - end] = {address(port), credit_delay};
            }
        }
        for (std::size_t endpoint = 0; endpoint < endpoints; ++endpoint) {
            Input& entry = input(plan->entries[endpoint]);
            told(entry.upstream, address_of(endpoint));
            told(entry.credit_delay, 2);  // over a channel of one cycle, and used at once
            entries[endpoint] = address(plan->entries[endpoint]);
            homes[endpoint] = static_cast<std::uint32_t>(plan->entries[endpoint] / ports);
        }
    }

    void begin() {
        for (std::size_t router = 0; router < routers; ++router) {
            const At<W> here = at(router);
            for (std::size_t line = 0; line < per_router; ++line)
                here.held[line].credits = static_cast<std::uint16_t>(buffer);
            for (std::size_t port = 0; port < ports; ++port) {
                here.outputs[port].free = channel_mask;
                here.outputs[port].left = here.inputs[port].credit_left = -1;
            }
        }
    }
};

}  // namespace topoctl
