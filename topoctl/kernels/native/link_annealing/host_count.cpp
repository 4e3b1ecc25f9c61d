#include "host_count.hpp"

#include <algorithm>

#include "../dispatch.hpp"

namespace topoctl::link_annealing {
namespace {

struct Rows {
    const Word* rows;
    std::size_t words, first;  // of the block
    const std::int64_t* usual;
    const HostCount::Odd* odd;
    std::size_t odd_count;
    const Router* hosts;
    const Router* routers;
    std::size_t count;
    std::int64_t all;
};

template <int Words>
TOPOCTL_INLINE std::int64_t left_of(const Rows& of) {
    std::int64_t left = 0;
    for (std::size_t number = 0; number < of.count; ++number) {
        const auto router = static_cast<std::size_t>(of.routers[number]);
        if (!of.hosts[router]) continue;
        const Word* row = of.rows + router * Words;
        std::int64_t reached = 0;
        for (int word = 0; word < Words; ++word)
            reached += of.usual[word] * static_cast<std::int64_t>(bit_count(row[word]));
        for (std::size_t odd = 0; odd < of.odd_count; ++odd)
            reached += of.odd[odd].more *
                       static_cast<std::int64_t>(bit_count(row[of.odd[odd].word - of.first] & of.odd[odd].bits));
        left += of.hosts[router] * (of.all - reached);
    }
    return left;
}

template <int Bytes>
TOPOCTL_INLINE std::int64_t left_of_any(const Rows& of) {
    return dispatch<1, 2, 4, 8, 16>(of.words,
                                    [&](auto words) TOPOCTL_INLINED { return left_of<decltype(words)::value>(of); });
}

TOPOCTL_VERSIONS(std::int64_t, pairs_left, left_of_any, (const Rows& of), (of))

}  // namespace

void HostCount::refresh(std::size_t word, Word bits) {
    std::vector<Odd>& odd = odd_of_[word];
    odd.clear();
    sums_[word] = 0;
    for (Word rest = bits; rest; rest &= rest - 1) {
        const std::int64_t weight = weights_[word * kWordBits + bit_number(rest)];
        sums_[word] += weight;
        const auto same = std::find_if(odd.begin(), odd.end(), [weight](const Odd& one) { return one.more == weight; });
        if (same == odd.end())
            odd.push_back({word, rest & -rest, weight});
        else
            same->bits |= rest & -rest;
    }
    usual_[word] = 0;
    if (odd.empty()) return;
    const auto most = std::max_element(
        odd.begin(), odd.end(), [](const Odd& a, const Odd& b) { return bit_count(a.bits) < bit_count(b.bits); });
    usual_[word] = most->more;
    odd.erase(most);
    for (Odd& one : odd) one.more -= usual_[word];
}

void HostCount::gather() {
    odd_.clear();
    for (const std::vector<Odd>& odd : odd_of_) odd_.insert(odd_.end(), odd.begin(), odd.end());
}

std::int64_t HostCount::sum(std::size_t first, std::size_t words) const {
    std::int64_t sum = 0;
    for (std::size_t word = first; word < first + words; ++word) sum += sums_[word];
    return sum;
}

std::int64_t HostCount::left(std::size_t first, std::size_t words, const Word* rows, const Router* hosts,
                             const std::vector<Router>& routers) const {
    const auto before = [](const Odd& odd, std::size_t word) { return odd.word < word; };
    const auto odd = std::lower_bound(odd_.begin(), odd_.end(), first, before);
    const auto end = std::lower_bound(odd, odd_.end(), first + words, before);
    return pairs_left({rows, words, first, usual_.data() + first, odd_.data() + (odd - odd_.begin()),
                       static_cast<std::size_t>(end - odd), hosts, routers.data(), routers.size(), sum(first, words)});
}

}  // namespace topoctl::link_annealing
