// The simulator: cycle after cycle, endpoints and then routers do their part. Its twin in fallback/simulation does the
// same as slowly as it is told; here, events set and clear bits, and allocators visit set bits alone.
#pragma once

#include "endpoints.hpp"
#include "router.hpp"
#include "saved.hpp"

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
    virtual std::int64_t moved() const = 0;
    virtual std::vector<std::int64_t> carried() = 0;  // flits by output port
    virtual std::vector<std::int64_t> reached() const = 0;  // cycles by endpoint
    virtual std::vector<std::int64_t> waiting() = 0;
    virtual std::vector<std::int64_t> unfinished() const = 0;
    virtual std::vector<std::int64_t> messages() const = 0;
    virtual std::int64_t left() const = 0;
    virtual void save(Saver visit) = 0;
    virtual void load(Loader visit) = 0;

    Statistics statistics;
};

template <int W>
class Simulator final : public Simulation {
public:
    explicit Simulator(std::unique_ptr<Plan> plan)
        : Simulation(plan->endpoints), net_(std::move(plan)), endpoints_(net_, statistics),
          far_(net_.state.size() > kNearBytes),
          longest_return_(static_cast<std::int64_t>(net_.soon() + net_.channels * net_.buffer)) {}

    std::int64_t run(std::int64_t until, bool counting, std::int64_t last, bool drain, Stop& stop) override {
        if (until > kMostCycles) throw std::invalid_argument("more cycles than a simulation counts");
        endpoints_.count(counting, last);
        constexpr std::int64_t cycles_per_look = 16;
        for (; next_ < until; ++next_) {
            if (next_ % cycles_per_look == 0 && stop) break;
            if (endpoints_.messages().left() && quiet() && skip(until)) break;
            net_.turn_to(next_);
            if (drain && endpoints_.drained()) break;
            endpoints_.take();
            endpoints_.send();
            work_in_routers();
        }
        return next_;
    }

    void clear() override {
        statistics.clear();
        for (std::size_t port = 0; port < net_.routers * net_.ports; ++port) {
            Output<W>& output = net_.output(port);
            output.carried = static_cast<std::uint32_t>(output.leave_from(next_));
        }
    }

    void forget() override {
        net_.packets.each_live([](Packet& packet) { packet.wanted = false; });
        statistics.live_wanted = 0;
    }

    std::int64_t moved() const override { return net_.moved; }

    std::vector<std::int64_t> carried() override {
        std::vector<std::int64_t> flits(net_.routers * net_.ports);
        for (std::size_t port = 0; port < flits.size(); ++port) {
            const Output<W>& output = net_.output(port);
            flits[port] = output.carried - output.leave_from(next_);
        }
        return flits;
    }

    std::vector<std::int64_t> reached() const override { return endpoints_.reached(next_); }

    std::vector<std::int64_t> waiting() override {
        std::vector<std::int64_t> rows;
        for (std::size_t router = 0; router < net_.routers; ++router)
            for (std::size_t line = 0; line < net_.per_router; ++line) {
                const Line& here = net_.at(router).lines[line];
                if (!here.count) continue;
                rows.insert(rows.end(), {std::int64_t(router), std::int64_t(line >> net_.shift),
                                         std::int64_t(line & net_.line_mask()), here.count});
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
        std::vector<Packet> live;
        net_.packets.each_live([&](const Packet& packet) { live.push_back(packet); });
        std::sort(live.begin(), live.end(), [](const Packet& one, const Packet& other) {
            return one.source != other.source ? one.source < other.source : one.number < other.number;
        });
        std::vector<std::int64_t> rows;
        for (const Packet& packet : live)
            rows.insert(rows.end(), {packet.source, packet.made, packet.destination, packet.entered, -1, -1});
        return rows;
    }

    std::vector<std::int64_t> messages() const override { return endpoints_.messages().rows(); }

    std::int64_t left() const override { return static_cast<std::int64_t>(endpoints_.messages().left()); }

    void save(Saver visit) override { saved(visit); }
    void load(Loader visit) override { saved(visit); }

private:
    // Whether all flits have arrived, and all credits are back.
    bool quiet() const { return statistics.live_flits == 0 && next_ - net_.moved > longest_return_; }

    // Goes on to the next event, as nothing happens before; returns whether that is beyond the end.
    bool skip(std::int64_t until) {
        const std::int64_t to = std::min(until, std::max(next_, endpoints_.messages().next_event()));
        owed_ = (owed_ + (to - next_) % 1000 * net_.plan->steps) % 1000;
        next_ = to;
        return next_ == until;
    }

    template <class Visit>
    void saved(Visit& visit) {
        visit("statistics", statistics);
        visit("network", net_);
        visit("endpoints", endpoints_);
        visit("next", next_);
        visit("owed", owed_);
    }

    // Block after block, so that what a router holds is still near when it works; all make their steps at the same
    // moments.
    void work_in_routers() {
        owed_ += net_.plan->steps;
        const int steps = static_cast<int>(owed_ / 1000);
        owed_ %= 1000;
        const bool far = far_;
        for (std::size_t block = 0; block < net_.router_blocks(); ++block) {
            const auto credits = net_.credits_due.arriving(block);
            for (const Address& credited : credits) {
                if (far && credits.end() - &credited > kAhead) bring_near((&credited)[kAhead]);
                Router<W>(net_, place_at(credited)).take_credit(line_of(credited));
            }
            net_.credits_due.clear(block);
            const auto flits = net_.flits_due.arriving(block);
            for (const Moving& one : flits) {
                const auto behind = flits.end() - &one;
                if (far && behind > 3 * kAhead) bring_near((&one)[3 * kAhead]);
                if (far && behind > 2 * kAhead) bring_options_near((&one)[2 * kAhead]);
                if (far && behind > kAhead) bring_output_near((&one)[kAhead]);
                Router<W>(net_, place_at(one.line)).take_flit(line_of(one.line), one.flit);
            }
            net_.flits_due.clear(block);
            const std::size_t end = std::min(net_.routers, (block + 1) << kBlockBits);
            for (std::size_t router = block << kBlockBits; router < end; ++router) Router<W>(net_, router).work(steps);
        }
    }

    static constexpr std::size_t kNearBytes = std::size_t{1} << 18;
    static constexpr std::ptrdiff_t kAhead = 6;  // credits and flits ahead of which what they need is brought near

    void bring_near(Address credited) {
        const At<W> at = net_.at(place_at(credited));
        __builtin_prefetch(&at.held[line_of(credited)]);
        __builtin_prefetch(&at.outputs[line_of(credited) >> net_.shift]);
    }

    // The line that a flit comes to, and what says where it goes next.
    void bring_near(const Moving& one) {
        const std::size_t router = place_at(one.line), target = one.flit.target();
        __builtin_prefetch(&net_.at(router).lines[line_of(one.line)]);
        const void* next = net_.plan->entry(one.flit.phase(), router, target);
        const void* last = &net_.packets[one.flit.packet()];
        __builtin_prefetch(__builtin_expect_with_probability(target == router, 1, 0.5) ? last : next);
    }

    // What it may do next, where there is a table that tells.
    void bring_options_near(const Moving& one) {
        if (const Option* set = options_of(one)) __builtin_prefetch(set);
    }

    // The output by which it goes on, most likely: as it will be drawn if it finds its line idle.
    void bring_output_near(const Moving& one) {
        const Option* option = options_of(one);
        if (!option) return;
        const std::size_t router = place_at(one.line);
        if (!option->last() && net_.plan->choice[one.flit.phase()] == kByShare)
            option = by_share(option, net_.draws.routing_word(router, net_.now, 0, line_of(one.line), 0));
        const auto* output = reinterpret_cast<const char*>(&net_.at(router).outputs[option->choice.port]);
        __builtin_prefetch(output);
        __builtin_prefetch(output + sizeof(Output<W>) - 1);
    }

    // Nothing where it is at its target, or its router has yet to decide.
    const Option* options_of(const Moving& one) const {
        const std::size_t router = place_at(one.line), target = one.flit.target(), phase = one.flit.phase();
        return phase == kUndecided || router == target ? nullptr : net_.plan->set_of(phase, router, target);
    }

    Network<W> net_;
    Endpoints<W> endpoints_;
    const bool far_;  // whether what routers hold is more than stays near from one cycle to the next
    const std::int64_t longest_return_;  // cycles in which all credits come back: one a cycle, over a channel
    std::int64_t next_ = 0;              // cycle
    std::int64_t owed_ = 0;  // of routers, thousandths of a step
};

}  // namespace topoctl
