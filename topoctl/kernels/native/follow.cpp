// Packets followed to their destinations in virtual channels whose numbers should rise at every hop. Packets that are
// at a router in one phase and channel, by hops of one kind, go on alike: of these only the highest number counts.
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
    const std::int32_t* numbers;
    const std::int8_t* kinds;
    const std::int8_t* raised;
    std::size_t channels;

    std::size_t states() const { return places() * kKinds * channels; }
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

// One worker's destinations; its memory serves one after the other.
class Follower {
public:
    explicit Follower(const Network& network)
        : network_(network), highest_(network.states(), kNothing), sources_(network.states(), kNobody),
          waiting_(network.states()) {}

    // Follows all packets for a destination; false where one can go no further, or to a number that does not rise.
    bool run(const Toward& toward, const Begun& begun, std::vector<Packet>& arrived) {
        toward_ = &toward;
        arrived_ = &arrived;
        const bool sound = begin(begun) && go_on();
        for (const std::size_t state : touched_) {
            highest_[state] = kNothing;
            sources_[state] = kNobody;
            waiting_[state] = false;
        }
        touched_.clear();
        queue_.clear();
        join_arrived();
        return sound;
    }

private:
    bool begin(const Begun& begun) {
        for (std::size_t router = 0; router < network_.order; ++router) {
            if (!toward_->sent[router]) continue;
            bool any = false;
            for (std::int32_t arc = network_.offsets[router]; arc < network_.offsets[router + 1]; ++arc) {
                if (!(toward_->shares[arc] > 0)) continue;
                any = true;
                for (std::int64_t place = begun.first[arc]; place < begun.first[arc + 1]; ++place) {
                    const std::int32_t* packet = begun.packets + 3 * place;
                    if (packet[1] == toward_->destination) continue;
                    const std::int32_t channel = toward_->starts ? toward_->starts[arc] : packet[0];
                    if (!take(0, arc, channel, packet[2], kNothing)) return false;
                }
            }
            if (!any) return false;
        }
        return true;
    }

    // Takes packets over an arc, that held at most this number.
    bool take(std::size_t phase, std::int32_t arc, std::int64_t channel, std::int32_t source, std::int64_t held) {
        if (channel < 0 || channel >= std::int64_t(network_.channels)) return false;
        const std::int64_t number = network_.numbers[std::size_t(channel) * network_.arcs() + std::size_t(arc)];
        if (number <= held) return false;
        const std::int32_t head = network_.neighbors[arc];
        if (head == toward_->destination) {
            arrived_->push_back({std::int32_t(phase), arc, std::int32_t(channel), source});
            return true;
        }
        const auto next = std::size_t(network_.next_phase[phase * network_.arcs() + std::size_t(arc)]);
        const std::size_t kind = std::size_t(network_.kinds[arc]), place = next * network_.order + std::size_t(head);
        const std::size_t state = (place * kKinds + kind) * network_.channels + std::size_t(channel);
        if (sources_[state] == kNobody) touched_.push_back(state);
        const std::int32_t from = joined(sources_[state], source);
        if (number <= highest_[state] && from == sources_[state]) return true;
        highest_[state] = std::max(highest_[state], number);
        sources_[state] = from;
        if (!waiting_[state]) queue_.push_back(state);
        waiting_[state] = true;
        return true;
    }

    // Follows what waits at routers, first come, first served.
    bool go_on() {
        for (std::size_t served = 0; served < queue_.size(); ++served) {
            const std::size_t state = queue_[served];
            waiting_[state] = false;
            const std::size_t channel = state % network_.channels, kind = state / network_.channels % kKinds;
            const std::size_t place = state / network_.channels / kKinds;
            const std::size_t phase = place / network_.order, router = place % network_.order;
            const double* shares = toward_->shares + phase * network_.arcs();
            const std::int8_t* own = toward_->own ? toward_->own + phase * network_.arcs() : nullptr;
            bool any = false;
            for (std::int32_t arc = network_.offsets[router]; arc < network_.offsets[router + 1]; ++arc) {
                if (!(shares[arc] > 0)) continue;
                any = true;
                const std::int64_t risen = network_.raised[kind * kKinds + std::size_t(network_.kinds[arc])];
                const std::int64_t next = own ? own[arc] : std::int64_t(channel) + risen;
                if (!take(phase, arc, next, sources_[state], highest_[state])) return false;
            }
            if (!any) return false;
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
    std::vector<std::int64_t> highest_;  // number in every state: phase, router, kind of the last hop, channel
    std::vector<std::int32_t> sources_;  // of the packets in every state
    std::vector<char> waiting_;
    std::vector<std::size_t> touched_, queue_;
};

nb::tuple follow(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> destinations,
                 Cube<double> shares, Table<std::int8_t> next_phase, Table<bool> sent, Table<std::int32_t> numbers,
                 Array<std::int8_t> kinds, Table<std::int8_t> raised, Cube<std::int8_t> own, Table<std::int32_t> starts,
                 Array<std::int64_t> begun_first, Table<std::int32_t> begun, std::size_t threads) {
    const Network network{
        {offsets, neighbors, next_phase}, numbers.data(), kinds.data(), raised.data(), numbers.shape(0)};
    const Begun packets_begun{begun_first.data(), begun.data()};
    const std::size_t count = destinations.size(), some = network.shares();
    std::vector<std::int64_t> faults(count);
    std::vector<std::vector<Packet>> arrived(count);
    threads = std::min(threads, 1 + count * some / kSharesPerThread);
    std::vector<std::unique_ptr<Follower>> workers(threads);
    parallel_for(count, threads, [&](std::size_t worker, std::size_t row, Stop&) {
        auto& follower = workers[worker];
        if (!follower) follower = std::make_unique<Follower>(network);
        const Toward toward{destinations.data()[row], shares.data() + row * some, sent.data() + row * network.order,
                            own.shape(0) ? own.data() + row * some : nullptr,
                            starts.shape(0) ? starts.data() + row * network.arcs() : nullptr};
        faults[row] = !follower->run(toward, packets_begun, arrived[row]);
        if (faults[row]) arrived[row].clear();
    });
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
