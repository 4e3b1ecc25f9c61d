#include "walker.hpp"

#include <limits>

#include "../draws.hpp"

namespace topoctl::hop_annealing {
namespace {

// How many proposals in a row replace the same hop: it is taken out once for all of them.
constexpr Word kProposalsPerHop = 4;
// A proposal is refused early when the energy of the distances counted so far has grown by this many
// temperatures more than the threshold: what is not yet counted seldom makes up for it (about 1 in 1000).
constexpr std::int64_t kSlackTemperatures = 2;

}  // namespace

template <bool OddHop, class Even, class Odd>
void HopWalker::for_paths(std::size_t hop, std::size_t value, Even even, Odd odd) const {
    if constexpr (OddHop) {
        const std::size_t back = opposite(value);
        for (std::size_t other = 0; other < hops_odd_.size(); ++other) {
            if (other == hop) continue;
            const std::size_t difference = sum(hops_odd_[other], back);
            even(difference);
            even(opposite(difference));
        }
        odd(value);
        for (std::size_t b : hops_even_) {
            odd(sum(value, b));
            odd(sum(value, half_ - b));
        }
    } else {
        for (std::size_t step : {value, half_ - value}) {
            even(step);
            even(sum(step, step));
            for (std::size_t t : hops_odd_) odd(sum(t, step));
            for (std::size_t other = 0; other < hops_even_.size(); ++other) {
                if (other == hop) continue;
                even(sum(step, hops_even_[other]));
                even(sum(step, half_ - hops_even_[other]));
            }
        }
    }
}

template <bool OddHop>
void HopWalker::insert_hop(std::size_t hop, std::size_t value) {
    (OddHop ? hops_odd_ : hops_even_)[hop] = value;
    (OddHop ? odd_member_ : even_member_)[value] = 1;
    for_paths<OddHop>(hop, value, [&](std::size_t x) { even_.add(x); }, [&](std::size_t x) { odd_.add(x); });
}

template <bool OddHop>
void HopWalker::remove_hop(std::size_t hop, std::size_t value) {
    (OddHop ? odd_member_ : even_member_)[value] = 0;
    for_paths<OddHop>(hop, value, [&](std::size_t x) { even_.drop(x); }, [&](std::size_t x) { odd_.drop(x); });
}

void HopWalker::start(const std::int32_t* odd, const std::int32_t* even) {
    even_.clear();
    odd_.clear();
    std::fill(odd_member_.begin(), odd_member_.end(), 0);
    std::fill(even_member_.begin(), even_member_.end(), 0);
    even_.add(0);
    hops_odd_.clear();
    hops_even_.clear();
    for (std::int64_t hop = 0; hop < walk_.odd_count; ++hop) {
        hops_odd_.push_back(0);
        insert_hop<true>(hops_odd_.size() - 1, static_cast<std::size_t>(odd[hop]));
    }
    for (std::int64_t hop = 0; hop < walk_.even_count; ++hop) {
        hops_even_.push_back(0);
        insert_hop<false>(hops_even_.size() - 1, static_cast<std::size_t>(even[hop]));
    }
    current_.partial.assign(static_cast<std::size_t>(walk_.target), 0);
    next_.partial = current_.partial;
}

// Puts the energy of the hops into next_; false when a partial sum passes the current one by more than `limit`.
bool HopWalker::evaluate(std::int64_t limit) {
    const std::int64_t order = 2 * static_cast<std::int64_t>(half_);
    std::int64_t unreached = unreached_in_two(), value = 0;
    const BitLine *even = even_.bits.data(), *odd = odd_.bits.data();
    for (std::int64_t level = 2; level < walk_.target; ++level) {
        value += unreached;
        next_.partial[static_cast<std::size_t>(level)] = value;
        if (value - current_.partial[static_cast<std::size_t>(level)] > limit) return false;
        if (unreached == 0) continue;
        if (level == 2) {
            spread_.clear();
            for (std::size_t t : hops_odd_) spread_.add_odd_hop(t);
            for (std::size_t b : hops_even_) spread_.add_even_hop(b);
        }
        BitLine *even_far = far_[level % 2 * 2].data(), *odd_far = far_[level % 2 * 2 + 1].data();
        unreached = order - static_cast<std::int64_t>(spread_(even, odd, even_far, odd_far, 4 * unreached < order,
                                                              level + 1 == walk_.target));
        even = even_far;
        odd = odd_far;
    }
    next_.value = value + walk_.weight * unreached;
    next_.beyond = unreached;
    return true;
}

// The hop has been removed; true when it is in again as `value`, accepted, with current_ brought up to date.
template <bool OddHop>
bool HopWalker::propose(std::size_t hop, std::size_t value, const Allowance& allowance) {
    const bool two_decide = walk_.target == 2;
    const std::int64_t limit = two_decide ? allowance.rise : allowance.partial_rise;
    std::int64_t gain = 0;  // at most: paths that meet on a new router are all counted
    for_paths<OddHop>(
        hop, value, [&](std::size_t x) { gain += even_.counts[x] == 0; },
        [&](std::size_t x) { gain += odd_.counts[x] == 0; });
    const std::int64_t least = unreached_in_two() - gain;
    if (two_decide ? walk_.weight * least - current_.value > limit : least - current_.partial[2] > limit) return false;
    insert_hop<OddHop>(hop, value);
    if (evaluate(limit) && next_.value - current_.value <= allowance.rise) {
        std::swap(current_, next_);
        return true;
    }
    remove_hop<OddHop>(hop, value);
    return false;
}

HopWalker::Energy HopWalker::run(const HopWalk& walk, std::int32_t* odd, std::int32_t* even, Word seed,
                                 const Cooling& cooling, Stop& stop) {
    walk_ = walk;
    start(odd, even);
    evaluate(std::numeric_limits<std::int64_t>::max());
    current_ = next_;
    Energy best = current_;
    const std::size_t odd_free = static_cast<std::size_t>(walk.odd_count - walk.odd_fixed);
    const std::size_t free = odd_free + static_cast<std::size_t>(walk.even_count - walk.even_fixed);
    const std::size_t even_choices = (half_ - 1) / 2;  // b = H/2 is the diameter link, another length of S_B
    const std::size_t step = static_cast<std::size_t>(walk.lift), lifts = step ? half_ / step : 0;
    const Word moves = free ? static_cast<Word>(walk.moves) : 0;

    auto replace = [&](auto kind, std::size_t hop, Word first, Word end) {
        constexpr bool kOdd = decltype(kind)::value;
        std::vector<std::size_t>& hops = kOdd ? hops_odd_ : hops_even_;
        const std::vector<std::uint8_t>& member = kOdd ? odd_member_ : even_member_;
        remove_hop<kOdd>(hop, hops[hop]);
        std::size_t kept = hops[hop];
        for (Word move = first; move < end; ++move) {
            const Word choice = draw(seed, 2 * move), place = draw(seed, 2 * move + 1);
            std::size_t value;
            if constexpr (!kOdd)
                value = 1 + below(place, even_choices);
            else if (lifts > 1 && (choice >> 32 & 3) == 0)  // the same residue, another lift
                value = (kept + (1 + below(place, lifts - 1)) * step) % half_;
            else
                value = below(place, half_);
            if (value == kept || member[value]) continue;
            if (!propose<kOdd>(hop, value, cooling.allowance(move, choice, kSlackTemperatures))) continue;
            kept = value;
            if (current_.better(best)) {
                best = current_;
                for (std::size_t i = 0; i < hops_odd_.size(); ++i) odd[i] = static_cast<std::int32_t>(hops_odd_[i]);
                for (std::size_t i = 0; i < hops_even_.size(); ++i) even[i] = static_cast<std::int32_t>(hops_even_[i]);
            }
            remove_hop<kOdd>(hop, kept);
        }
        insert_hop<kOdd>(hop, kept);
    };

    for (Word move = 0; move < moves && !(move % 64 == 0 && stop); move += kProposalsPerHop) {
        const std::size_t pick = below(draw(seed, 2 * move), free);
        const Word end = std::min(moves, move + kProposalsPerHop);
        if (pick < odd_free)
            replace(std::true_type{}, static_cast<std::size_t>(walk.odd_fixed) + pick, move, end);
        else
            replace(std::false_type{}, static_cast<std::size_t>(walk.even_fixed) + pick - odd_free, move, end);
    }
    return best;
}

}  // namespace topoctl::hop_annealing
