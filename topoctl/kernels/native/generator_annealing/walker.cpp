#include "walker.hpp"

#include <limits>

#include "../draws.hpp"

namespace topoctl::generator_annealing {
namespace {

// How many proposals in a row replace the same generator: it is taken out once for all of them.
constexpr Word kProposalsPerUnit = 4;
// A proposal is refused early when the energy of the distances counted so far has grown by this many
// temperatures more than the threshold: what is not yet counted seldom makes up for it.
constexpr std::int64_t kSlackTemperatures = 2;
// Of 2^16 proposals for a pair, so many keep its layer.
constexpr Word kKeepLayer = 0x5555;

}  // namespace

GeneratorWalker::GeneratorWalker(const SemidirectProduct& group)
    : group_(group), spread_(group), ball_(group.places()), far_(2, std::vector<BitLine>(lines_for(group.places()))),
      member_(group.order()) {
    for (std::size_t number = 1; number < group.order(); ++number) {
        const Element x = group.element(number);
        if (group.number(group.inverse(x)) == number) involutions_.push_back(x);
    }
}

template <class Visit>
void GeneratorWalker::for_others(const Unit& unit, Visit visit) const {
    for (std::size_t slot = 0; slot < unit.slot; ++slot) visit(slots_[slot]);
    for (std::size_t slot = unit.slot + unit.slots; slot < slots_.size(); ++slot) visit(slots_[slot]);
}

template <class Visit>
void GeneratorWalker::for_half_of_paths(const Unit& unit, Visit visit) const {
    if (unit.slots == 1) {
        for_others(unit, [&](const Element& y) { visit(group_.place(y, unit.x)); });
    } else {
        for_others(unit, [&](const Element& y) {
            visit(group_.place(y, unit.x));
            visit(group_.place(y, unit.back));
        });
        visit(group_.place(unit.x, unit.x));
    }
}

template <class Visit>
void GeneratorWalker::for_paths(const Unit& unit, Visit visit) const {
    for_half_of_paths(unit, visit);
    visit(group_.place(unit.x));
    for_others(unit, [&](const Element& y) { visit(group_.place(unit.x, y)); });
    if (unit.slots == 1) return;
    for_others(unit, [&](const Element& y) { visit(group_.place(unit.back, y)); });
    visit(group_.place(unit.back, unit.back));
    visit(group_.place(unit.back));
}

GeneratorWalker::Unit GeneratorWalker::unit(std::size_t number, const Element& x) const {
    if (number < static_cast<std::size_t>(walk_.pairs)) return {x, group_.inverse(x), slot_of(number), 2};
    return {x, x, slot_of(number), 1};
}

void GeneratorWalker::insert_unit(const Unit& unit) {
    slots_[unit.slot] = unit.x;
    slots_[unit.slot + unit.slots - 1] = unit.back;
    member_[group_.number(unit.x)] = member_[group_.number(unit.back)] = 1;
    for_paths(unit, [&](std::size_t place) { ball_.add(place); });
}

void GeneratorWalker::remove_unit(const Unit& unit) {
    member_[group_.number(unit.x)] = member_[group_.number(unit.back)] = 0;
    for_paths(unit, [&](std::size_t place) { ball_.drop(place); });
}

void GeneratorWalker::start(const std::int32_t* generators) {
    ball_.clear();
    ball_.add(0);
    std::fill(member_.begin(), member_.end(), 0);
    slots_.clear();
    const std::size_t units = static_cast<std::size_t>(walk_.pairs + walk_.involutions);
    for (std::size_t number = 0; number < units; ++number) {
        const Unit added = unit(number, group_.element(static_cast<std::size_t>(generators[number])));
        slots_.resize(added.slot + added.slots);
        insert_unit(added);
    }
    current_.partial.assign(static_cast<std::size_t>(walk_.target), 0);
    next_.partial = current_.partial;
}

// Puts the energy of the generators into next_; false when a partial sum passes the current one by more than `limit`.
bool GeneratorWalker::evaluate(std::int64_t limit) {
    const std::int64_t order = static_cast<std::int64_t>(group_.order());
    std::int64_t unreached = unreached_in_two(), value = 0;
    const BitLine* reached = ball_.bits.data();
    for (std::int64_t level = 2; level < walk_.target; ++level) {
        value += unreached;
        next_.partial[static_cast<std::size_t>(level)] = value;
        if (value - current_.partial[static_cast<std::size_t>(level)] > limit) return false;
        if (unreached == 0) continue;
        BitLine* further = far_[level % 2].data();
        unreached = order - static_cast<std::int64_t>(
                                spread_(slots_, reached, further, 4 * unreached < order, level + 1 == walk_.target));
        reached = further;
    }
    next_.value = value + walk_.weight * unreached;
    next_.beyond = unreached;
    return true;
}

// The generators of the unit's slots have been removed; true when the unit is in, accepted, and current_ its energy.
bool GeneratorWalker::propose(const Unit& unit, const Allowance& allowance) {
    const bool two_decide = walk_.target == 2;
    const std::int64_t limit = two_decide ? allowance.rise : allowance.partial_rise;
    std::int64_t gain = ball_.counts[group_.place(unit.x)] == 0;  // at most: paths that meet are all counted
    for_half_of_paths(unit, [&](std::size_t place) { gain += ball_.counts[place] == 0; });
    const std::int64_t least = unreached_in_two() - 2 * gain;
    if (two_decide ? walk_.weight * least - current_.value > limit : least - current_.partial[2] > limit) return false;
    insert_unit(unit);
    if (evaluate(limit) && next_.value - current_.value <= allowance.rise) {
        std::swap(current_, next_);
        return true;
    }
    remove_unit(unit);
    return false;
}

DistanceEnergy GeneratorWalker::run(const GeneratorWalk& walk, std::int32_t* generators, Word seed,
                                    const Cooling& cooling, Stop& stop) {
    walk_ = walk;
    start(generators);
    evaluate(std::numeric_limits<std::int64_t>::max());
    current_ = next_;
    DistanceEnergy best = current_;
    const std::size_t pairs = static_cast<std::size_t>(walk.pairs), s = group_.s();
    const std::size_t units = pairs + static_cast<std::size_t>(walk.involutions);
    const Word moves = units ? static_cast<Word>(walk.moves) : 0;

    auto candidate = [&](bool pair, const Element& kept, Word choice, Word place) -> Element {
        if (!pair) return involutions_[below(place, involutions_.size())];
        if ((choice >> 32 & 0xFFFF) < kKeepLayer) return group_.element(below(place, s), kept.b);
        return group_.element(below(place, group_.order()));
    };

    for (Word first = 0; first < moves && !(first % 64 == 0 && stop); first += kProposalsPerUnit) {
        const std::size_t number = below(draw(seed, 2 * first), units);
        const bool pair = number < pairs;
        Unit kept = unit(number, slots_[slot_of(number)]);
        remove_unit(kept);
        const Word end = std::min(moves, first + kProposalsPerUnit);
        for (Word move = first; move < end; ++move) {
            const Word choice = draw(seed, 2 * move), place = draw(seed, 2 * move + 1);
            const Unit proposed = unit(number, candidate(pair, kept.x, choice, place));
            const std::size_t x = group_.number(proposed.x), back = group_.number(proposed.back);
            if (x == 0 || (pair && x == back) || is_member(proposed)) continue;
            if (x == group_.number(kept.x) || back == group_.number(kept.x)) continue;
            if (!propose(proposed, cooling.allowance(move, choice, kSlackTemperatures))) continue;
            kept = proposed;
            if (current_.better(best)) {
                best = current_;
                for (std::size_t one = 0; one < units; ++one)
                    generators[one] = static_cast<std::int32_t>(group_.number(slots_[slot_of(one)]));
            }
            remove_unit(kept);
        }
        insert_unit(kept);
    }
    return best;
}

}  // namespace topoctl::generator_annealing
