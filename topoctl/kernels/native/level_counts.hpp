// The distance distributions of vertex-transitive networks, whole populations per call.
#pragma once

#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {

// Cumulative router counts by distance from router 0, until all are reached, a level adds nothing, or the distance
// `most` is counted.
//
// reached: routers within one hop. spread(dense) goes one hop further and returns how many are reached then.
template <class Spread>
std::vector<std::int32_t> level_counts(std::size_t order, std::size_t reached, std::size_t most, Spread spread) {
    std::vector<std::int32_t> counts{1};
    while (reached > static_cast<std::size_t>(counts.back()) && counts.size() <= most) {
        counts.push_back(static_cast<std::int32_t>(reached));
        if (reached == order || counts.size() > most) break;  // before the next level is looked for
        // A set of more than three quarters fills most of its words before all generators are united.
        reached = spread(4 * reached > 3 * order);
    }
    return counts;
}

// The rows of count(network, space) as a table; a short row repeats its last value. Every thread makes a space of
// its own, to work in.
template <class Space, class Make, class Count>
nb::ndarray<nb::numpy, std::int32_t> table_of_counts(std::size_t networks, std::size_t threads, Make make,
                                                     Count count) {
    std::vector<std::vector<std::int32_t>> rows(networks);
    std::vector<std::unique_ptr<Space>> spaces(threads);
    parallel_for(networks, threads, [&](std::size_t worker, std::size_t network, Stop&) {
        if (!spaces[worker]) spaces[worker] = make();
        rows[network] = count(network, *spaces[worker]);
    });
    std::size_t longest = 1;
    for (const auto& row : rows) longest = std::max(longest, row.size());
    std::vector<std::int32_t> table;
    table.reserve(networks * longest);
    for (const auto& row : rows) {
        table.insert(table.end(), row.begin(), row.end());
        table.insert(table.end(), longest - row.size(), row.back());
    }
    return to_numpy(std::move(table), {networks, longest});
}

}  // namespace topoctl
