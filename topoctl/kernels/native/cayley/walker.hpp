// Annealed exchange of generators in Cayley networks, one network each.
#pragma once

#include <vector>

#include "../layer_spread.hpp"
#include "../transitive_walker.hpp"

namespace topoctl::cayley {

// Documented in topoctl.kernels.cayley.GeneratorWalk.
struct GeneratorWalk {
    std::int64_t pairs, involutions, target, weight, moves;
};

class GeneratorWalker final : private TransitiveWalker<GeneratorWalker> {
public:
    explicit GeneratorWalker(const LayeredSets& sets);

    // Anneals the generators in place and leaves the best ones met; returns their energy.
    DistanceEnergy run(const GeneratorWalk& walk, std::int32_t* generators, Word seed, const Cooling& cooling,
                       Stop& stop);

private:
    friend TransitiveWalker;
    using Element = LayeredSets::Element;

    // A generator and its inverse, in slots of their own, or an involution.
    struct Unit {
        Element x, back;
        std::size_t number, slot, slots;
    };

    std::int64_t order() const { return static_cast<std::int64_t>(sets_.order()); }
    std::int64_t within_two() const { return static_cast<std::int64_t>(ball_.size); }
    std::size_t units() const { return static_cast<std::size_t>(walk_.pairs + walk_.involutions); }
    template <class Visit>
    void each_of(std::size_t number, Visit visit) const {
        visit(unit(number, slots_[slot_of(number)]));
    }
    Unit candidate(const Unit& kept, Word choice, Word place) const;
    bool may_follow(const Unit& proposed, const Unit& kept) const;
    std::int64_t gain(const Unit& unit) const;
    void insert(const Unit& unit);
    void remove(const Unit& unit);
    std::size_t spread(std::size_t level, bool dense, bool last) {
        const BitLine* reached = level == 2 ? ball_.bits.data() : far_[(level - 1) % 2].data();
        return spread_(slots_, reached, far_[level % 2].data(), dense, last);
    }
    void remember();

    void start();
    bool is_pair(std::size_t number) const { return number < static_cast<std::size_t>(walk_.pairs); }
    std::size_t slot_of(std::size_t number) const {
        return number + std::min(number, static_cast<std::size_t>(walk_.pairs));
    }
    Unit unit(std::size_t number, const Element& x) const;
    // Calls visit(element) for all other generators.
    template <class Visit>
    void for_others(const Unit& unit, Visit visit) const;
    // Calls visit(place) for half of the paths of at most two hops with the unit in them: the others lead to inverses.
    template <class Visit>
    void for_half_of_paths(const Unit& unit, Visit visit) const;
    // Calls visit(place) for all of them.
    template <class Visit>
    void for_paths(const Unit& unit, Visit visit) const;

    const LayeredSets& sets_;
    std::vector<Element> involutions_;
    GeneratorWalk walk_{};
    std::int32_t* best_ = nullptr;
    std::vector<Element> slots_;
    LayerSpread spread_;
    Ball ball_;
    std::vector<std::vector<BitLine>> far_;
    std::vector<std::uint8_t> member_;
};

}  // namespace topoctl::cayley
