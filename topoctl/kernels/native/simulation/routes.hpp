// Where a packet goes next, once it is first on its line: to which port, by which virtual channels.
#pragma once

#include <stdexcept>

#include "network.hpp"

namespace topoctl {

constexpr int kMostHops = 511;
constexpr std::size_t kUndecided = 63;  // the phase of a packet that its source's router may yet send on a detour

constexpr int kByShare = 0, kLeastUsed = 1;  // how an option is chosen

inline const Option* by_share(const Option* option, std::uint64_t word) {
    while (option->share < word >> 32) ++option;
    return option;
}

// A routing step of one line, in one internal step of its router.
template <int W>
class Route {
public:
    Route(Network<W>& network, const At<W>& at, std::size_t line, int step)
        : net_(network), plan_(*network.plan), at_(at), line_(line), step_(step) {}

    // Routes the packet that is first on the line: where it goes, or over which router first.
    Choice next() {
        Flit& flit = at_.lines[line_].front();
        const Option* taken = flit.phase() == kUndecided ? decide(flit) : nullptr;
        if (is_at_target(flit) && has_arrived(flit)) return leave(flit);
        return hop(flit, taken ? *taken : option(flit.phase(), flit.target()));
    }

private:
    bool is_at_target(Flit flit) const {
        return at_.router == flit.target() || (plan_.early && meets_destination(flit));
    }

    // Whether a packet leaves the network here, rather than turning to its destination.
    bool has_arrived(Flit& flit) {
        Packet& packet = net_.packets[flit.packet()];
        if (packet.leg) return true;
        packet.leg = 1;
        flit.target(net_.homes[packet.destination]);
        flit.phase(plan_.turn[flit.phase()]);
        return at_.router == flit.target();
    }

    bool meets_destination(Flit flit) const {
        const Packet& packet = net_.packets[flit.packet()];
        return packet.leg == 0 && net_.homes[packet.destination] == at_.router;
    }

    Choice leave(Flit flit) const {
        if (net_.escaping) at_.escapes[line_].offered = false;
        const std::int32_t* range = plan_.arrival + 2 * flit.phase();
        const std::size_t base = flit.group() * plan_.class_width;
        Choice choice{};
        choice.port = static_cast<std::uint16_t>(line_of(net_.exits[net_.packets[flit.packet()].destination].output) >>
                                                 net_.shift);
        require_channel(base + range[1]);
        choice.first = static_cast<std::uint8_t>(base + range[0]);
        choice.last = static_cast<std::uint8_t>(base + range[1]);
        choice.phase = static_cast<std::uint8_t>(flit.phase());
        choice.group = static_cast<std::uint8_t>(flit.group());
        return choice;
    }

    Choice hop(Flit flit, const Option& taken) {
        if (net_.escaping) {
            const std::int32_t* escape = plan_.escapes + 2 * (&taken - plan_.options);
            at_.escapes[line_] = {static_cast<std::uint16_t>(std::max(0, escape[0])),
                                  static_cast<std::uint8_t>(escape[1]), escape[0] >= 0};
        }
        Choice choice = taken.choice;
        choice.group = 0;
        const Output<W>& output = at_.outputs[choice.port];
        if (place_at(output.end) >= net_.routers)
            throw std::invalid_argument("a route leads to a port without a channel to a router");
        if (plan_.class_width) {
            const Input& input = at_.inputs[line_ >> net_.shift];
            const std::size_t group = flit.group() + plan_.rises[2 * input.kind + output.kind];
            const std::size_t base = group * plan_.class_width;
            require_channel(base + choice.last);
            choice.group = static_cast<std::uint8_t>(group);
            choice.first = static_cast<std::uint8_t>(base + choice.first);
            choice.last = static_cast<std::uint8_t>(base + choice.last);
        }
        return choice;
    }

    void require_channel(std::size_t channel) const {
        if (channel >= net_.channels)
            throw std::invalid_argument("a packet rises above the last class of virtual channels");
    }

    const Option& option(std::size_t phase, std::size_t target) const {
        const Option* set = plan_.set_of(phase, at_.router, target);
        return set->last() ? *set : *chosen(set, plan_.choice[phase]);
    }

    // One of several options.
    const Option* chosen(const Option* set, std::int32_t how) const {
        const std::uint64_t word = word_of(0);
        switch (how) {
            case kByShare: return by_share(set, word);
            case kLeastUsed: return least_used(set, word);
            default: {
                const Option *one = by_share(set, word), *other = by_share(set, word_of(1));
                return used(*other) < used(*one) ? other : one;
            }
        }
    }

    std::uint64_t word_of(int number) const {
        return net_.draws.routing_word(at_.router, net_.now, step_, line_, number);
    }

    std::uint32_t used(const Option& option) const { return at_.outputs[option.choice.port].used; }

    const Option* least_used(const Option* set, std::uint64_t word) const {
        std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
        std::size_t count = 0;
        for (const Option* option = set;; ++option) {
            const std::uint32_t queue = used(*option);
            if (queue < least) least = queue, count = 0;
            count += queue == least;
            if (option->last()) break;
        }
        std::size_t chosen = below(word, count);
        for (const Option* option = set;; ++option)
            if (used(*option) == least && chosen-- == 0) return option;
    }

    // At its source's router: straight, or over the best of the routers drawn for the packet. Nothing if it is there.
    const Option* decide(Flit& flit) {
        Packet& packet = net_.packets[flit.packet()];
        const std::size_t to = net_.homes[packet.destination];
        const std::uint64_t word = Draws::word(net_.draws.key(packet.source), packet.number, kIntermediate);
        flit.phase(plan_.start[0]);
        if (at_.router == to) return nullptr;
        const Option* straight = &option(plan_.start[0], to);
        if (same_group(at_.router, to)) return straight;
        const Option* detour = nullptr;
        std::int64_t least = kNever;
        std::size_t over = 0;
        for (int drawn = 0; drawn < plan_.detours; ++drawn) {
            const std::size_t router_drawn =
                net_.draws.intermediate(at_.router, to, net_.homes, drawn ? draw(word, drawn) : word);
            if (router_drawn == at_.router || router_drawn == to || same_group(at_.router, router_drawn)) continue;
            const Option* first = &option(plan_.start[1], router_drawn);
            const std::int64_t cost = weighed(*first, router_drawn, to) * plan_.bias[2];
            if (cost < least) least = cost, detour = first, over = router_drawn;
        }
        const std::int64_t cost = weighed(*straight, to, to) * plan_.bias[1];
        if (!detour || cost <= least + plan_.bias[3]) return straight;
        packet.leg = 0;
        packet.through = static_cast<std::uint32_t>(over);
        flit.target(over);
        flit.phase(plan_.start[1]);
        return detour;
    }

    // The queues of a way over a router, which may be its end, times its links if that is asked for.
    std::int64_t weighed(const Option& first, std::size_t over, std::size_t to) const {
        const std::int64_t queued =
            plan_.way == kDecidedByAll ? queued_on_way(first, over, to) : std::int64_t{used(first)};
        if (!plan_.bias[0]) return queued;
        return queued * (plan_.distances[at_.router * net_.routers + over] + plan_.distances[over * net_.routers + to]);
    }

    // The queues at all ports of a way, as the cycle found them; behind the first port one way is drawn.
    std::int64_t queued_on_way(const Option& first, std::size_t over, std::size_t to) const {
        const std::uint64_t drawn = draw(word_of(1), over);
        std::int64_t queued = 0;
        std::size_t router = at_.router, target = over;
        const Option* taken = &first;
        for (int hop = 0; hop < kMostHops; ++hop) {
            const std::size_t output = router * net_.ports + taken->choice.port;
            queued += net_.queues[output];
            const Address end = net_.output(output).end;
            if (place_at(end) >= net_.routers) break;
            router = place_at(end);
            std::size_t phase = taken->choice.phase;
            if (target != to && (router == target || (plan_.early && router == to)))
                target = to, phase = plan_.turn[phase];
            if (router == target) return queued;
            taken = by_share(plan_.set_of(phase, router, target), draw(drawn, hop));
        }
        throw std::invalid_argument("a way that does not lead to its end");
    }

    bool same_group(std::size_t one, std::size_t other) const {
        return plan_.groups && plan_.groups[one] == plan_.groups[other];
    }

    Network<W>& net_;
    const Plan& plan_;
    const At<W>& at_;
    const std::size_t line_;
    const int step_;
};

}  // namespace topoctl
