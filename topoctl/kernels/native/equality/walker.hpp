// Annealed exchange of single hops in Equality networks, one network each.
#pragma once

#include <vector>

#include "../cyclic_shifts.hpp"
#include "../transitive_walker.hpp"

namespace topoctl::equality {

// Documented in topoctl.kernels.equality.HopWalk.
struct HopWalk {
    std::int64_t odd_count, odd_fixed, even_count, even_fixed, lift, target, weight, moves;
};

class HopWalker final : private TransitiveWalker<HopWalker> {
public:
    explicit HopWalker(std::size_t half)
        : half_(half), even_(half), odd_(half), spread_(half), far_(4, std::vector<BitLine>(lines_for(half))),
          odd_member_(half), even_member_(half / 2 + 1) {}

    // Anneals the hops in place and leaves the best ones met; returns their energy.
    DistanceEnergy run(const HopWalk& walk, std::int32_t* odd, std::int32_t* even, Word seed, const Cooling& cooling,
                       Stop& stop);

private:
    friend TransitiveWalker;

    // One of the odd or of the even hops, and its half-index.
    template <bool Odd>
    struct Hop {
        std::size_t index, value;
    };

    std::int64_t order() const { return 2 * static_cast<std::int64_t>(half_); }
    std::int64_t within_two() const { return static_cast<std::int64_t>(even_.size + odd_.size); }
    std::size_t units() const { return odd_free() + static_cast<std::size_t>(walk_.even_count - walk_.even_fixed); }
    template <class Visit>
    void each_of(std::size_t number, Visit visit) const;
    template <bool Odd>
    Hop<Odd> candidate(const Hop<Odd>& kept, Word choice, Word place) const;
    template <bool Odd>
    bool may_follow(const Hop<Odd>& proposed, const Hop<Odd>& kept) const {
        return proposed.value != kept.value && !(Odd ? odd_member_ : even_member_)[proposed.value];
    }
    template <bool Odd>
    std::int64_t gain(const Hop<Odd>& hop) const;
    template <bool Odd>
    void insert(const Hop<Odd>& hop);
    template <bool Odd>
    void remove(const Hop<Odd>& hop);
    std::size_t spread(std::size_t level, bool dense, bool last);
    void remember();

    void start();
    std::size_t odd_free() const { return static_cast<std::size_t>(walk_.odd_count - walk_.odd_fixed); }
    std::size_t opposite(std::size_t router) const { return router ? half_ - router : 0; }
    std::size_t sum(std::size_t a, std::size_t b) const { return a + b < half_ ? a + b : a + b - half_; }
    // Calls even(router) or odd(router) for every path of at most two hops that has the hop in it.
    template <bool Odd, class EvenVisit, class OddVisit>
    void for_paths(const Hop<Odd>& hop, EvenVisit even, OddVisit odd) const;

    std::size_t half_;
    HopWalk walk_{};
    std::int32_t *best_odd_ = nullptr, *best_even_ = nullptr;
    std::vector<std::size_t> hops_odd_, hops_even_;
    Ball even_, odd_;
    HopSpread spread_;
    std::vector<std::vector<BitLine>> far_;
    std::vector<std::uint8_t> odd_member_, even_member_;
};

}  // namespace topoctl::equality
