// What is drawn at random: a function of the plan's seed, of who draws and of when, and of nothing else.
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>

#include "../cooling.hpp"
#include "packets.hpp"
#include "plan.hpp"

namespace topoctl {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostCycles = std::int64_t{1} << 30;  // of a simulation

// What a draw of an endpoint is for.
enum Purpose : std::uint64_t { kDestination, kSize, kIntermediate, kGap = 4, kPurposes = 8 };

constexpr std::uint64_t kEntryDraws = std::uint64_t{1} << 50;  // of endpoints, by cycle, apart from those by packet
constexpr int kOtherRouter = 1, kNextTo = 4;  // how intermediate routers are drawn: any other, or next to an end
constexpr std::uint64_t kRouterDraws = std::uint64_t{1} << 32;  // of routers, apart from those of endpoints

class Draws {
public:
    explicit Draws(const Plan& plan)
        : plan_(plan), guides_(guides_of_gaps()), beside_(plan.through == kNextTo ? plan.routers : 0) {
        for (std::size_t router = 0; router < beside_.size(); ++router) {
            std::vector<std::size_t>& heads = beside_[router];
            for (std::size_t port = router * plan.ports; port < (router + 1) * plan.ports; ++port)
                if (plan.ends[port] >= 0) heads.push_back(plan.ends[port] / plan.ports);
            std::sort(heads.begin(), heads.end());
            heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
        }
    }

    std::uint64_t key(std::size_t endpoint) const { return draw(plan_.seed, endpoint); }

    // By the key of the endpoint and the number of its packet.
    static std::uint64_t word(std::uint64_t key, std::uint64_t number, Purpose purpose) {
        return draw(key, kPurposes * number + purpose);
    }

    // The cycle of the packet that an endpoint makes after one, or its first packet, and by which traffic it makes it.
    std::int64_t made_after(std::int64_t before, bool first, std::size_t endpoint, std::size_t& traffic,
                            std::uint64_t word) const {
        std::int32_t row = plan_.rate_of[traffic * plan_.endpoints + endpoint];
        if (plan_.after && !first) row = plan_.after[row];
        std::int64_t made = by_gap(before, row, word);
        while (traffic + 1 < plan_.traffics && made >= plan_.since[traffic + 1]) {
            ++traffic;
            row = plan_.rate_of[traffic * plan_.endpoints + endpoint];
            made = by_gap(plan_.since[traffic] - 1, row, draw(word, traffic));
        }
        return made;
    }

    std::size_t destination(std::size_t endpoint, std::size_t traffic, std::uint64_t word) const {
        const std::int32_t row = plan_.destination_of[traffic * plan_.endpoints + endpoint];
        if (row == -1) return below(word, plan_.endpoints);
        if (row == -2) {
            const std::size_t other = below(word, plan_.endpoints - 1);
            return other + (other >= endpoint);
        }
        const std::int64_t begin = plan_.destination_rows[row];
        return plan_.destinations[begin + place_of(plan_.destination_shares + begin,
                                                   plan_.destination_rows[row + 1] - begin, word)];
    }

    std::size_t entry_channel(std::uint64_t key, std::int64_t cycle) const {
        return plan_.entry_first + below(draw(key, kEntryDraws + cycle), plan_.entry_last - plan_.entry_first + 1);
    }

    // The router over which a packet between two routers goes, given the home of a random endpoint.
    template <class Homes>
    std::size_t intermediate(std::size_t one, std::size_t other, const Homes& homes, std::uint64_t word) const {
        switch (plan_.through) {
            case 0: return homes[below(word, plan_.endpoints)];
            case kOtherRouter: {
                if (one > other) std::swap(one, other);
                std::size_t router = below(word, plan_.routers - 1 - (one != other));
                router += router >= one;
                return router + (one != other && router >= other);
            }
            case kNextTo: return next_to(one, other, word);
            default: return by_digits(one, other, word);
        }
    }

    // The first or the second word of a router for the packet that it routes.
    std::uint64_t routing_word(std::size_t router, std::int64_t cycle, int step, std::size_t line, int number) const {
        const std::uint64_t key = draw(plan_.seed, kRouterDraws + router);
        return draw(key, ((static_cast<std::uint64_t>(cycle) * 64 + step) * 4096 + line) * 2 + number);
    }

private:
    // The cycle of a packet after one, by a row of gaps; -1 for those that send nothing.
    std::int64_t by_gap(std::int64_t before, std::int32_t row, std::uint64_t word) const {
        if (row < 0) return kNever;
        std::int64_t made = before + 1;
        const std::uint64_t* shares = plan_.gaps + row * plan_.gap_steps;
        for (; word > shares[plan_.gap_steps - 1]; word = draw(word, 0)) {
            made += static_cast<std::int64_t>(plan_.gap_steps);
            if (plan_.longer) shares = plan_.gaps + (row = plan_.longer[row]) * plan_.gap_steps;
        }
        std::size_t gap = guides_[row * kGuides + (word >> (64 - kGuideBits))];
        while (shares[gap] < word) ++gap;
        return made + static_cast<std::int64_t>(gap);
    }

    static constexpr int kGuideBits = 8;
    static constexpr std::size_t kGuides = std::size_t{1} << kGuideBits;

    // By row of gaps and the first bits of a word, the first gap that such a word may draw.
    std::vector<std::uint32_t> guides_of_gaps() const {
        std::vector<std::uint32_t> guides;
        for (std::size_t row = 0; row < plan_.gap_rows; ++row)
            for (std::uint64_t first = 0; first < kGuides; ++first)
                guides.push_back(static_cast<std::uint32_t>(
                    place_of(plan_.gaps + row * plan_.gap_steps, plan_.gap_steps, first << (64 - kGuideBits))));
        return guides;
    }

    // Any that one of both has a channel to, but for these; the first where there is none.
    std::size_t next_to(std::size_t one, std::size_t other, std::uint64_t word) const {
        either_.clear();
        std::set_union(beside_[one].begin(), beside_[one].end(), beside_[other].begin(), beside_[other].end(),
                       std::back_inserter(either_));
        const auto is_end = [&](std::size_t router) { return router == one || router == other; };
        either_.erase(std::remove_if(either_.begin(), either_.end(), is_end), either_.end());
        return either_.empty() ? one : either_[below(word, either_.size())];
    }

    // Digits that are equal stay; the others are any, or lie between.
    std::size_t by_digits(std::size_t one, std::size_t other, std::uint64_t word) const {
        std::size_t router = 0, power = 1;
        for (std::size_t digit = 0; digit < plan_.dimensions; ++digit) {
            const std::size_t radix = plan_.radices[digit], here = one / power % radix;
            const std::size_t there = other / power % radix;
            const std::size_t least = plan_.through == 2 ? 0 : std::min(here, there);
            const std::size_t width = plan_.through == 2 ? radix : std::max(here, there) - least + 1;
            router += power * (here == there ? here : least + below(draw(word, 64 + digit), width));
            power *= radix;
        }
        return router;
    }

    const Plan& plan_;
    const std::vector<std::uint32_t> guides_;
    std::vector<std::vector<std::size_t>> beside_;  // by router, those next to it in ascending order
    mutable std::vector<std::size_t> either_;
};

}  // namespace topoctl
