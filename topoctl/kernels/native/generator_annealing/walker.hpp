// Annealed exchange of generators in Cayley networks, one network each; hop_annealing does the same for hops.
//
// A move replaces a generator and its inverse. Paths of at most two hops are counted, as products of generators; the
// sets of routers within three and more hops follow by cyclic shifts of layers. Most proposals are refused on the
// paths of two hops alone, before anything is changed. All draws come from a counter, all arithmetic is on integers,
// so the Python twin walks the same way.
#pragma once

#include <vector>

#include "../acceptance.hpp"
#include "../annealed_ball.hpp"
#include "../layer_spread.hpp"
#include "../parallel.hpp"

namespace topoctl::generator_annealing {

// The columns of the table that describes a walk; documented in topoctl.kernels.generator_annealing.GeneratorWalk.
struct GeneratorWalk {
    std::int64_t pairs, involutions, target, weight, moves;
};
constexpr std::size_t kWalkColumns = sizeof(GeneratorWalk) / sizeof(std::int64_t);

class GeneratorWalker {
public:
    explicit GeneratorWalker(const SemidirectProduct& group);

    // Anneals the generators in place and leaves the best ones met; returns their energy.
    DistanceEnergy run(const GeneratorWalk& walk, std::int32_t* generators, Word seed, const Cooling& cooling,
                       Stop& stop);

private:
    // A generator and its inverse, in slots of their own, or an involution.
    struct Unit {
        Element x, back;
        std::size_t slot, slots;
    };

    std::size_t slot_of(std::size_t number) const {
        return number + std::min(number, static_cast<std::size_t>(walk_.pairs));
    }
    Unit unit(std::size_t number, const Element& x) const;
    bool is_member(const Unit& unit) const { return member_[group_.number(unit.x)]; }
    void start(const std::int32_t* generators);
    bool evaluate(std::int64_t limit);
    bool propose(const Unit& unit, const Allowance& allowance);
    void insert_unit(const Unit& unit);
    void remove_unit(const Unit& unit);

    // Calls visit(slot) for the slots of all other generators.
    template <class Visit>
    void for_others(const Unit& unit, Visit visit) const;
    // Calls visit(place) for half of the paths of at most two hops with the unit in them: the others lead to inverses.
    template <class Visit>
    void for_half_of_paths(const Unit& unit, Visit visit) const;
    // Calls visit(place) for all of them.
    template <class Visit>
    void for_paths(const Unit& unit, Visit visit) const;

    std::int64_t unreached_in_two() const { return static_cast<std::int64_t>(group_.order() - ball_.size); }

    const SemidirectProduct& group_;
    std::vector<Element> involutions_;
    GeneratorWalk walk_{};
    std::vector<Element> slots_;
    LayerSpread spread_;
    Ball ball_;
    std::vector<std::vector<BitLine>> far_;
    std::vector<std::uint8_t> member_;
    DistanceEnergy current_, next_;
};

}  // namespace topoctl::generator_annealing
