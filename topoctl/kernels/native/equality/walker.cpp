#include "walker.hpp"

namespace topoctl::equality {

template <class Visit>
void HopWalker::each_of(std::size_t number, Visit visit) const {
    if (number < odd_free()) {
        const std::size_t index = static_cast<std::size_t>(walk_.odd_fixed) + number;
        visit(Hop<true>{index, hops_odd_[index]});
    } else {
        const std::size_t index = static_cast<std::size_t>(walk_.even_fixed) + number - odd_free();
        visit(Hop<false>{index, hops_even_[index]});
    }
}

template <bool Odd>
HopWalker::Hop<Odd> HopWalker::candidate(const Hop<Odd>& kept, Word choice, Word place) const {
    // b = H/2 is the diameter link, another length of S_B
    if constexpr (!Odd) return {kept.index, 1 + below(place, (half_ - 1) / 2)};
    const std::size_t step = static_cast<std::size_t>(walk_.lift), lifts = step ? half_ / step : 0;
    if (lifts > 1 && (choice >> 32 & 3) == 0)  // the same residue, another lift
        return {kept.index, (kept.value + (1 + below(place, lifts - 1)) * step) % half_};
    return {kept.index, below(place, half_)};
}

template <bool Odd, class EvenVisit, class OddVisit>
void HopWalker::for_paths(const Hop<Odd>& hop, EvenVisit even, OddVisit odd) const {
    if constexpr (Odd) {
        const std::size_t back = opposite(hop.value);
        for (std::size_t other = 0; other < hops_odd_.size(); ++other) {
            if (other == hop.index) continue;
            const std::size_t difference = sum(hops_odd_[other], back);
            even(difference);
            even(opposite(difference));
        }
        odd(hop.value);
        for (std::size_t b : hops_even_) {
            odd(sum(hop.value, b));
            odd(sum(hop.value, half_ - b));
        }
    } else {
        for (std::size_t step : {hop.value, half_ - hop.value}) {
            even(step);
            even(sum(step, step));
            for (std::size_t t : hops_odd_) odd(sum(t, step));
            for (std::size_t other = 0; other < hops_even_.size(); ++other) {
                if (other == hop.index) continue;
                even(sum(step, hops_even_[other]));
                even(sum(step, half_ - hops_even_[other]));
            }
        }
    }
}

// Paths that meet on a new router are all counted.
template <bool Odd>
std::int64_t HopWalker::gain(const Hop<Odd>& hop) const {
    std::int64_t gain = 0;
    for_paths(
        hop, [&](std::size_t x) { gain += even_.counts[x] == 0; }, [&](std::size_t x) { gain += odd_.counts[x] == 0; });
    return gain;
}

template <bool Odd>
void HopWalker::insert(const Hop<Odd>& hop) {
    (Odd ? hops_odd_ : hops_even_)[hop.index] = hop.value;
    (Odd ? odd_member_ : even_member_)[hop.value] = 1;
    for_paths(hop, [&](std::size_t x) { even_.add(x); }, [&](std::size_t x) { odd_.add(x); });
}

template <bool Odd>
void HopWalker::remove(const Hop<Odd>& hop) {
    (Odd ? odd_member_ : even_member_)[hop.value] = 0;
    for_paths(hop, [&](std::size_t x) { even_.drop(x); }, [&](std::size_t x) { odd_.drop(x); });
}

std::size_t HopWalker::spread(std::size_t level, bool dense, bool last) {
    const BitLine *even = even_.bits.data(), *odd = odd_.bits.data();
    if (level == 2) {
        spread_.clear();
        for (std::size_t t : hops_odd_) spread_.add_odd_hop(t);
        for (std::size_t b : hops_even_) spread_.add_even_hop(b);
    } else {
        even = far_[(level - 1) % 2 * 2].data();
        odd = far_[(level - 1) % 2 * 2 + 1].data();
    }
    return spread_(even, odd, far_[level % 2 * 2].data(), far_[level % 2 * 2 + 1].data(), dense, last);
}

void HopWalker::remember() {
    for (std::size_t hop = 0; hop < hops_odd_.size(); ++hop) best_odd_[hop] = static_cast<std::int32_t>(hops_odd_[hop]);
    for (std::size_t hop = 0; hop < hops_even_.size(); ++hop)
        best_even_[hop] = static_cast<std::int32_t>(hops_even_[hop]);
}

void HopWalker::start() {
    even_.clear();
    odd_.clear();
    std::fill(odd_member_.begin(), odd_member_.end(), 0);
    std::fill(even_member_.begin(), even_member_.end(), 0);
    even_.add(0);
    hops_odd_.clear();
    hops_even_.clear();
    for (std::int64_t hop = 0; hop < walk_.odd_count; ++hop) {
        hops_odd_.push_back(0);
        insert(Hop<true>{hops_odd_.size() - 1, static_cast<std::size_t>(best_odd_[hop])});
    }
    for (std::int64_t hop = 0; hop < walk_.even_count; ++hop) {
        hops_even_.push_back(0);
        insert(Hop<false>{hops_even_.size() - 1, static_cast<std::size_t>(best_even_[hop])});
    }
}

DistanceEnergy HopWalker::run(const HopWalk& walk, std::int32_t* odd, std::int32_t* even, Word seed,
                              const Cooling& cooling, Stop& stop) {
    walk_ = walk;
    best_odd_ = odd;
    best_even_ = even;
    start();
    return anneal({walk.target, walk.weight, walk.moves}, seed, cooling, stop);
}

}  // namespace topoctl::equality
