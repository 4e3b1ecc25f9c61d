#include "walker.hpp"

namespace topoctl::cayley {
namespace {

// Of 2^16 proposals for a pair, so many keep its layer: a third.
constexpr Word kKeepLayer = 0x5555;

}  // namespace

GeneratorWalker::GeneratorWalker(const LayeredSets& sets)
    : sets_(sets), spread_(sets), ball_(sets.places()), far_(2, std::vector<BitLine>(lines_for(sets.places()))),
      member_(sets.order()) {
    for (std::size_t number = 1; number < sets.order(); ++number) {
        const Element x = sets.element(number);
        if (sets.number(sets.inverse(x)) == number) involutions_.push_back(x);
    }
}

GeneratorWalker::Unit GeneratorWalker::unit(std::size_t number, const Element& x) const {
    if (is_pair(number)) return {x, sets_.inverse(x), number, slot_of(number), 2};
    return {x, x, number, slot_of(number), 1};
}

GeneratorWalker::Unit GeneratorWalker::candidate(const Unit& kept, Word choice, Word place) const {
    if (!is_pair(kept.number)) return unit(kept.number, involutions_[below(place, involutions_.size())]);
    if ((choice >> 32 & 0xFFFF) < kKeepLayer)
        return unit(kept.number, sets_.element(below(place, sets_.s()), kept.x.b));
    return unit(kept.number, sets_.element(below(place, sets_.order())));
}

// The unit that was kept last is no member while it is out.
bool GeneratorWalker::may_follow(const Unit& proposed, const Unit& kept) const {
    const std::size_t x = sets_.number(proposed.x), back = sets_.number(proposed.back);
    const std::size_t before = sets_.number(kept.x);
    if (x == 0 || (is_pair(proposed.number) && x == back)) return false;
    return !member_[x] && x != before && back != before;
}

template <class Visit>
void GeneratorWalker::for_others(const Unit& unit, Visit visit) const {
    for (std::size_t slot = 0; slot < unit.slot; ++slot) visit(slots_[slot]);
    for (std::size_t slot = unit.slot + unit.slots; slot < slots_.size(); ++slot) visit(slots_[slot]);
}

template <class Visit>
void GeneratorWalker::for_half_of_paths(const Unit& unit, Visit visit) const {
    if (unit.slots == 1) {
        for_others(unit, [&](const Element& y) { visit(sets_.place(y, unit.x)); });
    } else {
        for_others(unit, [&](const Element& y) {
            visit(sets_.place(y, unit.x));
            visit(sets_.place(y, unit.back));
        });
        visit(sets_.place(unit.x, unit.x));
    }
}

template <class Visit>
void GeneratorWalker::for_paths(const Unit& unit, Visit visit) const {
    for_half_of_paths(unit, visit);
    visit(sets_.place(unit.x));
    for_others(unit, [&](const Element& y) { visit(sets_.place(unit.x, y)); });
    if (unit.slots == 1) return;
    for_others(unit, [&](const Element& y) { visit(sets_.place(unit.back, y)); });
    visit(sets_.place(unit.back, unit.back));
    visit(sets_.place(unit.back));
}

// Paths that meet on a new router are all counted, those of one half for both.
std::int64_t GeneratorWalker::gain(const Unit& unit) const {
    std::int64_t gain = ball_.counts[sets_.place(unit.x)] == 0;
    for_half_of_paths(unit, [&](std::size_t place) { gain += ball_.counts[place] == 0; });
    return 2 * gain;
}

void GeneratorWalker::insert(const Unit& unit) {
    slots_[unit.slot] = unit.x;
    slots_[unit.slot + unit.slots - 1] = unit.back;
    member_[sets_.number(unit.x)] = member_[sets_.number(unit.back)] = 1;
    for_paths(unit, [&](std::size_t place) { ball_.add(place); });
}

void GeneratorWalker::remove(const Unit& unit) {
    member_[sets_.number(unit.x)] = member_[sets_.number(unit.back)] = 0;
    for_paths(unit, [&](std::size_t place) { ball_.drop(place); });
}

void GeneratorWalker::remember() {
    for (std::size_t number = 0; number < units(); ++number)
        best_[number] = static_cast<std::int32_t>(sets_.number(slots_[slot_of(number)]));
}

void GeneratorWalker::start() {
    ball_.clear();
    ball_.add(0);
    std::fill(member_.begin(), member_.end(), 0);
    slots_.clear();
    for (std::size_t number = 0; number < units(); ++number) {
        const Unit added = unit(number, sets_.element(static_cast<std::size_t>(best_[number])));
        slots_.resize(added.slot + added.slots);
        insert(added);
    }
}

DistanceEnergy GeneratorWalker::run(const GeneratorWalk& walk, std::int32_t* generators, Word seed,
                                    const Cooling& cooling, Stop& stop) {
    walk_ = walk;
    best_ = generators;
    start();
    return anneal({walk.target, walk.weight, walk.moves}, seed, cooling, stop);
}

}  // namespace topoctl::cayley
