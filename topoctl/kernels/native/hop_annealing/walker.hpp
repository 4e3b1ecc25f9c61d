// Annealed exchange of single hops in Equality networks, one network each.
//
// A move replaces one hop. Paths of at most two hops are counted: how many of them lead to each router. A move
// changes O(K) counts, and a count that leaves or reaches zero changes a bit; the sets of routers within three
// and more hops follow by rotations. Most proposals are refused on the paths of two hops alone, before anything is
// changed. All draws come from a counter, all arithmetic is on integers, so the Python twin walks the same way.
#pragma once

#include <vector>

#include "../acceptance.hpp"
#include "../annealed_ball.hpp"
#include "../cyclic_shifts.hpp"
#include "../parallel.hpp"

namespace topoctl::hop_annealing {

// The columns of the table that describes a walk; documented in topoctl.kernels.hop_annealing.HopWalk.
struct HopWalk {
    std::int64_t odd_count, odd_fixed, even_count, even_fixed, lift, target, weight, moves;
};
constexpr std::size_t kWalkColumns = sizeof(HopWalk) / sizeof(std::int64_t);

class HopWalker {
public:
    explicit HopWalker(std::size_t half)
        : half_(half), even_(half), odd_(half), spread_(half), far_(4, std::vector<BitLine>(lines_for(half))),
          odd_member_(half), even_member_(half / 2 + 1) {}

    using Energy = DistanceEnergy;

    // Anneals the hops in place and leaves the best ones met; returns their energy.
    Energy run(const HopWalk& walk, std::int32_t* odd, std::int32_t* even, Word seed, const Cooling& cooling,
               Stop& stop);

private:
    void start(const std::int32_t* odd, const std::int32_t* even);
    bool evaluate(std::int64_t limit);
    template <bool OddHop>
    bool propose(std::size_t hop, std::size_t value, const Allowance& allowance);

    std::int64_t unreached_in_two() const { return 2 * half_ - even_.size - odd_.size; }
    std::size_t opposite(std::size_t router) const { return router ? half_ - router : 0; }
    std::size_t sum(std::size_t a, std::size_t b) const { return a + b < half_ ? a + b : a + b - half_; }

    // Calls even(router) or odd(router) for every path of at most two hops that has the value in it.
    template <bool OddHop, class Even, class Odd>
    void for_paths(std::size_t hop, std::size_t value, Even even, Odd odd) const;
    template <bool OddHop>
    void insert_hop(std::size_t hop, std::size_t value);
    template <bool OddHop>
    void remove_hop(std::size_t hop, std::size_t value);

    std::size_t half_;
    HopWalk walk_{};
    std::vector<std::size_t> hops_odd_, hops_even_;
    Ball even_, odd_;
    HopSpread spread_;
    std::vector<std::vector<BitLine>> far_;
    std::vector<std::uint8_t> odd_member_, even_member_;
    Energy current_, next_;
};

}  // namespace topoctl::hop_annealing
