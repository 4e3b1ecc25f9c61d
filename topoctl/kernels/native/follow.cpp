// Packets followed to their destinations in virtual channels whose numbers should rise at every hop. Packets that are
// at a router in one phase and channel, by hops of one kind, go on alike: of these only the highest number counts.
// Places, a router in a phase, are left in an order in which all packets have come before any goes on. Where numbers
// rise over every two hops at all, and sources are not told apart, only the channels of packets are followed.
#include <limits>
#include <tuple>

#include "parallel.hpp"
#include "routes.hpp"

namespace topoctl {
namespace {

constexpr std::int32_t kNobody = -1, kSeveral = -2;
// Below all numbers.
constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kKinds = 2;

struct Network : Routes {
    const std::int32_t* numbers;  // by arc and channel
    const std::int8_t* kinds;
    const std::int8_t* raised;
    std::size_t channels;

    std::size_t lanes() const { return kKinds * channels; }
    std::int64_t number(std::size_t arc, std::size_t channel) const { return numbers[arc * channels + channel]; }
};

// What packets for one destination may do.
struct Toward {
    std::int32_t destination;
    const double* shares;        // by phase and arc
    const bool* sent;            // by router
    const std::int8_t* own;      // the channels of the routing, by phase and arc; null where it has none
    const std::int32_t* starts;  // the channels of first hops, by arc; null where they are those of the packets
};

// Packets that begin, by the arc that they take first.
struct Begun {
    const std::int64_t* first;
    const std::int32_t* packets;  // channel, where it does not go, source
};

struct Packet {
    std::int32_t phase, arc, channel, source;

    auto place() const { return std::tie(phase, arc, channel); }
};

std::int32_t joined(std::int32_t known, std::int32_t source) {
    return known == kNobody || known == source ? source : kSeveral;
}

// What packets meet that take an arc in a phase.
struct Hop {
    std::int32_t phase, arc;
    bool last;
    std::size_t place, kind;      // where the arc leads, and by which kind of hop
    const std::int32_t* numbers;  // by channel
};

// The packets at all places, by state: place, kind of the last hop, channel.
class States {
public:
    explicit States(const Network& network)
        : network_(network), highest_(network.places() * network.lanes(), kNothing),
          sources_(network.places() * network.lanes(), kNobody) {}

    // Takes packets over an arc, that held at most this number; false where it does not rise.
    bool take(const Hop& hop, std::int64_t channel, std::int32_t source, std::int64_t held,
              std::vector<Packet>& arrived) {
        if (channel < 0 || channel >= std::int64_t(network_.channels)) return false;
        const std::int64_t number = hop.numbers[channel];
        if (number <= held) return false;
        if (hop.last) {
            arrived.push_back({hop.phase, hop.arc, std::int32_t(channel), source});
            return true;
        }
        const std::size_t state = (hop.place * kKinds + hop.kind) * network_.channels + std::size_t(channel);
        highest_[state] = std::max(highest_[state], number);
        sources_[state] = joined(sources_[state], source);
        return true;
    }

    // Finds the packets at a place.
    void hold(std::size_t place) {
        held_.clear();
        std::size_t state = place * network_.lanes();
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            for (std::size_t channel = 0; channel < network_.channels; ++channel, ++state)
                if (sources_[state] != kNobody) held_.push_back({kind, channel, highest_[state], sources_[state]});
    }

    // Takes the packets that were found over an arc, into a channel of its own if there is one.
    bool pass(const Hop& hop, const std::int8_t* own, std::vector<Packet>& arrived) {
        for (const Held& held : held_) {
            const std::int64_t risen = network_.raised[held.kind * kKinds + hop.kind];
            const std::int64_t channel = own ? *own : std::int64_t(held.channel) + risen;
            if (!take(hop, channel, held.source, held.number, arrived)) return false;
        }
        return true;
    }

    void clear(std::size_t place) {
        const auto state = std::ptrdiff_t(place * network_.lanes());
        std::fill_n(highest_.begin() + state, network_.lanes(), kNothing);
        std::fill_n(sources_.begin() + state, network_.lanes(), kNobody);
    }

private:
    // Packets that go on alike.
    struct Held {
        std::size_t kind, channel;
        std::int64_t number;
        std::int32_t source;
    };

    Network network_;
    std::vector<std::int64_t> highest_;  // number in every state
    std::vector<std::int32_t> sources_;  // of the packets in every state
    std::vector<Held> held_;
};

// The channels of the packets at all places, by the kind of the last hop, as bits: all that counts where numbers rise
// over every two hops, and all packets come from several sources.
class Channels {
public:
    static constexpr std::size_t kMost = 32;

    explicit Channels(const Network& network) : network_(network), bits_(network.places() * kKinds) {}

    // Whether numbers rise over every two hops that meet at a router, in all channels.
    static bool suffice(const Network& network) {
        if (network.channels > kMost) return false;
        for (std::size_t kinds = 0; kinds < kKinds * kKinds; ++kinds)
            if (network.raised[kinds] < 0 || network.raised[kinds] >= std::int8_t(kMost)) return false;
        const std::size_t lanes = network.lanes();
        std::vector<std::int64_t> most(network.order * lanes, kNothing);  // into a router, by kind and channel
        for (std::size_t arc = 0; arc < network.arcs(); ++arc) {
            std::int64_t* there = &most[std::size_t(network.neighbors[arc]) * lanes];
            there += std::size_t(network.kinds[arc]) * network.channels;
            for (std::size_t channel = 0; channel < network.channels; ++channel)
                there[channel] = std::max<std::int64_t>(there[channel], network.number(arc, channel));
        }
        for (std::size_t router = 0; router < network.order; ++router)
            for (std::int32_t arc = network.offsets[router]; arc < network.offsets[router + 1]; ++arc)
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const std::size_t kind = lane / network.channels, kind_next = std::size_t(network.kinds[arc]);
                    const std::size_t risen = std::size_t(network.raised[kind * kKinds + kind_next]);
                    const std::size_t next = lane % network.channels + risen;
                    if (next < network.channels &&
                        network.number(std::size_t(arc), next) <= most[router * lanes + lane])
                        return false;
                }
        return true;
    }

    bool take(const Hop& hop, std::int64_t channel, std::int32_t, std::int64_t, std::vector<Packet>& arrived) {
        return channel >= 0 && channel < std::int64_t(network_.channels) && put(hop, Bits(1) << channel, arrived);
    }

    void hold(std::size_t place) { held_ = &bits_[place * kKinds]; }

    bool pass(const Hop& hop, const std::int8_t*, std::vector<Packet>& arrived) {
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            if (held_[kind] && !put(hop, held_[kind] << network_.raised[kind * kKinds + hop.kind], arrived))
                return false;
        return true;
    }

    void clear(std::size_t place) { std::fill_n(bits_.begin() + std::ptrdiff_t(place * kKinds), kKinds, 0); }

private:
    using Bits = std::uint64_t;

    bool put(const Hop& hop, Bits channels, std::vector<Packet>& arrived) {
        if (channels >> network_.channels) return false;
        if (!hop.last) bits_[hop.place * kKinds + hop.kind] |= channels;
        for (std::int32_t channel = 0; hop.last && channels >> channel; ++channel)
            if (channels >> channel & 1) arrived.push_back({hop.phase, hop.arc, channel, kSeveral});
        return true;
    }

    Network network_;
    std::vector<Bits> bits_;  // by place and kind
    const Bits* held_ = nullptr;
};

// One worker's destinations; its memory serves one after the other.
template <class Kept>
class Follower {
public:
    explicit Follower(const Network& network)
        : network_(network), kept_(network), visits_(network.places(), kUnseen), ways_(network.places()),
          onward_(network.shares() + 1) {}

    // Follows all packets for a destination; false where one can go no further, or to a number that does not rise.
    bool run(const Toward& toward, const Begun& begun, std::vector<Packet>& arrived) {
        toward_ = &toward;
        arrived_ = &arrived;
        const bool sound = begin(begun) && look_on() && go_on();
        for (const std::size_t place : reached_) {
            kept_.clear(place);
            visits_[place] = kUnseen;
        }
        reached_.clear();
        for (const std::size_t place : listed_) ways_[place] = {0, 0};
        listed_.clear();
        count_ = 0;
        left_.clear();
        join_arrived();
        return sound;
    }

private:
    enum Visit : char { kUnseen, kReached, kOpen, kLeft };

    // The arcs that may be taken at a place: from here to there in onward_; to 0 where they are not listed.
    struct Ways {
        std::size_t begin, end;
    };

    bool begin(const Begun& begun) {
        for (std::size_t router = 0; router < network_.order; ++router) {
            if (!toward_->sent[router]) continue;
            if (!list(router)) return false;
            for (std::size_t way = ways_[router].begin; way < ways_[router].end; ++way) {
                const std::int32_t arc = onward_[way];
                const Hop hop = over(0, arc);
                for (std::int64_t place = begun.first[arc]; place < begun.first[arc + 1]; ++place) {
                    const std::int32_t* packet = begun.packets + 3 * place;
                    if (packet[1] == toward_->destination) continue;
                    const std::int32_t channel = toward_->starts ? toward_->starts[arc] : packet[0];
                    if (!kept_.take(hop, channel, packet[2], kNothing, *arrived_)) return false;
                    if (!hop.last) reach(hop.place);
                }
            }
        }
        return true;
    }

    Hop over(std::size_t phase, std::int32_t arc) const {
        const std::int32_t head = network_.neighbors[arc];
        const auto next = std::size_t(network_.next_phase[phase * network_.arcs() + std::size_t(arc)]);
        const std::size_t place = next * network_.order + std::size_t(head), kind = std::size_t(network_.kinds[arc]);
        return {std::int32_t(phase),
                arc,
                head == toward_->destination,
                place,
                kind,
                network_.numbers + std::size_t(arc) * network_.channels};
    }

    void reach(std::size_t place) {
        if (visits_[place] != kUnseen) return;
        visits_[place] = kReached;
        reached_.push_back(place);
    }

    // Finds the order in which places are left, the last one first; false where a packet can go no further, or could
    // come back, which no numbers allow.
    bool look_on() {
        const std::size_t first_hops = reached_.size();
        for (std::size_t start = 0; start < first_hops; ++start) {
            if (visits_[reached_[start]] == kReached && !enter(reached_[start])) return false;
            while (!way_.empty()) {
                auto& [place, next] = way_.back();
                if (next == ways_[place].end) {
                    visits_[place] = kLeft;
                    left_.push_back(place);
                    way_.pop_back();
                    continue;
                }
                const Hop hop = over(place / network_.order, onward_[next++]);
                if (hop.last) continue;
                reach(hop.place);
                if (visits_[hop.place] == kOpen || (visits_[hop.place] == kReached && !enter(hop.place))) {
                    way_.clear();
                    return false;
                }
            }
        }
        return true;
    }

    // Looks at the ways on from a place next; false where there are none.
    bool enter(std::size_t place) {
        visits_[place] = kOpen;
        if (!list(place)) return false;
        way_.push_back({place, ways_[place].begin});
        return true;
    }

    // Lists the ways on from a place, once; false where there are none.
    bool list(std::size_t place) {
        if (ways_[place].end) return true;
        const std::size_t router = place % network_.order, begin = count_;
        const double* shares = toward_->shares + place / network_.order * network_.arcs();
        for (std::int32_t arc = network_.offsets[router]; arc < network_.offsets[router + 1]; ++arc) {
            onward_[count_] = arc;
            count_ += shares[arc] > 0;
        }
        if (count_ == begin) return false;
        ways_[place] = {begin, count_};
        listed_.push_back(place);
        return true;
    }

    // Follows what has come to each place, once all of it is there.
    bool go_on() {
        for (auto place = left_.rbegin(); place != left_.rend(); ++place) {
            const std::size_t phase = *place / network_.order;
            const std::int8_t* own = toward_->own ? toward_->own + phase * network_.arcs() : nullptr;
            kept_.hold(*place);
            for (std::size_t way = ways_[*place].begin; way < ways_[*place].end; ++way) {
                const std::int32_t arc = onward_[way];
                if (!kept_.pass(over(phase, arc), own ? own + arc : nullptr, *arrived_)) return false;
            }
        }
        return true;
    }

    // Each packet that arrived once, in order.
    void join_arrived() {
        std::sort(arrived_->begin(), arrived_->end(),
                  [](const auto& a, const auto& b) { return a.place() < b.place(); });
        std::size_t kept = 0;
        for (const Packet& packet : *arrived_) {
            if (kept && (*arrived_)[kept - 1].place() == packet.place())
                (*arrived_)[kept - 1].source = joined((*arrived_)[kept - 1].source, packet.source);
            else
                (*arrived_)[kept++] = packet;
        }
        arrived_->resize(kept);
    }

    Network network_;
    const Toward* toward_ = nullptr;
    std::vector<Packet>* arrived_ = nullptr;
    Kept kept_;
    std::vector<Visit> visits_;  // by place
    std::vector<Ways> ways_;  // by place
    std::vector<std::int32_t> onward_;
    std::size_t count_ = 0;  // of those listed
    std::vector<std::size_t> listed_, reached_, left_;  // places
    std::vector<std::pair<std::size_t, std::size_t>> way_;  // places, and which of their ways is next
};

// Numbers by arc and channel, given by channel and arc.
std::vector<std::int32_t> by_arc(const Table<std::int32_t>& numbers) {
    const std::size_t channels = numbers.shape(0), arcs = numbers.shape(1);
    std::vector<std::int32_t> turned(channels * arcs);
    for (std::size_t channel = 0; channel < channels; ++channel)
        for (std::size_t arc = 0; arc < arcs; ++arc)
            turned[arc * channels + channel] = numbers.data()[channel * arcs + arc];
    return turned;
}

// How the packets for each destination arrive, and where one meets a fault.
struct Found {
    std::vector<std::int64_t> faults;
    std::vector<std::vector<Packet>> arrived;
};

template <class Kept>
Found follow_all(const Network& network, const std::vector<Toward>& towards, const Begun& begun, std::size_t threads) {
    Found found{std::vector<std::int64_t>(towards.size()), std::vector<std::vector<Packet>>(towards.size())};
    threads = std::min(threads, 1 + towards.size() * network.shares() / kSharesPerThread);
    std::vector<std::unique_ptr<Follower<Kept>>> workers(threads);
    parallel_for(towards.size(), threads, [&](std::size_t worker, std::size_t row, Stop&) {
        auto& follower = workers[worker];
        if (!follower) follower = std::make_unique<Follower<Kept>>(network);
        found.faults[row] = !follower->run(towards[row], begun, found.arrived[row]);
        if (found.faults[row]) found.arrived[row].clear();
    });
    return found;
}

nb::tuple follow(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> destinations,
                 Cube<double> shares, Table<std::int8_t> next_phase, Table<bool> sent, Table<std::int32_t> numbers,
                 Array<std::int8_t> kinds, Table<std::int8_t> raised, Cube<std::int8_t> own, Table<std::int32_t> starts,
                 Array<std::int64_t> begun_first, Table<std::int32_t> begun, std::size_t threads) {
    const auto numbers_by_arc = by_arc(numbers);
    const Network network{
        {offsets, neighbors, next_phase}, numbers_by_arc.data(), kinds.data(), raised.data(), numbers.shape(0)};
    const Begun packets_begun{begun_first.data(), begun.data()};
    const std::size_t count = destinations.size(), some = network.shares();
    std::vector<Toward> towards;
    for (std::size_t row = 0; row < count; ++row)
        towards.push_back({destinations.data()[row], shares.data() + row * some, sent.data() + row * network.order,
                           own.shape(0) ? own.data() + row * some : nullptr,
                           starts.shape(0) ? starts.data() + row * network.arcs() : nullptr});
    bool alike = !own.shape(0) && Channels::suffice(network);
    for (std::size_t place = 0; place < begun.shape(0); ++place) alike &= begun.data()[3 * place + 2] == kSeveral;
    auto [faults, arrived] = alike ? follow_all<Channels>(network, towards, packets_begun, threads)
                                   : follow_all<States>(network, towards, packets_begun, threads);
    std::vector<std::int32_t> packets;
    for (const auto& some_arrived : arrived)
        for (const Packet& packet : some_arrived)
            packets.insert(packets.end(), {packet.phase, packet.arc, packet.channel, packet.source});
    const std::size_t rows = packets.size() / 4;
    return nb::make_tuple(to_numpy(std::move(faults), {count}), to_numpy(std::move(packets), {rows, 4}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("follow", &follow, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("destinations"), nb::arg("shares"),
               nb::arg("next_phase"), nb::arg("sent"), nb::arg("numbers"), nb::arg("kinds"), nb::arg("raised"),
               nb::arg("own"), nb::arg("starts"), nb::arg("begun_first"), nb::arg("begun"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
