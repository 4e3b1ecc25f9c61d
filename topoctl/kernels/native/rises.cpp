// By how much virtual channels rise at most on the way to each destination: one search from the routers that send
// there, which leaves every place, a router in a phase, once all places behind it are known.
#include "parallel.hpp"
#include "routes.hpp"

namespace topoctl {
namespace {

constexpr std::size_t kKinds = 2;
constexpr std::int32_t kNone = -1;

struct Network : Routes {
    const std::int8_t* kinds;   // by order of the routers and arc
    const std::int8_t* raised;  // by the kinds of the last hop and the next
    std::size_t orders, ends;

    std::size_t lanes() const { return orders * ends * kKinds; }
};

// One worker's destinations; its memory serves one after the other.
class Search {
public:
    explicit Search(const Network& network)
        : network_(network), left_(network.places()), rises_(left_.size() * network.lanes()),
          arrived_(network.lanes()) {
        for (std::size_t lane = 0; lane < arrived_.size(); ++lane)
            arrived_[lane] = network.ends == 1 || lane % kKinds == lane / kKinds % network.ends ? 0 : kNone;
    }

    // Tells the hops of the longest way, or -1 where one has no end, and the rises from every router in phase 0.
    std::int64_t run(std::int32_t destination, const double* shares, const bool* sent, std::int32_t* rises) {
        destination_ = destination;
        shares_ = shares;
        std::fill(left_.begin(), left_.end(), kUnseen);
        std::fill(rises_.begin(), rises_.end(), kNone);
        std::int64_t longest = 0;
        for (std::size_t router = 0; router < network_.order; ++router) {
            if (!sent[router] || std::int32_t(router) == destination) continue;
            if (left_[router] == kUnseen && !go_on(router)) return -1;
            longest = std::max(longest, left_[router]);
            for (std::size_t lane = 0; lane < network_.lanes(); ++lane)
                rises[lane * network_.order + router] = rises_[router * network_.lanes() + lane];
        }
        return longest;
    }

private:
    static constexpr std::int64_t kUnseen = -2, kOpen = -1;

    struct Way {
        std::size_t place;
        std::int32_t arc;      // the next to be looked at
        std::int64_t longest;  // of the ways over the arcs before
    };

    // Follows all ways from a place; tells whether they end.
    bool go_on(std::size_t from) {
        way_.clear();
        enter(from);
        while (!way_.empty()) {
            Way& here = way_.back();
            if (here.arc == network_.offsets[here.place % network_.order + 1]) {
                left_[here.place] = here.longest;
                way_.pop_back();
                continue;
            }
            const std::size_t row = here.place / network_.order * network_.arcs() + std::size_t(here.arc);
            const std::int32_t head = network_.neighbors[here.arc];
            if (shares_[row] > 0 && head == destination_) {
                raise(here, arrived_.data(), 0);
            } else if (shares_[row] > 0) {
                const std::size_t next = std::size_t(network_.next_phase[row]) * network_.order + std::size_t(head);
                if (left_[next] == kOpen) return false;
                if (left_[next] == kUnseen) {
                    enter(next);
                    continue;
                }
                raise(here, rises_.data() + next * network_.lanes(), left_[next]);
            }
            ++here.arc;
        }
        return true;
    }

    void enter(std::size_t place) {
        left_[place] = kOpen;
        way_.push_back({place, network_.offsets[place % network_.order], 0});
    }

    // Counts the ways over the next arc, given the rises from where it leads.
    void raise(Way& here, const std::int32_t* onward, std::int64_t left) {
        here.longest = std::max(here.longest, left + 1);
        std::int32_t* rises = rises_.data() + here.place * network_.lanes();
        for (std::size_t order = 0; order < network_.orders; ++order) {
            const auto kind = std::size_t(network_.kinds[order * network_.arcs() + std::size_t(here.arc)]);
            for (std::size_t end = 0; end < network_.ends; ++end, rises += kKinds, onward += kKinds) {
                if (onward[kind] == kNone) continue;
                for (std::size_t before = 0; before < kKinds; ++before)
                    rises[before] = std::max(rises[before], onward[kind] + network_.raised[before * kKinds + kind]);
            }
        }
    }

    Network network_;
    std::int32_t destination_ = 0;
    const double* shares_ = nullptr;
    std::vector<std::int64_t> left_;  // hops of the longest way on from every place
    std::vector<std::int32_t> rises_, arrived_;  // by order, kind of the last hop of all, and of the hop before
    std::vector<Way> way_;
};

nb::tuple rises(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> destinations,
                Cube<double> shares, Table<std::int8_t> next_phase, Table<bool> sent, Table<std::int8_t> kinds,
                Table<std::int8_t> raised, std::size_t ends, std::size_t threads) {
    const Network network{{offsets, neighbors, next_phase}, kinds.data(), raised.data(), kinds.shape(0), ends};
    const std::size_t count = destinations.size(), some = network.shares();
    const std::size_t each = network.lanes() * network.order;
    std::vector<std::int32_t> found(count * each, kNone);
    std::vector<std::int64_t> hops(count);
    threads = std::min(threads, 1 + count * some / kSharesPerThread);
    std::vector<std::unique_ptr<Search>> workers(threads);
    parallel_for(count, threads, [&](std::size_t worker, std::size_t row, Stop&) {
        auto& search = workers[worker];
        if (!search) search = std::make_unique<Search>(network);
        hops[row] = search->run(destinations.data()[row], shares.data() + row * some, sent.data() + row * network.order,
                                found.data() + row * each);
    });
    for (std::size_t row = 0; row < count; ++row)
        if (hops[row] < 0) std::fill_n(found.begin() + std::ptrdiff_t(row * each), each, kNone);
    return nb::make_tuple(to_numpy(std::move(found), {count, network.orders, ends, kKinds, network.order}),
                          to_numpy(std::move(hops), {count}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("rises", &rises, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("destinations"), nb::arg("shares"),
               nb::arg("next_phase"), nb::arg("sent"), nb::arg("kinds"), nb::arg("raised"), nb::arg("ends"),
               nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
