// What every arc carries of traffic that is shared out at every router: for each destination the steps that may be
// taken, the states that are reached in the order of the longest way left, then one pass over these: carry/push.hpp.
#include <cmath>

#include "carry/push.hpp"
#include "parallel.hpp"
#include "routes.hpp"

namespace topoctl {
namespace {

// By how much the shares of a router may miss 1.
constexpr double kWhole = 1e-9;
enum Fault : std::int64_t { kNone, kLost, kEndless };

struct Patterns {
    const double* sent;  // by pattern, destination and router
    std::size_t count, destinations;

    std::size_t groups() const { return (count + kPatterns - 1) / kPatterns; }
};

// One worker's destinations; its memory serves one after the other.
class Carrier {
public:
    Carrier(const Routes& routes, const Patterns& patterns)
        : units(patterns.groups() * routes.arcs() * kPatterns), routes_(routes), patterns_(patterns),
          steps_(routes.shares() + 1), first_(routes.places() + 1), whole_(routes.places()), left_(routes.places()),
          storage_((routes.places() + 1) * kPatterns) {}

    // Carries what goes to one destination; tells the hops of every pattern.
    Fault run(std::size_t row, std::int32_t destination, const double* shares, std::int64_t* hops, Stop& stop) {
        list_steps(destination, shares);
        const Fault fault = look_ahead(row, destination);
        if (fault) return fault;
        sort_states();
        for (std::size_t group = 0; group < patterns_.groups() && !stop; ++group) {
            fill(row, destination, group, hops);
            push({steps_.data(), first_.data(), order_.data(), order_.size(), here(),
                  units.data() + group * routes_.arcs() * kPatterns});
        }
        return kNone;
    }

    std::vector<std::int64_t> units;  // by group of patterns, a row an arc

private:
    static constexpr std::int64_t kUnseen = -2, kOpen = -1;

    double* here() { return reinterpret_cast<double*>(storage_.get()); }

    const double* sent(std::size_t pattern, std::size_t row) const {
        return patterns_.sent + (pattern * patterns_.destinations + row) * routes_.order;
    }

    // The arcs that have a share.
    void list_steps(std::int32_t destination, const double* shares) {
        std::size_t length = 0, state = 0;
        for (std::size_t phase = 0; phase < routes_.phases; ++phase) {
            const std::int8_t* next_phase = routes_.next_phase + phase * routes_.arcs();
            for (std::size_t router = 0; router < routes_.order; ++router, ++state) {
                first_[state] = length;
                double sum = 0;
                bool positive = true;
                for (std::int32_t arc = routes_.offsets[router]; arc < routes_.offsets[router + 1]; ++arc) {
                    const double share = shares[arc];
                    if (share == 0) continue;
                    const std::int32_t to = routes_.neighbors[arc];
                    const auto after = std::int64_t(next_phase[arc]) * std::int64_t(routes_.order) + to;
                    steps_[length++] = {share, to == destination ? -1 : after, arc};
                    sum += share;
                    positive &= share > 0;
                }
                whole_[state] = positive && std::abs(sum - 1) <= kWhole;
            }
            shares += routes_.arcs();
        }
        first_[state] = length;
    }

    // The hops of the longest way on from every state that traffic reaches, and whether all of it arrives.
    Fault look_ahead(std::size_t row, std::int32_t destination) {
        std::fill(left_.begin(), left_.end(), kUnseen);
        bool lost = false;
        for (std::size_t router = 0; router < routes_.order; ++router) {
            bool sends = false;
            for (std::size_t pattern = 0; pattern < patterns_.count; ++pattern) sends |= sent(pattern, row)[router] > 0;
            if (!sends || std::int32_t(router) == destination || left_[router] != kUnseen) continue;
            if (!go_on(static_cast<std::int64_t>(router), lost)) return kEndless;
        }
        return lost ? kLost : kNone;
    }

    // Follows all ways from a state; tells whether they end.
    bool go_on(std::int64_t from, bool& lost) {
        way_.assign(1, {from, first_[from]});
        left_[from] = kOpen;
        longest_.assign(1, 0);
        while (!way_.empty()) {
            auto& [state, next] = way_.back();
            std::int64_t ahead = 0;
            if (next < first_[state + 1]) {
                const std::int64_t to = steps_[next].to;
                if (to >= 0) {
                    if (left_[to] == kOpen) return false;
                    if (left_[to] == kUnseen) {
                        left_[to] = kOpen;
                        way_.push_back({to, first_[to]});
                        longest_.push_back(0);
                        continue;
                    }
                    ahead = left_[to];
                }
                ++next;
                longest_.back() = std::max(longest_.back(), ahead + 1);
                continue;
            }
            lost |= !whole_[state];
            left_[state] = longest_.back();
            way_.pop_back();
            longest_.pop_back();
        }
        return true;
    }

    // The states that are reached, those with the longest way left first, of equal ones the smallest.
    void sort_states() {
        std::int64_t most = 0;
        for (const std::int64_t left : left_) most = std::max(most, left);
        starts_.assign(static_cast<std::size_t>(most) + 2, 0);
        for (const std::int64_t left : left_)
            if (left >= 0) ++starts_[static_cast<std::size_t>(most - left) + 1];
        for (std::size_t place = 1; place < starts_.size(); ++place) starts_[place] += starts_[place - 1];
        order_.resize(starts_.back());
        for (std::size_t state = 0; state < left_.size(); ++state)
            if (left_[state] >= 0)
                order_[starts_[static_cast<std::size_t>(most - left_[state])]++] = std::int64_t(state);
    }

    // Puts what is sent where it starts.
    void fill(std::size_t row, std::int32_t destination, std::size_t group, std::int64_t* hops) {
        std::fill_n(here(), routes_.places() * kPatterns, 0.0);
        const std::size_t first = group * kPatterns;
        for (std::size_t lane = 0; lane < std::min(kPatterns, patterns_.count - first); ++lane) {
            const double* from = sent(first + lane, row);
            std::int64_t most = 0;
            for (std::size_t router = 0; router < routes_.order; ++router) {
                if (!(from[router] > 0) || std::int32_t(router) == destination) continue;
                here()[router * kPatterns + lane] = from[router];
                most = std::max(most, left_[router]);
            }
            hops[(first + lane) * patterns_.destinations] = most;
        }
    }

    Routes routes_;
    Patterns patterns_;
    std::vector<Step> steps_;          // of all states
    std::vector<std::size_t> first_;   // of the steps of every state
    std::vector<char> whole_;          // whether all that comes to the state goes on
    std::vector<std::int64_t> left_;   // hops of the longest way on from every state
    std::vector<std::int64_t> order_, longest_;
    std::vector<std::size_t> starts_;
    std::vector<std::pair<std::int64_t, std::size_t>> way_;
    LineWords storage_;
};

nb::tuple carry(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> destinations,
                Cube<double> shares, Table<std::int8_t> next_phase, Cube<double> sent, std::size_t threads) {
    const Routes routes(offsets, neighbors, next_phase);
    const std::size_t count = destinations.size(), arcs = routes.arcs(), some = routes.shares();
    const Patterns patterns{sent.data(), sent.shape(0), count};
    std::vector<std::int64_t> hops(patterns.count * count), faults(count);
    threads = std::min(threads, 1 + count * some / kSharesPerThread);
    std::vector<std::unique_ptr<Carrier>> workers(threads);
    parallel_for(count, threads, [&](std::size_t worker, std::size_t row, Stop& stop) {
        auto& carrier = workers[worker];
        if (!carrier) carrier = std::make_unique<Carrier>(routes, patterns);
        faults[row] = carrier->run(row, destinations.data()[row], shares.data() + row * some, hops.data() + row, stop);
    });
    std::vector<std::int64_t> units(patterns.count * arcs);
    for (const auto& carrier : workers) {
        if (!carrier) continue;
        for (std::size_t pattern = 0; pattern < patterns.count; ++pattern) {
            const std::size_t group = pattern / kPatterns, lane = pattern % kPatterns;
            for (std::size_t arc = 0; arc < arcs; ++arc)
                units[pattern * arcs + arc] += carrier->units[(group * arcs + arc) * kPatterns + lane];
        }
    }
    return nb::make_tuple(to_numpy(std::move(units), {patterns.count, arcs}),
                          to_numpy(std::move(hops), {patterns.count, count}), to_numpy(std::move(faults), {count}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("carry", &carry, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("destinations"), nb::arg("shares"),
               nb::arg("next_phase"), nb::arg("sent"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
