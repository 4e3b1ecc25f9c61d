// What endpoints do in a cycle: they take flits and credits that arrive, draw packets, and send them flit by flit.
#pragma once

#include "messages.hpp"
#include "routes.hpp"
#include "statistics.hpp"

namespace topoctl {

constexpr std::uint32_t kNoPacket = ~std::uint32_t{0};

template <int W>
class Endpoints {
public:
    Endpoints(Network<W>& network, Statistics& statistics)
        : net_(network), statistics_(statistics), sources_(network.endpoints), wake_(1, kSoon),
          awake_(1 + network.endpoints / kWordBits),
          credits_(network.endpoints * network.channels, static_cast<std::uint16_t>(network.buffer)),
          messages_(*network.plan) {
        for (std::size_t endpoint = 0; endpoint < sources_.size(); ++endpoint) {
            sources_[endpoint].key = net_.draws.key(endpoint);
            schedule(endpoint, -1);
        }
    }

    // Statistics want the packets that are taken up meanwhile, if they are drawn before a last cycle.
    void count(bool counting, std::int64_t last) { counting_ = counting, last_ = last; }

    const Messages& messages() const { return messages_; }

    // Whether all wanted packets have arrived, and no source will make more of them; or all messages are over.
    bool drained() const {
        if (messages_) return messages_.left() == 0;
        if (statistics_.live_wanted) return false;
        for (std::size_t endpoint = 0; endpoint < sources_.size(); ++endpoint)
            if (reached(endpoint, net_.now) < last_) return false;
        return true;
    }

    // By endpoint, the cycle from which on its packets are still to be drawn, no later than this one.
    std::vector<std::int64_t> reached(std::int64_t cycle) const {
        std::vector<std::int64_t> cycles;
        for (std::size_t endpoint = 0; endpoint < sources_.size(); ++endpoint)
            cycles.push_back(reached(endpoint, cycle));
        return cycles;
    }

    void take() {
        for (std::size_t block = net_.router_blocks(); block < net_.blocks(); ++block) {
            const auto flits = net_.flits_due.arriving(block);
            if (net_.plan->logged)  // by endpoint, whatever way they came
                std::sort(flits.begin(), flits.end(),
                          [](const Moving& one, const Moving& other) { return one.line < other.line; });
            for (const Moving& one : flits) {
                if (flits.end() - &one > kAhead) __builtin_prefetch(&net_.packets[(&one)[kAhead].flit.packet()]);
                take_flit(one.flit, one.line);
            }
            net_.flits_due.clear(block);
            for (const Address line : net_.credits_due.arriving(block))
                ++credits_[net_.endpoint_of(line) * net_.channels + (line & net_.line_mask())];
            net_.credits_due.clear(block);
        }
    }

    void send() {
        if (messages_)
            messages_.settle(net_.now, [&](std::size_t endpoint) {
                if (sources_[endpoint].made == kNever) schedule(endpoint, net_.now);
            });
        wake_.turn_to(net_.now);
        for (const std::uint32_t endpoint : wake_.arriving(0)) awake_[endpoint / kWordBits] |= bit_of(endpoint);
        wake_.clear(0);
        for (std::size_t word = 0; word < awake_.size(); ++word)
            for (Word left = awake_[word]; left; left &= left - 1) {
                const std::size_t endpoint = word * kWordBits + bit_number(left);
                if (sources_[endpoint].packet == kNoPacket) take_up(endpoint);
                send_flit(endpoint);
            }
    }

    template <class Visit>
    void saved(Visit& visit) {
        visit("sources", sources_);
        visit("wake", wake_);
        visit("awake", awake_);
        visit("credits", credits_);
        visit("messages", messages_);
    }

private:
    static constexpr std::ptrdiff_t kAhead = 8;  // flits ahead of which the records of packets are brought near
    static constexpr std::size_t kSoon = 256;  // cycles in which most endpoints make their next packet

    struct Source {
        std::uint64_t key;
        std::int64_t made;  // the draw of its packet, or of the next one
        std::uint32_t packet, left, number;
        std::int32_t channel = -1;  // that of the last head; -1 before the first
        std::size_t traffic = 0;  // of its packet, or of the next one
    };

    std::int64_t reached(std::size_t endpoint, std::int64_t cycle) const {
        const Source& source = sources_[endpoint];
        return std::min(source.packet != kNoPacket ? source.made + 1 : source.made, cycle);
    }

    // ---- what arrives

    void take_flit(Flit flit, Address line) {
        const std::size_t endpoint = net_.endpoint_of(line);
        Packet& packet = net_.packets[flit.packet()];
        ++statistics_.sums[kTaken];
        ++statistics_.taken[endpoint];
        if (packet.flits > 1) net_.packets.crossing(flit.packet()) += net_.now;
        --statistics_.live_flits, statistics_.live_made -= packet.made;
        net_.moved = net_.now;
        const Exit& exit = net_.exits[endpoint];
        net_.send_credit(exit.output | static_cast<Address>(line & net_.line_mask()), net_.now + exit.credit_delay);
        if (flit.head()) packet.arrived = static_cast<std::int32_t>(net_.now);
        if (flit.tail()) finish(packet, flit);
    }

    void finish(const Packet& packet, Flit flit) {
        statistics_.sums[kFlitLatency] +=
            packet.flits > 1 ? net_.packets.crossing(flit.packet()) : net_.now - packet.entered;
        if (packet.wanted) statistics_.deliver(packet, flit.hops(), net_.now);
        statistics_.live_wanted -= packet.wanted;
        if (net_.plan->logged)
            statistics_.log.insert(statistics_.log.end(),
                                   {packet.source, packet.made, packet.destination, packet.entered, net_.now,
                                    static_cast<std::int64_t>(flit.hops())});
        if (messages_) messages_.arrive(net_.packets.message(flit.packet()), packet.flits);
        net_.packets.give_back(flit.packet());
    }

    // ---- packets

    // Draws when the source makes its next packet, the first draw being for the cycle after `before`.
    void schedule(std::size_t endpoint, std::int64_t before) {
        const Plan& plan = *net_.plan;
        Source& source = sources_[endpoint];
        source.packet = kNoPacket;
        if (messages_) {
            source.made = messages_.ready_at(endpoint);
        } else if (plan.replays) {
            const std::int64_t row = plan.replay_rows[endpoint] + source.number;
            source.made = row < plan.replay_rows[endpoint + 1] ? plan.replay[3 * row] : kNever;
        } else {
            const std::uint64_t word = word_of(source, kGap);
            source.made = net_.draws.made_after(before, source.number == 0, endpoint, source.traffic, word);
        }
        if (source.made <= net_.now) {
            awake_[endpoint / kWordBits] |= bit_of(endpoint);
            return;
        }
        awake_[endpoint / kWordBits] &= ~bit_of(endpoint);
        if (source.made < kMostCycles) wake_.enter(source.made, 0, static_cast<std::uint32_t>(endpoint));
    }

    void take_up(std::size_t endpoint) {
        Source& source = sources_[endpoint];
        source.packet = net_.packets.take_up();
        Packet& packet = net_.packets[source.packet];
        packet = {};
        packet.made = static_cast<std::int32_t>(net_.plan->queued ? source.made : net_.now);
        packet.entered = -1;
        packet.source = static_cast<std::uint32_t>(endpoint);
        packet.number = source.number;
        packet.live = true;
        address(packet, source);
        packet.wanted = counting_ && packet.made < last_;
        statistics_.sums[kMade] += 1;
        statistics_.sums[kWanted] += packet.wanted;
        statistics_.live_wanted += packet.wanted;
        statistics_.live_flits += packet.flits;
        statistics_.live_made += std::int64_t{packet.made} * packet.flits;
        if (packet.flits > 1) net_.packets.crossing(source.packet) = 0;
        source.left = packet.flits;
        ++source.number;
    }

    // Where to, how long, and over which router.
    void address(Packet& packet, const Source& source) {
        const Plan& plan = *net_.plan;
        const std::size_t endpoint = packet.source;
        if (messages_) {
            const Messages::Part part = messages_.next_packet(endpoint);
            packet.destination = part.destination;
            packet.flits = part.flits;
            net_.packets.message(source.packet) = part.message;
        } else if (plan.replays) {
            const std::int64_t* row = plan.replay + 3 * (plan.replay_rows[endpoint] + source.number);
            packet.destination = static_cast<std::uint32_t>(row[1]);
            packet.flits = static_cast<std::uint16_t>(row[2]);
        } else {
            packet.destination = static_cast<std::uint32_t>(
                net_.draws.destination(endpoint, source.traffic, word_of(source, kDestination)));
            packet.flits = static_cast<std::uint16_t>(
                plan.sizes[plan.size_count > 1 ? place_of(plan.size_shares, plan.size_count, word_of(source, kSize))
                                               : 0]);
        }
        const std::size_t from = net_.homes[endpoint], to = net_.homes[packet.destination];
        // Within a router, there is no router between.
        packet.leg = plan.way != 1 || (from == to && (plan.through == kOtherRouter || plan.through == kNextTo));
        if (!packet.leg)
            packet.through = static_cast<std::uint32_t>(
                net_.draws.intermediate(from, to, net_.homes, word_of(source, kIntermediate)));
    }

    static std::uint64_t word_of(const Source& source, Purpose purpose) {
        return Draws::word(source.key, source.number, purpose);
    }

    // ---- what is sent

    // Sends the next flit of the source's packet, if there is a credit.
    void send_flit(std::size_t endpoint) {
        Source& source = sources_[endpoint];
        Packet& packet = net_.packets[source.packet];
        std::uint16_t* credits = &credits_[endpoint * net_.channels];
        const bool head = source.left == packet.flits, tail = source.left == 1;
        if (head) {
            const int channel = entry_channel(source, credits);
            if (channel < 0) return;
            source.channel = channel;
            packet.entered = static_cast<std::int32_t>(net_.now);
        } else if (!credits[source.channel]) {
            return;
        }
        --credits[source.channel];
        Flit flit(source.packet, head, tail);
        if (head) set_out(flit, packet);
        net_.send(net_.entries[endpoint] | static_cast<Address>(source.channel), flit, net_.now + 2);
        ++statistics_.sums[kSent];
        ++statistics_.sent[endpoint];
        net_.moved = net_.now;
        if (packet.flits > 1) net_.packets.crossing(source.packet) -= net_.now;
        --source.left;
        if (!tail) return;
        if (messages_) messages_.send(net_.packets.message(source.packet), packet.flits, net_.now);
        schedule(endpoint, source.made);
    }

    void set_out(Flit& flit, const Packet& packet) const {
        const Plan& plan = *net_.plan;
        const std::size_t from = net_.homes[packet.source], to = net_.homes[packet.destination];
        flit.target(packet.leg ? to : packet.through);
        flit.phase(plan.way >= kDecided ? kUndecided : plan.start[packet.leg ? 0 : 1]);
        if (plan.start_classes) flit.group(plan.start_class[from * net_.routers + to]);
    }

    // Draws the virtual channel of a packet, or takes turns; -1 where there are not as many credits as heads want.
    int entry_channel(const Source& source, const std::uint16_t* credits) const {
        const std::uint16_t least = std::max<std::uint16_t>(1, net_.plan->head_room);
        if (net_.plan->entry_drawn) {
            const int channel = static_cast<int>(net_.draws.entry_channel(source.key, net_.now));
            return credits[channel] >= least ? channel : -1;
        }
        const int first = static_cast<int>(net_.plan->entry_first), last = static_cast<int>(net_.plan->entry_last);
        if (source.channel < first || source.channel > last) return credits[first] >= least ? first : -1;
        for (int turn = first, channel = source.channel; turn <= last; ++turn) {
            if (++channel > last) channel = first;
            if (credits[channel] >= least) return channel;
        }
        return -1;
    }

    Network<W>& net_;
    Statistics& statistics_;
    std::vector<Source> sources_;
    Calendar<std::uint32_t> wake_;  // endpoints, by the draws of their next packets
    std::vector<Word> awake_;  // endpoints with a packet
    std::vector<std::uint16_t> credits_;  // by endpoint and virtual channel, of its router's input
    Messages messages_;
    std::int64_t last_ = kNever;
    bool counting_ = false;
};

}  // namespace topoctl
