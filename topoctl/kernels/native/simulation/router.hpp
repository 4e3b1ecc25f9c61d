// What a router does in a cycle: it receives flits and credits, and makes internal steps, in each of which it routes
// packets, and allocates virtual channels and the switch.
#pragma once

#include "routes.hpp"

namespace topoctl {

template <int W>
class Router {
public:
    Router(Network<W>& network, std::size_t router) : net_(network), at_(network.at(router)) {}

    void take_credit(std::size_t line) {
        const std::size_t port = line >> net_.shift;
        Held& held = at_.held[line];
        Output<W>& output = at_.outputs[port];
        --output.used;
        if (held.credits++ != 0 || output.free & bit_of(line & net_.line_mask())) return;
        if (at_.lines[held.holder].count) set_ready(port, held.holder);
    }

    void take_flit(std::size_t line, Flit flit) {
        Line& here = at_.lines[line];
        here.push(flit, net_.buffer, [&] { return net_.ring_of(at_.router, line); });
        if (here.state == kIdle) {
            begin_packet(line, 0);
        } else if (here.state == kSending && here.count == 1 &&
                   at_.held[std::size_t{here.choice.port} << net_.shift | here.channel].credits) {
            set_ready(here.choice.port, line);
        }
    }

    void work(int steps) {
        for (int step = 0; step < steps; ++step) {
            if (at_.work.none()) break;
            make_step(step, static_cast<std::int32_t>(step + 1 < steps ? net_.now : net_.now + 1));
        }
    }

private:
    struct Assigned {
        std::uint16_t line, port, channel;
    };
    struct Granted {
        std::uint16_t port, output;
        std::uint8_t channel;
    };

    void set_ready(std::size_t port, std::size_t line) {
        at_.outputs[port].ready.set(line);
        at_.work.ready.set(port);
    }

    void begin_packet(std::size_t line, int step) {
        Line& here = at_.lines[line];
        if (net_.lookahead) {
            ask(line, step);
        } else {
            here.state = kRouting;
            at_.work.routing.set(line);
        }
    }

    // Routes the packet that is first on a line, which then asks for virtual channels.
    void ask(std::size_t line, int step) {
        Line& here = at_.lines[line];
        here.choice = Route<W>(net_, at_, line, step).next();
        here.state = kAsking;
        ask_at(line, here.choice.port);
        if (net_.escaping && at_.escapes[line].offered) ask_at(line, at_.escapes[line].port);
    }

    void ask_at(std::size_t line, std::size_t port) {
        Output<W>& output = at_.outputs[port];
        output.asking.set(line);
        at_.work.asked.set_if(output.free, port);
    }

    // ---- an internal step

    void stop_asking(std::size_t port, std::size_t line) {
        Output<W>& output = at_.outputs[port];
        output.asking.clear(line);
        at_.work.asked.clear_if(!output.free || output.asking.empty(), port);
    }

    void clear_ready(std::size_t port, std::size_t line) {
        Mask<W>& ready = at_.outputs[port].ready;
        ready.clear(line);
        at_.work.ready.clear_if(ready.empty(), port);
    }

    // All decide by what is there before the step; then it takes effect: virtual channels, routes, flits.
    void make_step(int step, std::int32_t leaves) {
        Granted granted[W * kWordBits];
        const std::size_t grants = allocate_switch(granted, step);
        allocate_channels();
        Mask<W>& routing = at_.work.routing;
        if (!routing.empty()) {
            routing.each([&](std::size_t line) { ask(line, step); });
            routing = {};
        }
        if (grants) net_.moved = net_.now;
        for (std::size_t grant = 0; grant < grants; ++grant) move(granted[grant], step, leaves);
    }

    // ---- the switch

    // Every output port grants one input port, every input port accepts one output port (iSLIP, one iteration).
    std::size_t allocate_switch(Granted* granted, int step) {
        Work<W>& work = at_.work;
        if (work.ready.empty()) return 0;
        Mask<W> inputs{};
        std::uint16_t best[W * kWordBits];
        work.ready.each([&](std::size_t port) {
            const Output<W>& output = at_.outputs[port];
            if (net_.plan->output_room && is_full(output, step)) return;
            const std::size_t input = output.ready.first_from(std::size_t{output.grant} << net_.shift) >> net_.shift;
            if (inputs.holds(input)) {
                const std::size_t accept = at_.inputs[input].accept;
                // Ports come in ascending order: a later one is better only as the first that is not below `accept`.
                if (best[input] >= accept || port < accept) return;
            }
            inputs.set(input);
            best[input] = static_cast<std::uint16_t>(port);
        });
        std::size_t grants = 0;
        inputs.each([&](std::size_t port) {
            Input& input = at_.inputs[port];
            Output<W>& output = at_.outputs[best[port]];
            const std::size_t base = port << net_.shift;
            const Word ready = output.ready.words[base / kWordBits] >> base % kWordBits & net_.channel_mask;
            const Word after = ready & ~Word{0} << input.offset % kWordBits;
            const std::size_t channel = bit_number(after ? after : ready);
            output.grant = static_cast<std::uint16_t>(port + 1);
            input.accept = static_cast<std::uint16_t>(best[port] + 1);
            input.offset = static_cast<std::uint8_t>(channel + 1);
            granted[grants++] = {static_cast<std::uint16_t>(port), best[port], static_cast<std::uint8_t>(channel)};
        });
        return grants;
    }

    // Whether as many flits wait to leave as may; what passed the switch in the step before is not among them yet.
    bool is_full(const Output<W>& output, int step) const {
        const bool crossing = output.granted + 1 == step_number(step);
        return output.leave_from(net_.now) - crossing >= net_.plan->output_room;
    }

    // Of all steps since the beginning, from 1.
    std::uint64_t step_number(int step) const { return net_.steps_before + step + 1; }

    // ---- virtual channels

    // Every free virtual channel grants one line that asks for it, every line accepts one; those that were free
    // before this step.
    void allocate_channels() {
        if (net_.escaping)
            allocate_channels<true>();
        else
            allocate_channels<false>();
    }

    template <bool kEscaping>
    void allocate_channels() {
        Work<W>& work = at_.work;
        Assigned assigned[kEscaping ? W * kWordBits : kWordBits];
        std::size_t count = 0;
        work.asked.each([&](std::size_t port) {
            Output<W>& output = at_.outputs[port];
            if (!kEscaping && output.asking.single()) {
                hold_first(port, output);
                return;
            }
            count = assign_channels<kEscaping>(port, output, assigned, count);
            if (kEscaping) return;  // others may yet grant the same lines
            hold_channels<false>(port, assigned, count);
            count = 0;
        });
        if (kEscaping) hold_channels<true>(0, assigned, count);
    }

    // The virtual channels that no packet holds and that have as much room as heads want.
    Word open_at(std::size_t port) const {
        const Word free = at_.outputs[port].free;
        const std::uint16_t room = net_.plan->head_room;
        if (!room) return free;
        Word open = 0;
        for (Word left = free; left; left &= left - 1) {
            const std::size_t channel = bit_number(left);
            if (at_.held[port << net_.shift | channel].credits >= room) open |= bit_of(channel);
        }
        return open;
    }

    // Gives the only line that asks the first free virtual channel at or after the one that it prefers.
    void hold_first(std::size_t port, const Output<W>& output) {
        const std::size_t line = output.asking.first_from(0), base = port << net_.shift;
        const Line& here = at_.lines[line];
        const Word asked_for = ~Word{0} >> (kWordBits - 1 - here.choice.last) & ~Word{0} << here.choice.first;
        const Word open = open_at(port) & asked_for;
        if (!open) return;
        const std::size_t preferred = here.accept - base;
        const Word after = open & ~Word{0} << (preferred < net_.channels ? preferred : 0);
        const Assigned assigned{static_cast<std::uint16_t>(line), static_cast<std::uint16_t>(port),
                                static_cast<std::uint16_t>(bit_number(after ? after : open))};
        hold_channels<false>(port, &assigned, 1);
    }

    // Adds what the virtual channels of a port grant to what lower ports have granted; returns how many that are.
    template <bool kEscaping>
    std::size_t assign_channels(std::size_t port, const Output<W>& output, Assigned* assigned,
                                std::size_t count) const {
        const Held* held = &at_.held[port << net_.shift];
        for (Word left = open_at(port); left; left &= left - 1) {
            const std::size_t channel = bit_number(left);
            const std::size_t line = first_asking<kEscaping>(output.asking, held[channel].grant, port, channel);
            if (line == net_.per_router) continue;
            std::size_t place = 0;
            while (place < count && assigned[place].line != line) ++place;
            if (place < count) {  // granted twice: it accepts the first at or after the one that it prefers
                const std::size_t accept = at_.lines[line].accept;
                const std::size_t before = std::size_t{assigned[place].port} << net_.shift | assigned[place].channel;
                if (before >= accept || (port << net_.shift | channel) < accept) continue;
            } else {
                ++count;
            }
            assigned[place] = {static_cast<std::uint16_t>(line), static_cast<std::uint16_t>(port),
                               static_cast<std::uint16_t>(channel)};
        }
        return count;
    }

    // Of what one port has granted, or several where packets ask at several.
    template <bool kEscaping>
    void hold_channels(std::size_t one_port, const Assigned* assigned, std::size_t count) {
        for (std::size_t place = 0; place < count; ++place) {
            const std::size_t line = assigned[place].line, channel = assigned[place].channel;
            const std::size_t port = kEscaping ? assigned[place].port : one_port;
            Line& here = at_.lines[line];
            Output<W>& output = at_.outputs[port];
            Held& held = at_.held[port << net_.shift | channel];
            if (kEscaping) {
                stop_asking(here.choice.port, line);
                stop_asking(at_.escapes[line].port, line);
                here.choice.port = static_cast<std::uint16_t>(port);
            }
            here.state = kSending;
            here.channel = static_cast<std::uint8_t>(channel);
            here.accept = static_cast<std::uint16_t>((port << net_.shift | channel) + 1);
            held.grant = static_cast<std::uint16_t>(line + 1);
            held.holder = static_cast<std::uint16_t>(line);
            output.free &= ~bit_of(channel);
            stop_asking(port, line);
            if (held.credits) set_ready(port, line);
        }
    }

    // The first line at or after a preferred one, and then from the beginning, that asks for the virtual channel.
    template <bool kEscaping>
    std::size_t first_asking(Mask<W> asking, std::size_t preferred, std::size_t port, std::size_t channel) const {
        while (!asking.empty()) {
            const std::size_t line = asking.first_from(preferred);
            const Choice& choice = at_.lines[line].choice;
            const bool within = choice.first <= channel && channel <= choice.last;
            if (kEscaping ? (within && choice.port == port) || escapes_to(line, port, channel) : within) return line;
            asking.clear(line);
        }
        return net_.per_router;
    }

    bool escapes_to(std::size_t line, std::size_t port, std::size_t channel) const {
        const Escape& escape = at_.escapes[line];
        return escape.offered && escape.port == port && escape.channel == channel;
    }

    // ---- what leaves

    // Moves the flit that won the switch on to where it goes next, and sends the credit for its room back.
    void move(const Granted& won, int step, std::int32_t leaves) {
        const std::size_t line = std::size_t{won.port} << net_.shift | won.channel;
        Line& here = at_.lines[line];
        Input& input = at_.inputs[won.port];
        Output<W>& output = at_.outputs[won.output];
        Held& held = at_.held[std::size_t{won.output} << net_.shift | here.channel];

        Flit flit = here.pop(net_.buffer, [&] { return net_.ring_of(at_.router, line); });
        flit.hop();
        if (flit.head()) {
            const bool below = here.channel < here.choice.below;
            flit.phase_and_group(below ? here.choice.phase_below : here.choice.phase, here.choice.group);
        }
        --held.credits;
        ++output.used;
        ++output.carried;
        output.left = std::max(output.left + 1, leaves);
        output.granted = step_number(step);
        net_.send(output.end | here.channel, flit, output.left + 1 + output.delay);
        return_credit(input, won.channel);

        if (flit.tail()) {
            output.free |= bit_of(here.channel);
            at_.work.asked.set_if(!output.asking.empty(), won.output);
            clear_ready(won.output, line);
            here.state = kIdle;
            if (here.count) begin_packet(line, step + 1);
        } else if (here.count == 0 || held.credits == 0) {
            clear_ready(won.output, line);
        }
    }

    void return_credit(Input& input, std::size_t channel) {
        input.credit_left = std::max(input.credit_left + 1, static_cast<std::int32_t>(net_.now));
        net_.send_credit(input.upstream | static_cast<Address>(channel),
                         std::int64_t{input.credit_left} + input.credit_delay);
    }

    Network<W>& net_;
    const At<W> at_;
};

}  // namespace topoctl
