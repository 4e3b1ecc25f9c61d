// The simulator: what happens in a cycle at the endpoints and in the routers. Its twin in fallback/simulation.py does
// the same as slowly as it is told; here, events set and clear bits, and allocators visit set bits alone.
#pragma once

#include <cstring>
#include <limits>
#include <stdexcept>

#include "../acceptance.hpp"
#include "calendar.hpp"
#include "lines.hpp"
#include "plan.hpp"
#include "statistics.hpp"

namespace topoctl {

class Simulation {
public:
    explicit Simulation(std::size_t endpoints) : statistics(endpoints) {}
    virtual ~Simulation() = default;
    // Goes on to a cycle; `stop` is asked from time to time.
    virtual std::int64_t run(std::int64_t until, bool counting, std::int64_t last, bool drain, Stop& stop) = 0;
    virtual void clear() = 0;
    // Statistics no longer want the packets that are under way.
    virtual void forget() = 0;
    virtual std::vector<std::int64_t> carried() const = 0;  // flits by output port
    virtual std::vector<std::int64_t> reached() const = 0;  // by endpoint
    virtual std::vector<std::int64_t> waiting() const = 0;
    virtual std::vector<std::int64_t> unfinished() const = 0;

    Statistics statistics;
    std::vector<std::int64_t> log;  // six numbers for every packet that has arrived
    std::int64_t live_flits = 0, live_made = 0, moved = -1;
};

constexpr int kPortBits = 12;
constexpr std::uint32_t kNoPacket = ~std::uint32_t{0};
constexpr std::size_t kUndecided = 63;  // the phase of a packet that its source's router may yet send on a detour
constexpr int kOtherRouter = 1;  // how intermediate routers are drawn: any but the source's and destination's
constexpr std::int64_t kMostCycles = std::int64_t{1} << 30;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

template <int W>
class Simulator final : public Simulation {
public:
    explicit Simulator(std::unique_ptr<Plan> plan)
        : Simulation(plan->endpoints), plan_(std::move(plan)), ports_(plan_->ports), channels_(plan_->channels),
          buffer_(plan_->buffer), shift_(shift_of(channels_)), credit_delay_(plan_->credit_delay),
          lookahead_(plan_->lookahead), per_router_(ports_ << shift_), routers_(plan_->routers),
          sources_(plan_->endpoints), wake_(plan_->endpoints), homes_(plan_->endpoints), exits_(plan_->endpoints),
          entries_(plan_->endpoints), entry_credits_(plan_->endpoints * channels_, static_cast<std::uint16_t>(buffer_)),
          inputs_(routers_ * ports_), outputs_(routers_ * ports_), lines_(routers_ * per_router_),
          held_(routers_ * per_router_), escapes_(plan_->escapes ? routers_ * per_router_ : 0),
          rings_(routers_ * per_router_ * buffer_), exit_rings_(plan_->endpoints * exit_room()),
          leaving_(plan_->endpoints), flits_due_(routers_, ports_, soon()), credits_due_(routers_, ports_, soon()),
          taken_due_(1 + plan_->endpoints / kWordBits, kWordBits, soon()),
          entry_credits_due_(1 + plan_->endpoints / kWordBits, kWordBits, soon()), work_(routers_),
          packets_(most_packets()), crossings_(most_packets()), free_packets_(0) {
        connect();
        for (std::size_t endpoint = 0; endpoint < plan_->endpoints; ++endpoint) {
            sources_[endpoint].key = draw(plan_->seed, endpoint);
            schedule(endpoint, -1);
        }
    }

    std::int64_t run(std::int64_t until, bool counting, std::int64_t last, bool drain, Stop& stop) override {
        if (until > kMostCycles) throw std::invalid_argument("more cycles than a simulation counts");
        counting_ = counting, last_ = last;
        constexpr std::int64_t cycles_per_look = 16;
        for (; now_ < until; ++now_) {
            if (now_ % cycles_per_look == 0 && stop) break;
            if (drain && drained()) break;
            flits_due_.turn_to(now_);
            credits_due_.turn_to(now_);
            taken_due_.turn_to(now_);
            entry_credits_due_.turn_to(now_);
            take_at_endpoints();
            send_from_endpoints();
            work_in_routers();
        }
        return now_;
    }

    void clear() override {
        statistics.clear();
        for (std::size_t output = 0; output < outputs_.size(); ++output)
            outputs_[output].carried = static_cast<std::uint32_t>(leaving_of(outputs_[output]));
    }

    void forget() override {
        for (std::size_t packet = 0; packet < fresh_packet_; ++packet) packets_[packet].wanted = false;
        live_wanted_ = 0;
    }

    std::vector<std::int64_t> carried() const override {
        std::vector<std::int64_t> flits(outputs_.size());
        for (std::size_t output = 0; output < outputs_.size(); ++output)
            flits[output] = outputs_[output].carried - leaving_of(outputs_[output]);
        return flits;
    }

    std::vector<std::int64_t> reached() const override {
        std::vector<std::int64_t> cycles;
        for (std::size_t endpoint = 0; endpoint < plan_->endpoints; ++endpoint) cycles.push_back(reached(endpoint));
        return cycles;
    }

    std::vector<std::int64_t> waiting() const override {
        std::vector<std::int64_t> rows;
        for (std::size_t router = 0; router < routers_; ++router)
            for (std::size_t line = 0; line < per_router_; ++line) {
                const Line& here = lines_[router * per_router_ + line];
                if (!here.visible) continue;
                rows.insert(rows.end(), {std::int64_t(router), std::int64_t(line >> shift_),
                                         std::int64_t(line & channel_mask()), here.visible});
                const bool holds = here.state == kSending;
                if (here.state < kAsking)
                    rows.insert(rows.end(), {-1, -1, -1, -1});
                else
                    rows.insert(rows.end(), {here.choice.port, holds ? here.channel : here.choice.first,
                                             holds ? here.channel : here.choice.last, holds});
            }
        return rows;
    }

    std::vector<std::int64_t> unfinished() const override {
        std::vector<const Packet*> live;
        for (std::size_t packet = 0; packet < fresh_packet_; ++packet)
            if (packets_[packet].live) live.push_back(&packets_[packet]);
        std::sort(live.begin(), live.end(), [](const Packet* one, const Packet* other) {
            return one->source != other->source ? one->source < other->source : one->number < other->number;
        });
        std::vector<std::int64_t> rows;
        for (const Packet* packet : live)
            rows.insert(rows.end(), {packet->source, packet->made, packet->destination, packet->entered, -1, -1});
        return rows;
    }

private:
    // An output virtual channel: its credits, the input line that holds it, and the one that it prefers next.
    struct Held {
        std::uint16_t credits, grant, holder;
    };
    struct Input {
        std::int32_t credit_left;  // the cycle in which the last credit left
        std::int32_t upstream;  // output port, or -2 - endpoint
        std::uint16_t delay, accept;
        std::uint8_t offset, kind;
    };
    struct alignas(64) Output {
        Mask<W> asking, ready;  // input lines that want a virtual channel; that could send a flit
        Word free;  // virtual channels that no packet holds
        std::int32_t left;  // the cycle in which the last flit left
        std::int32_t end;
        std::uint32_t used;  // credits
        std::uint32_t carried;  // flits, for statistics
        std::uint16_t delay, grant;
        std::uint8_t kind;
    };
    // Of an input virtual channel: one more output virtual channel that its packet asks for, at this port or another.
    struct Escape {
        std::uint16_t port;
        std::uint8_t channel;
        bool offered;
    };
    // Of a router: lines to be routed, and output ports that lines ask for or could send to.
    struct Work {
        Mask<W> routing, asked, ready;
    };
    // Where the parts of a router lie.
    struct At {
        std::size_t router;
        Output* outputs;
        Input* inputs;
        Line* lines;
        Held* held;
        Work& work;
    };
    struct Source {
        std::uint64_t key;
        std::int64_t made;  // the draw of its packet, or of the next one
        std::uint32_t packet, left, number;
        std::int16_t channel = -1;  // that of the last head; -1 before the first
        std::uint16_t traffic = 0;  // of its packet, or of the next one
    };
    // ---- what is where

    // Flits that the switch has let pass, and that leave in this cycle or later: one a cycle.
    std::int64_t leaving_of(const Output& output) const { return std::max<std::int64_t>(0, output.left + 1 - now_); }

    static int shift_of(std::size_t channels) {
        int shift = 0;
        while (std::size_t{1} << shift < channels) ++shift;
        return shift;
    }
    std::size_t channel_mask() const { return (std::size_t{1} << shift_) - 1; }
    std::size_t exit_room() const { return channels_ * buffer_; }
    std::size_t soon() const {
        const std::int32_t most = *std::max_element(plan_->delays, plan_->delays + routers_ * ports_);
        return static_cast<std::size_t>(most) + plan_->credit_delay + 12;
    }
    std::size_t most_packets() const {
        const std::size_t rooms = 2 * routers_ * per_router_ * buffer_ + 2 * plan_->endpoints;
        return std::min<std::size_t>(rooms, std::size_t{1} << 24);
    }

    // A router and one of its ports, by their number, in one number that takes no division to take apart.
    std::int32_t packed(std::size_t port) const {
        return static_cast<std::int32_t>((port / ports_) << kPortBits | port % ports_);
    }
    static std::size_t router_of(std::int32_t packed) { return static_cast<std::size_t>(packed) >> kPortBits; }
    static std::size_t port_of(std::int32_t packed) { return packed & ((std::size_t{1} << kPortBits) - 1); }

    void connect() {
        const Plan& plan = *plan_;
        const std::size_t ports = routers_ * ports_;
        for (std::size_t input = 0; input < ports; ++input) inputs_[input].upstream = -1, inputs_[input].kind = 2;
        for (std::size_t output = 0; output < ports; ++output) {
            Output& here = outputs_[output];
            here.end = plan.ends[output] < 0 ? plan.ends[output] : packed(plan.ends[output]);
            here.delay = static_cast<std::uint16_t>(plan.delays[output]);
            here.kind = static_cast<std::uint8_t>(plan.class_width ? plan.kinds[output] : 0);
            here.free = plan.channels == kWordBits ? ~Word{0} : bit_of(plan.channels) - 1;
            here.left = -1;
            if (here.end >= 0) {
                Input& there = inputs_[plan.ends[output]];
                there.upstream = packed(output);
                there.delay = here.delay;
                there.kind = here.kind;
            } else if (here.end < -1) {
                exits_[-2 - here.end] = packed(output);
            }
        }
        for (std::size_t endpoint = 0; endpoint < plan.endpoints; ++endpoint) {
            Input& entry = inputs_[plan.entries[endpoint]];
            entry.upstream = -2 - static_cast<std::int32_t>(endpoint);
            entry.delay = 1;
            entries_[endpoint] = packed(plan.entries[endpoint]);
            homes_[endpoint] = static_cast<std::uint32_t>(router_of(entries_[endpoint]));
        }
        for (std::size_t input = 0; input < ports; ++input) inputs_[input].credit_left = -1;
        for (std::size_t held = 0; held < routers_ * per_router_; ++held)
            held_[held].credits = static_cast<std::uint16_t>(plan.buffer);
    }

    // ---- endpoints

    bool drained() {
        if (live_wanted_) return false;
        for (std::size_t endpoint = 0; endpoint < plan_->endpoints; ++endpoint)
            if (reached(endpoint) < last_) return false;
        return true;
    }

    // The cycle from which on packets of an endpoint are still to be drawn.
    std::int64_t reached(std::size_t endpoint) const {
        const Source& source = sources_[endpoint];
        return std::min(source.packet != kNoPacket ? source.made + 1 : wake_[endpoint], now_);
    }

    // Flits and credits arrive at endpoints, 64 of these at a time; what will be read of packets is brought near first.
    void take_at_endpoints() {
        const Plan& plan = *plan_;
        const std::size_t words = 1 + plan.endpoints / kWordBits;
        for (std::size_t word = 0; word < words; ++word) {
            const std::size_t first = word * kWordBits;
            taken_due_.foresee(word, [&](std::size_t bit, std::size_t) { __builtin_prefetch(&leaving_[first + bit]); });
            taken_due_.foresee(word, [&](std::size_t bit, std::size_t) {
                __builtin_prefetch(&packets_[leaving_[first + bit].front().packet()]);
            });
            taken_due_.arrive(word, [&](std::size_t bit, std::size_t channel) { take_flit(first + bit, channel); });
            entry_credits_due_.arrive(word, [&](std::size_t bit, std::size_t channel) {
                ++entry_credits_[(first + bit) * plan.channels + channel];
            });
        }
    }

    void take_flit(std::size_t endpoint, std::size_t channel) {
        const Flit flit = leaving_[endpoint].pop(&exit_rings_[endpoint * exit_room()], exit_room());
        Packet& packet = packets_[flit.packet()];
        ++statistics.sums[kTaken];
        ++statistics.taken[endpoint];
        if (packet.flits > 1) crossings_[flit.packet()] += now_;
        --live_flits, live_made -= packet.made;
        moved = now_;
        const std::size_t router = router_of(exits_[endpoint]), port = port_of(exits_[endpoint]);
        credits_due_.enter(now_ + 1 + outputs_[router * ports_ + port].delay + credit_delay_, router, port, channel);
        if (flit.head()) packet.arrived = static_cast<std::int32_t>(now_);
        if (flit.tail()) finish(packet, flit);
    }

    void finish(Packet& packet, Flit flit) {
        statistics.sums[kFlitLatency] += packet.flits > 1 ? crossings_[flit.packet()] : now_ - packet.entered;
        if (packet.wanted) statistics.deliver(packet, flit.hops(), now_);
        live_wanted_ -= packet.wanted;
        if (plan_->logged)
            log.insert(log.end(), {packet.source, packet.made, packet.destination, packet.entered, now_,
                                   static_cast<std::int64_t>(flit.hops())});
        packet.live = false;
        free_packets_.push_back(static_cast<std::uint32_t>(flit.packet()));
    }

    void send_from_endpoints() {
        for (std::size_t endpoint = 0; endpoint < plan_->endpoints; ++endpoint) {
            if (wake_[endpoint] > now_) continue;
            if (sources_[endpoint].packet == kNoPacket) take_up(endpoint);
            send(endpoint);
        }
    }

    // Draws when the source makes its next packet, the first draw being for the cycle after `before`.
    void schedule(std::size_t endpoint, std::int64_t before) {
        Source& source = sources_[endpoint];
        source.packet = kNoPacket;
        if (plan_->replays) {
            const std::int64_t row = plan_->replay_rows[endpoint] + source.number;
            source.made = row < plan_->replay_rows[endpoint + 1] ? plan_->replay[3 * row] : kNever;
        } else {
            schedule_drawn(endpoint, source, before);
        }
        wake_[endpoint] = source.made;
    }

    void schedule_drawn(std::size_t endpoint, Source& source, std::int64_t before) const {
        const Plan& plan = *plan_;
        const std::uint64_t word = draw(source.key, 8 * std::uint64_t{source.number} + 4);
        std::int32_t row = plan.rate_of[source.traffic * plan.endpoints + endpoint];
        if (plan.after && before >= 0) row = plan.after[row];
        source.made = drawn_after(before, row, word);
        while (source.traffic + std::size_t{1} < plan.traffics && source.made >= plan.since[source.traffic + 1]) {
            ++source.traffic;
            row = plan.rate_of[source.traffic * plan.endpoints + endpoint];
            source.made = drawn_after(plan.since[source.traffic] - 1, row, draw(word, source.traffic));
        }
    }

    std::int64_t drawn_after(std::int64_t before, std::int32_t row, std::uint64_t word) const {
        const Plan& plan = *plan_;
        if (row < 0) return kNever;
        std::int64_t made = before + 1;
        const std::uint64_t* shares = plan.gaps + row * plan.gap_steps;
        for (; word > shares[plan.gap_steps - 1]; word = draw(word, 0)) {
            made += static_cast<std::int64_t>(plan.gap_steps);
            if (plan.longer) shares = plan.gaps + (row = plan.longer[row]) * plan.gap_steps;
        }
        return made + static_cast<std::int64_t>(place_of(shares, plan.gap_steps, word));
    }

    void take_up(std::size_t endpoint) {
        const Plan& plan = *plan_;
        Source& source = sources_[endpoint];
        std::uint32_t number;
        if (!free_packets_.empty()) {
            number = free_packets_.back();
            free_packets_.pop_back();
        } else {
            if (fresh_packet_ == packets_.size())
                throw std::length_error("more packets are under way than a simulation has numbers for");
            number = static_cast<std::uint32_t>(fresh_packet_++);
        }
        Packet& packet = packets_[number];
        packet = {};
        packet.made = static_cast<std::int32_t>(plan.queued ? source.made : now_);
        packet.entered = -1;
        packet.source = static_cast<std::uint32_t>(endpoint);
        packet.number = source.number;
        packet.live = true;
        if (plan.replays) {
            const std::int64_t* row = plan.replay + 3 * (plan.replay_rows[endpoint] + source.number);
            packet.destination = static_cast<std::uint32_t>(row[1]);
            packet.flits = static_cast<std::uint16_t>(row[2]);
        } else {
            packet.destination = static_cast<std::uint32_t>(destination(endpoint, word_of(source, 0)));
            packet.flits = static_cast<std::uint16_t>(
                plan.sizes[plan.size_count > 1 ? place_of(plan.size_shares, plan.size_count, word_of(source, 1)) : 0]);
        }

        // Within a router, there is no router between.
        const bool home = plan.through == kOtherRouter && homes_[endpoint] == homes_[packet.destination];
        packet.leg = plan.way != 1 || home;
        if (!packet.leg) packet.through = static_cast<std::uint32_t>(intermediate(packet, word_of(source, 2)));
        packet.wanted = counting_ && packet.made < last_;
        statistics.sums[kMade] += 1;
        statistics.sums[kWanted] += packet.wanted;
        live_wanted_ += packet.wanted;
        live_flits += packet.flits, live_made += std::int64_t{packet.made} * packet.flits;
        if (packet.flits > 1) crossings_[number] = 0;
        source.packet = number;
        source.left = packet.flits;
        wake_[endpoint] = -1;
        ++source.number;
    }

    std::uint64_t word_of(const Source& source, std::uint64_t kind) const {
        return draw(source.key, 8 * std::uint64_t{source.number} + kind);
    }

    std::size_t destination(std::size_t endpoint, std::uint64_t word) const {
        const Plan& plan = *plan_;
        const std::int32_t row = plan.destination_of[sources_[endpoint].traffic * plan.endpoints + endpoint];
        if (row == -1) return below(word, plan.endpoints);
        if (row == -2) {
            const std::size_t other = below(word, plan.endpoints - 1);
            return other + (other >= endpoint);
        }
        const std::int64_t begin = plan.destination_rows[row];
        return plan.destinations[begin + place_of(plan.destination_shares + begin,
                                                  plan.destination_rows[row + 1] - begin, word)];
    }

    std::size_t intermediate(const Packet& packet, std::uint64_t word) const {
        const Plan& plan = *plan_;
        std::size_t one = homes_[packet.source], other = homes_[packet.destination];
        switch (plan.through) {
            case 0: return homes_[below(word, plan.endpoints)];
            case 1: {
                if (one > other) std::swap(one, other);
                std::size_t router = below(word, routers_ - 1 - (one != other));
                router += router >= one;
                return router + (one != other && router >= other);
            }
            default: {
                std::size_t router = 0, power = 1;
                for (std::size_t digit = 0; digit < plan.dimensions; ++digit) {
                    const std::size_t radix = plan.radices[digit], here = one / power % radix;
                    const std::size_t there = other / power % radix;
                    const std::size_t least = plan.through == 2 ? 0 : std::min(here, there);
                    const std::size_t width = plan.through == 2 ? radix : std::max(here, there) - least + 1;
                    router += power * (here == there ? here : least + below(draw(word, 64 + digit), width));
                    power *= radix;
                }
                return router;
            }
        }
    }

    void send(std::size_t endpoint) {
        const Plan& plan = *plan_;
        Source& source = sources_[endpoint];
        Packet& packet = packets_[source.packet];
        std::uint16_t* credits = &entry_credits_[endpoint * plan.channels];
        const bool head = source.left == packet.flits, tail = source.left == 1;
        if (head) {
            const int channel = entry_channel(source, credits);
            if (channel < 0) return;
            source.channel = static_cast<std::int16_t>(channel);
            packet.entered = static_cast<std::int32_t>(now_);
        } else if (!credits[source.channel]) {
            return;
        }
        --credits[source.channel];
        Flit flit(source.packet, head, tail);
        if (head) {
            const std::size_t from = homes_[endpoint], to = homes_[packet.destination];
            flit.target(packet.leg ? to : packet.through);
            flit.phase(plan.way == 2 ? kUndecided : plan.start[packet.leg ? 0 : 1]);
            if (plan.start_classes) flit.group(plan.start_class[from * routers_ + to]);
        }
        put(entries_[endpoint], source.channel, flit, now_ + 2);
        ++statistics.sums[kSent];
        ++statistics.sent[endpoint];
        moved = now_;
        if (packet.flits > 1) crossings_[source.packet] -= now_;
        --source.left;
        if (tail) schedule(endpoint, source.made);
    }

    int entry_channel(const Source& source, const std::uint16_t* credits) const {
        const int first = static_cast<int>(plan_->entry_first), last = static_cast<int>(plan_->entry_last);
        const int width = last - first + 1;
        if (plan_->entry_drawn) {
            const int channel =
                first + static_cast<int>(below(draw(source.key, (std::uint64_t{1} << 50) + now_), width));
            return credits[channel] ? channel : -1;
        }
        if (source.channel < first || source.channel > last) return credits[first] ? first : -1;
        for (int turn = 1, channel = source.channel; turn <= width; ++turn) {
            if (++channel > last) channel = first;
            if (credits[channel]) return channel;
        }
        return -1;
    }

    // Puts a flit into an input virtual channel, where it is seen from the cycle in which it arrives.
    void put(std::int32_t input, std::size_t channel, Flit flit, std::int64_t arrives) {
        const std::size_t router = router_of(input), port = port_of(input);
        const std::size_t place = router * per_router_ + (port << shift_ | channel);
        lines_[place].push(flit, &rings_[place * buffer_], buffer_);
        flits_due_.enter(arrives, router, port, channel);
    }

    // ---- routers

    void work_in_routers() {
        // All routers make their steps at the same moments.
        owed_ += plan_->steps;
        const int steps = static_cast<int>(owed_ / 1000);
        owed_ %= 1000;
        for (std::size_t router = 0; router < routers_; ++router) {
            const At at{router,
                        &outputs_[router * ports_],
                        &inputs_[router * ports_],
                        &lines_[router * per_router_],
                        &held_[router * per_router_],
                        work_[router]};
            receive(at);
            for (int step = 0; step < steps; ++step) {
                if (at.work.routing.empty() && at.work.asked.empty() && at.work.ready.empty()) break;
                make_step(at, step, static_cast<std::int32_t>(step + 1 < steps ? now_ : now_ + 1));
            }
        }
    }

    void receive(const At& at) {
        foresee(at);
        credits_due_.arrive(at.router, [&](std::size_t port, std::size_t channel) {
            Held& held = at.held[port << shift_ | channel];
            Output& output = at.outputs[port];
            --output.used;
            if (held.credits++ != 0 || output.free & bit_of(channel)) return;
            if (at.lines[held.holder].visible) set_ready(at, port, held.holder);
        });
        flits_due_.arrive(at.router, [&](std::size_t port, std::size_t channel) {
            const std::size_t line = port << shift_ | channel;
            Line& here = at.lines[line];
            ++here.visible;
            if (here.state == kIdle) {
                begin_packet(at, line, 0);
            } else if (here.state == kSending && here.visible == 1 &&
                       at.held[std::size_t{here.choice.port} << shift_ | here.channel].credits) {
                set_ready(at, here.choice.port, line);
            }
        });
    }

    // Has the memory brought near that is read soon: of the flits that arrive here, what their routes are read from;
    // of those that arrive at the next router, their lines.
    void foresee(const At& at) {
        flits_due_.foresee(at.router, [&](std::size_t port, std::size_t channel) {
            Line& here = at.lines[port << shift_ | channel];
            if (here.state != kIdle) return;
            const Flit flit = here.front();
            if (flit.target() == at.router)
                __builtin_prefetch(&packets_[flit.packet()]);
            else if (flit.phase() != kUndecided)
                plan_->foresee_set(flit.phase(), at.router, flit.target());
        });
        if (at.router + 1 < routers_)
            flits_due_.foresee(at.router + 1, [&](std::size_t port, std::size_t channel) {
                __builtin_prefetch(&lines_[(at.router + 1) * per_router_ + (port << shift_ | channel)]);
            });
    }

    void set_ready(const At& at, std::size_t port, std::size_t line) {
        at.outputs[port].ready.set(line);
        at.work.ready.set(port);
    }

    void begin_packet(const At& at, std::size_t line, int step) {
        Line& here = at.lines[line];
        if (lookahead_) {
            ask(at, line, step);
        } else {
            here.state = kRouting;
            at.work.routing.set(line);
        }
    }

    // Routes the packet that is first on a line, which then asks for virtual channels.
    void ask(const At& at, std::size_t line, int step) {
        Line& here = at.lines[line];
        here.choice = route(at, line, step);
        here.state = kAsking;
        ask_at(at, line, here.choice.port);
        if (plan_->escapes && escapes_[at.router * per_router_ + line].offered)
            ask_at(at, line, escapes_[at.router * per_router_ + line].port);
    }

    void ask_at(const At& at, std::size_t line, std::size_t port) {
        at.outputs[port].asking.set(line);
        at.work.asked.set(port);
    }

    struct Assigned {
        std::uint16_t line, port, channel;
    };
    struct Granted {
        std::uint16_t port, output;
        std::uint8_t channel;
    };

    // All decide by what is there before the step; then it takes effect: virtual channels, routes, flits.
    void make_step(const At& at, int step, std::int32_t leaves) {
        Granted granted[W * kWordBits];
        const std::size_t grants = allocate_switch(at, granted);
        for (std::size_t grant = 0; grant < grants; ++grant) foresee_move(at, granted[grant]);
        allocate_channels(at);
        Mask<W>& routing = at.work.routing;
        if (!routing.empty()) {
            routing.each([&](std::size_t line) { ask(at, line, step); });
            routing = {};
        }
        for (std::size_t grant = 0; grant < grants; ++grant) move(at, granted[grant], step, leaves);
    }

    // Every output port grants one input port, every input port accepts one output port (iSLIP, one iteration).
    std::size_t allocate_switch(const At& at, Granted* granted) {
        Work& work = at.work;
        if (work.ready.empty()) return 0;
        Mask<W> inputs{};
        std::uint16_t best[W * kWordBits];
        work.ready.each([&](std::size_t port) {
            const Output& output = at.outputs[port];
            if (output.ready.empty()) {
                work.ready.clear(port);
                return;
            }
            const std::size_t input = output.ready.first_from(std::size_t{output.grant} << shift_) >> shift_;
            if (inputs.holds(input)) {
                const std::size_t accept = at.inputs[input].accept;
                // Ports come in ascending order: a later one is better only as the first that is not below `accept`.
                if (best[input] >= accept || port < accept) return;
            }
            inputs.set(input);
            best[input] = static_cast<std::uint16_t>(port);
        });
        std::size_t grants = 0;
        inputs.each([&](std::size_t port) {
            Input& input = at.inputs[port];
            Output& output = at.outputs[best[port]];
            const std::size_t base = port << shift_;
            const Word ready = output.ready.words[base / kWordBits] >> base % kWordBits & line_mask();
            const Word after = ready & ~Word{0} << input.offset;
            const std::size_t channel = bit_number(after ? after : ready);
            output.grant = static_cast<std::uint16_t>(port + 1);
            input.accept = static_cast<std::uint16_t>(best[port] + 1);
            input.offset = static_cast<std::uint8_t>(channel + 1 == channels_ ? 0 : channel + 1);
            granted[grants++] = {static_cast<std::uint16_t>(port), best[port], static_cast<std::uint8_t>(channel)};
        });
        return grants;
    }

    Word line_mask() const { return channels_ == kWordBits ? ~Word{0} : bit_of(channels_) - 1; }

    // Every free virtual channel grants one line that asks for it, every line accepts one; those that were free
    // before this step.
    void allocate_channels(const At& at) {
        if (plan_->escapes)
            allocate_channels<true>(at);
        else
            allocate_channels<false>(at);
    }

    template <bool kEscaping>
    void allocate_channels(const At& at) {
        Work& work = at.work;
        Assigned assigned[kEscaping ? W * kWordBits : kWordBits];
        std::size_t count = 0;
        work.asked.each([&](std::size_t port) {
            Output& output = at.outputs[port];
            if (output.asking.empty()) {
                work.asked.clear(port);
                return;
            }
            if (!output.free) return;
            if (!kEscaping && output.asking.single()) {
                hold_first(at, port, output);
                return;
            }
            count = assign_channels<kEscaping>(at, port, output, assigned, count);
            if (kEscaping) return;  // others may yet grant the same lines
            hold_channels<false>(at, port, assigned, count);
            count = 0;
        });
        if (kEscaping) hold_channels<true>(at, 0, assigned, count);
    }

    // Gives the only line that asks the first free virtual channel at or after the one that it prefers.
    void hold_first(const At& at, std::size_t port, const Output& output) {
        const std::size_t line = output.asking.first_from(0), base = port << shift_;
        const Line& here = at.lines[line];
        const Word upto = here.choice.last + std::size_t{1} == kWordBits ? ~Word{0} : bit_of(here.choice.last + 1) - 1;
        const Word open = output.free & upto & ~Word{0} << here.choice.first;
        if (!open) return;
        const bool within = here.accept > base && here.accept < base + channels_;
        const Word after = within ? open & ~Word{0} << (here.accept - base) : open;
        const Assigned assigned{static_cast<std::uint16_t>(line), static_cast<std::uint16_t>(port),
                                static_cast<std::uint16_t>(bit_number(after ? after : open))};
        hold_channels<false>(at, port, &assigned, 1);
    }

    // Adds what the virtual channels of a port grant to what lower ports have granted; returns how many that are.
    template <bool kEscaping>
    std::size_t assign_channels(const At& at, std::size_t port, const Output& output, Assigned* assigned,
                                std::size_t count) const {
        const Line* lines = at.lines;
        const Held* held = &at.held[port << shift_];
        for (Word left = output.free; left; left &= left - 1) {
            const std::size_t channel = bit_number(left);
            const std::size_t line =
                first_asking<kEscaping>(at, lines, output.asking, held[channel].grant, port, channel);
            if (line == per_router_) continue;
            std::size_t place = 0;
            while (place < count && assigned[place].line != line) ++place;
            if (place < count) {  // granted twice: it accepts the first at or after the one that it prefers
                const std::size_t accept = lines[line].accept;
                const std::size_t before = std::size_t{assigned[place].port} << shift_ | assigned[place].channel;
                if (before >= accept || (port << shift_ | channel) < accept) continue;
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
    void hold_channels(const At& at, std::size_t one_port, const Assigned* assigned, std::size_t count) {
        for (std::size_t place = 0; place < count; ++place) {
            const std::size_t line = assigned[place].line, channel = assigned[place].channel;
            const std::size_t port = kEscaping ? assigned[place].port : one_port;
            Line& here = at.lines[line];
            Output& output = at.outputs[port];
            Held& held = at.held[port << shift_ | channel];
            if (kEscaping) {
                at.outputs[here.choice.port].asking.clear(line);
                at.outputs[escapes_[at.router * per_router_ + line].port].asking.clear(line);
                here.choice.port = static_cast<std::uint16_t>(port);
            }
            here.state = kSending;
            here.channel = static_cast<std::uint8_t>(channel);
            here.accept = static_cast<std::uint16_t>((port << shift_ | channel) + 1);
            held.grant = static_cast<std::uint16_t>(line + 1);
            held.holder = static_cast<std::uint16_t>(line);
            output.free &= ~bit_of(channel);
            output.asking.clear(line);
            if (held.credits) set_ready(at, port, line);
        }
    }

    // The first line at or after a preferred one, and then from the beginning, that asks for the virtual channel.
    template <bool kEscaping>
    std::size_t first_asking(const At& at, const Line* lines, Mask<W> asking, std::size_t preferred, std::size_t port,
                             std::size_t channel) const {
        while (!asking.empty()) {
            const std::size_t line = asking.first_from(preferred);
            const Choice& choice = lines[line].choice;
            const bool within = choice.first <= channel && channel <= choice.last;
            if (kEscaping ? (within && choice.port == port) || escapes_to(at, line, port, channel) : within)
                return line;
            asking.clear(line);
        }
        return per_router_;
    }

    // Has the line brought near that a flit is about to be moved to.
    void foresee_move(const At& at, const Granted& won) const {
        const std::int32_t end = at.outputs[won.output].end;
        if (end < 0) {
            __builtin_prefetch(&leaving_[-2 - end]);
            return;
        }
        const Line& here = at.lines[std::size_t{won.port} << shift_ | won.channel];
        __builtin_prefetch(&lines_[router_of(end) * per_router_ + (port_of(end) << shift_ | here.channel)], 1);
    }

    bool escapes_to(const At& at, std::size_t line, std::size_t port, std::size_t channel) const {
        const Escape& escape = escapes_[at.router * per_router_ + line];
        return escape.offered && escape.port == port && escape.channel == channel;
    }

    // Moves the flit that won the switch on to where it goes next, and sends the credit for its room back.
    void move(const At& at, const Granted& won, int step, std::int32_t leaves) {
        const std::size_t line = std::size_t{won.port} << shift_ | won.channel;
        const std::size_t place = at.router * per_router_ + line;
        Line& here = lines_[place];
        Input& input = at.inputs[won.port];
        Output& output = at.outputs[won.output];
        Held& held = at.held[std::size_t{won.output} << shift_ | here.channel];

        Flit flit = here.pop(&rings_[place * buffer_], buffer_);
        flit.hop();
        if (flit.head()) {
            flit.phase(here.channel < here.choice.below ? here.choice.phase_below : here.choice.phase);
            flit.group(here.choice.group);
        }
        --held.credits;
        ++output.used;
        ++output.carried;
        moved = now_;
        output.left = std::max(output.left + 1, leaves);
        deliver(output, here.channel, flit, output.left + 1 + output.delay);
        return_credit(input, won.channel);

        if (flit.tail()) {
            output.free |= bit_of(here.channel);
            output.ready.clear(line);
            here.state = kIdle;
            if (here.visible) begin_packet(at, line, step + 1);
        } else if (here.visible == 0 || held.credits == 0) {
            output.ready.clear(line);
        }
    }

    void deliver(const Output& output, std::size_t channel, Flit flit, std::int64_t arrives) {
        if (output.end >= 0) {
            put(output.end, channel, flit, arrives);
            return;
        }
        const std::size_t endpoint = -2 - output.end;
        leaving_[endpoint].push(flit, &exit_rings_[endpoint * exit_room()], exit_room());
        taken_due_.enter(arrives, endpoint / kWordBits, endpoint % kWordBits, channel);
    }

    void return_credit(Input& input, std::size_t channel) {
        input.credit_left = std::max(input.credit_left + 1, static_cast<std::int32_t>(now_));
        const std::int64_t readable = input.credit_left + 1 + input.delay;
        if (input.upstream >= 0) {
            credits_due_.enter(readable + credit_delay_, router_of(input.upstream), port_of(input.upstream), channel);
        } else {
            const std::size_t endpoint = -2 - input.upstream;
            entry_credits_due_.enter(readable, endpoint / kWordBits, endpoint % kWordBits, channel);
        }
    }

    // ---- routes

    Choice route(const At& at, std::size_t line, int step) {
        const std::size_t place = at.router * per_router_ + line;
        Flit& flit = lines_[place].front();
        if (flit.phase() == kUndecided) return decide(flit, at, line, step);
        while (at.router == flit.target() || (plan_->early && meets_destination(flit, at.router))) {
            Packet& packet = packets_[flit.packet()];
            if (packet.leg) return leave(flit, packet, place);
            packet.leg = 1;
            flit.target(homes_[packet.destination]);
            flit.phase(plan_->turn[flit.phase()]);
        }
        return hop(flit, at, line, option(at, flit.phase(), flit.target(), line, step));
    }

    bool meets_destination(Flit flit, std::size_t router) const {
        const Packet& packet = packets_[flit.packet()];
        return packet.leg == 0 && homes_[packet.destination] == router;
    }

    Choice leave(Flit flit, const Packet& packet, std::size_t place) {
        if (plan_->escapes) escapes_[place].offered = false;
        const std::int32_t* range = plan_->arrival + 2 * flit.phase();
        const std::size_t base = flit.group() * plan_->class_width;
        Choice choice{};
        choice.port = static_cast<std::uint16_t>(port_of(exits_[packet.destination]));
        require_channel(base + range[1]);
        choice.first = static_cast<std::uint8_t>(base + range[0]);
        choice.last = static_cast<std::uint8_t>(base + range[1]);
        choice.phase = static_cast<std::uint8_t>(flit.phase());
        choice.group = static_cast<std::uint8_t>(flit.group());
        return choice;
    }

    Choice hop(Flit flit, const At& at, std::size_t line, const Option& taken) {
        if (plan_->escapes) {
            const std::int32_t* escape = plan_->escapes + 2 * (&taken - plan_->options.data());
            escapes_[at.router * per_router_ + line] = {static_cast<std::uint16_t>(std::max(0, escape[0])),
                                                        static_cast<std::uint8_t>(escape[1]), escape[0] >= 0};
        }
        Choice choice{taken.port, taken.first, taken.last, taken.phase, taken.below, taken.phase_below, 0};
        const Output& output = at.outputs[taken.port];
        if (output.end < 0) throw std::invalid_argument("a route leads to a port without a channel to a router");
        if (plan_->class_width) {
            const Input& input = at.inputs[line >> shift_];
            const std::size_t group = flit.group() + plan_->rises[2 * input.kind + output.kind];
            const std::size_t base = group * plan_->class_width;
            require_channel(base + taken.last);
            choice.group = static_cast<std::uint8_t>(group);
            choice.first = static_cast<std::uint8_t>(base + taken.first);
            choice.last = static_cast<std::uint8_t>(base + taken.last);
        }
        return choice;
    }

    void require_channel(std::size_t channel) const {
        if (channel >= channels_)
            throw std::invalid_argument("a packet rises above the last class of virtual channels");
    }

    const Option& option(const At& at, std::size_t phase, std::size_t target, std::size_t line, int step) {
        const std::uint32_t set = plan_->set_of(phase, at.router, target);
        const Option *begin = &plan_->options[plan_->sets[set]], *end = &plan_->options[0] + plan_->sets[set + 1];
        if (end - begin == 1) return *begin;
        const std::uint64_t key = draw(plan_->seed, (std::uint64_t{1} << 32) + at.router);
        const std::uint64_t position = ((static_cast<std::uint64_t>(now_) * 64 + step) * 4096 + line) * 2;
        const std::uint64_t word = draw(key, position);
        switch (plan_->choice[phase]) {
            case 0: return *by_share(begin, word);
            case 1: return *least_used(at, begin, end, word);
            default: {
                const Option *one = by_share(begin, word), *other = by_share(begin, draw(key, position + 1));
                return used(at, *other) < used(at, *one) ? *other : *one;
            }
        }
    }

    static const Option* by_share(const Option* option, std::uint64_t word) {
        while (option->share < word >> 32) ++option;
        return option;
    }

    std::uint32_t used(const At& at, const Option& option) const { return at.outputs[option.port].used; }

    const Option* least_used(const At& at, const Option* begin, const Option* end, std::uint64_t word) const {
        std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
        std::size_t count = 0;
        for (const Option* option = begin; option != end; ++option) {
            const std::uint32_t queue = used(at, *option);
            if (queue < least) least = queue, count = 0;
            count += queue == least;
        }
        std::size_t chosen = below(word, count);
        for (const Option* option = begin;; ++option)
            if (used(at, *option) == least && chosen-- == 0) return option;
    }

    // At its source's router: straight, or over the best of the routers drawn for the packet.
    Choice decide(Flit& flit, const At& at, std::size_t line, int step) {
        const Plan& plan = *plan_;
        Packet& packet = packets_[flit.packet()];
        const std::size_t to = homes_[packet.destination];
        const std::uint64_t word = draw(sources_[packet.source].key, 8 * std::uint64_t{packet.number} + 2);
        flit.phase(plan.start[0]);
        if (at.router == to) return route(at, line, step);
        const Option* straight = &option(at, plan.start[0], to, line, step);
        if (same_group(at.router, to)) return hop(flit, at, line, *straight);
        const Option* detour = nullptr;
        std::int64_t least = kNever;
        std::size_t over = 0;
        for (int drawn = 0; drawn < plan.detours; ++drawn) {
            const std::size_t router_drawn = intermediate(packet, drawn ? draw(word, drawn) : word);
            if (router_drawn == at.router || router_drawn == to || same_group(at.router, router_drawn)) continue;
            const Option* first = &option(at, plan.start[1], router_drawn, line, step);
            const std::int64_t hops =
                plan.distances[at.router * routers_ + router_drawn] + plan.distances[router_drawn * routers_ + to];
            const std::int64_t cost = used(at, *first) * plan.bias[2] * (plan.bias[0] ? hops : 1);
            if (cost < least) least = cost, detour = first, over = router_drawn;
        }
        const std::int64_t hops = plan.distances[at.router * routers_ + to];
        const std::int64_t cost = used(at, *straight) * plan.bias[1] * (plan.bias[0] ? hops : 1);
        if (!detour || cost <= least + plan.bias[3]) return hop(flit, at, line, *straight);
        packet.leg = 0;
        packet.through = static_cast<std::uint32_t>(over);
        flit.target(over);
        flit.phase(plan.start[1]);
        return hop(flit, at, line, *detour);
    }

    bool same_group(std::size_t one, std::size_t other) const {
        return plan_->groups && plan_->groups[one] == plan_->groups[other];
    }

    std::unique_ptr<Plan> plan_;
    const std::size_t ports_, channels_, buffer_;
    const int shift_;
    const std::int64_t credit_delay_;
    const bool lookahead_;
    const std::size_t per_router_, routers_;
    std::vector<Source> sources_;
    std::vector<std::int64_t> wake_;  // by endpoint, the draw of the next packet; over while one is being sent
    std::vector<std::uint32_t> homes_;  // by endpoint, its router
    std::vector<std::int32_t> exits_, entries_;  // and its output and input ports, packed
    std::vector<std::uint16_t> entry_credits_;
    Zeros<Input> inputs_;
    Zeros<Output> outputs_;
    Zeros<Line> lines_;
    Zeros<Held> held_;
    Zeros<Escape> escapes_;
    Zeros<Flit> rings_, exit_rings_;
    Zeros<Line> leaving_;  // by endpoint: flits on their way to it
    Calendar<W> flits_due_, credits_due_;
    Calendar<1> taken_due_, entry_credits_due_;
    Zeros<Work> work_;
    Zeros<Packet> packets_;
    Zeros<std::int64_t> crossings_;  // by packet, of several flits: the cycles of their exits less those of entry
    std::vector<std::uint32_t> free_packets_;
    std::size_t fresh_packet_ = 0;
    std::int64_t now_ = 0, owed_ = 0, last_ = kNever, live_wanted_ = 0;
    bool counting_ = false;
};

}  // namespace topoctl
