// What the annealed exchange of hops and that of generators share: the walk of one vertex-transitive network.
//
// A move replaces one unit, which is a hop of an Equality network, or a generator of a Cayley network with its
// inverse. Paths of at most two hops are counted: how many of them lead to each router. A move changes O(K) counts,
// and a count that leaves or reaches zero changes a bit; the sets of routers within three and more hops follow by
// shifts of sets. Most proposals are refused on the paths of two hops alone, before anything is changed. All draws
// come from a counter, all arithmetic is on integers, so the Python twin walks the same way.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "cooling.hpp"
#include "cyclic_shifts.hpp"
#include "parallel.hpp"

namespace topoctl {

// Routers within two hops of router 0, or those of one kind: paths counted, members as bits.
struct Ball {
    explicit Ball(std::size_t places) : counts(places), bits(lines_for(places), BitLine{}) {}

    void add(std::size_t router) {
        size += counts[router]++ == 0;
        insert(bits.data(), router);
    }
    void drop(std::size_t router) {
        const bool gone = --counts[router] == 0;
        size -= gone;
        erase(bits.data(), router, gone);
    }
    void clear() {
        std::fill(counts.begin(), counts.end(), 0);
        std::fill(bits.begin(), bits.end(), BitLine{});
        size = 0;
    }

    std::vector<std::uint16_t> counts;
    std::vector<BitLine> bits;
    std::size_t size = 0;
};

// Sums, over the distances up to each level, of the routers further away.
struct DistanceEnergy {
    std::vector<std::int64_t> partial;
    std::int64_t value = 0, beyond = 0;  // the whole sum; the routers beyond the target

    // Reaching the target diameter goes before any energy.
    bool better(const DistanceEnergy& other) const {
        return std::pair(beyond > 0, value) < std::pair(other.beyond > 0, other.value);
    }
};

// Network, which derives from this, has
//   std::int64_t order(), within_two(): the routers, and those within two hops;
//   std::size_t units(): how many can be replaced;
//   void each_of(number, visit): calls visit(unit) with one of these units, which may be of several types;
//   Unit candidate(unit, choice, place): what two random words propose instead;
//   bool may_follow(candidate, unit): whether that is allowed beside all that is there, and another unit;
//   std::int64_t gain(unit): an upper bound on the routers that the unit brings within two hops;
//   void insert(unit), remove(unit);
//   std::size_t spread(level, dense, last): finds the routers within level + 1 hops, from those within `level`; a
//   dense set is nearly full, the last one is only counted;
//   void remember(): the units are the best ones so far.
template <class Network>
class TransitiveWalker {
protected:
    struct Aim {
        std::int64_t target, weight, moves;  // as in HopWalk and GeneratorWalk
    };

    // Anneals the units that the network has; returns the energy of the best ones met.
    DistanceEnergy anneal(const Aim& aim, Word seed, const Cooling& cooling, Stop& stop) {
        aim_ = aim;
        current_.partial.assign(static_cast<std::size_t>(aim.target), 0);
        next_.partial = current_.partial;
        evaluate(std::numeric_limits<std::int64_t>::max());
        best_ = current_ = next_;
        const std::size_t units = network().units();
        const Word moves = units ? static_cast<Word>(aim.moves) : 0;
        for (Word first = 0; first < moves && !(first % kMovesPerLook == 0 && stop); first += kProposalsPerUnit) {
            const Word end = std::min(moves, first + kProposalsPerUnit);
            network().each_of(below(draw(seed, 2 * first), units),
                              [&](auto unit) { replace(unit, seed, first, end, cooling); });
        }
        return best_;
    }

private:
    // How many proposals in a row replace the same unit: it is taken out once for all of them.
    static constexpr Word kProposalsPerUnit = 4;
    // A proposal is refused early when the energy of the distances counted so far has grown by this many temperatures
    // more than the threshold: what is not yet counted seldom makes up for it (about 1 in 1000).
    static constexpr std::int64_t kSlackTemperatures = 2;
    // Signals are looked for so often; a multiple of kProposalsPerUnit.
    static constexpr Word kMovesPerLook = 64;

    Network& network() { return static_cast<Network&>(*this); }

    template <class Unit>
    void replace(Unit kept, Word seed, Word first, Word end, const Cooling& cooling) {
        network().remove(kept);
        for (Word move = first; move < end; ++move) {
            const Word choice = draw(seed, 2 * move), place = draw(seed, 2 * move + 1);
            const Unit proposed = network().candidate(kept, choice, place);
            if (!network().may_follow(proposed, kept)) continue;
            if (!propose(proposed, cooling.allowance(move, choice, kSlackTemperatures))) continue;
            kept = proposed;
            if (current_.better(best_)) {
                best_ = current_;
                network().remember();
            }
            network().remove(kept);
        }
        network().insert(kept);
    }

    // Something has been removed for the unit; true when it is in, accepted, and current_ is the energy with it.
    template <class Unit>
    bool propose(const Unit& unit, const Allowance& allowance) {
        const bool two_decide = aim_.target == 2;
        const std::int64_t limit = two_decide ? allowance.rise : allowance.partial_rise;
        const std::int64_t least = network().order() - network().within_two() - network().gain(unit);
        if (two_decide ? aim_.weight * least - current_.value > limit : least - current_.partial[2] > limit)
            return false;
        network().insert(unit);
        if (evaluate(limit) && next_.value - current_.value <= allowance.rise) {
            std::swap(current_, next_);
            return true;
        }
        network().remove(unit);
        return false;
    }

    // Puts the energy of the units into next_; false when a partial sum passes the current one by more than `limit`.
    bool evaluate(std::int64_t limit) {
        const std::int64_t order = network().order();
        std::int64_t unreached = order - network().within_two(), value = 0;
        for (std::int64_t level = 2; level < aim_.target; ++level) {
            value += unreached;
            next_.partial[static_cast<std::size_t>(level)] = value;
            if (value - current_.partial[static_cast<std::size_t>(level)] > limit) return false;
            if (unreached == 0) continue;
            unreached = order - static_cast<std::int64_t>(network().spread(
                                    static_cast<std::size_t>(level), 4 * unreached < order, level + 1 == aim_.target));
        }
        next_.value = value + aim_.weight * unreached;
        next_.beyond = unreached;
        return true;
    }

    Aim aim_{};
    DistanceEnergy current_, next_, best_;
};

}  // namespace topoctl
