#include "lift_walker.hpp"

namespace topoctl::link_annealing {
namespace {

// Of 1024 draws, so many give a link another voltage, a third, or two involutions for its two ends, a sixteenth; all
// others exchange ends. Exchanges alone would never change how many links are their own images.
constexpr std::uint64_t kShiftShare = 341, kSplitShare = 64;

Lift lift_of(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots, const Router* generators) {
    return Lift(Network(neighborhood.order, neighborhood.radix, static_cast<std::size_t>(walk.rotation_order),
                        static_cast<std::size_t>(walk.second_order), slots, generators));
}

}  // namespace

LiftWalker::LiftWalker(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots,
                       const Router* generators, std::uint64_t seed)
    : Walker(walk, seed), lift_(lift_of(neighborhood, walk, slots, generators)), levels_(lift_levels(lift_)),
      hops_({walk.target, walk.weight, static_cast<std::int64_t>(neighborhood.order)}, walk.aim),
      best_codes_(lift_.codes()) {
    for (Lift::Code element = 1; element < lift_.group().order(); ++element)
        if (!lift_.group().product(element, element)) involutions_.push_back(element);
    levels_->measure(hops_.proposed());
    hops_.take();
    score_ = best_ = hops_.score();
}

bool LiftWalker::make(std::uint64_t second, std::uint64_t third) {
    const std::uint64_t kind = word_ >> 32 & 1023;
    const std::size_t port = below(word_, lift_.ports());
    const auto voltage = static_cast<Lift::Code>(below(third, lift_.elements()));
    const auto drawn = [this](std::uint64_t word) {
        return involutions_.empty() ? Lift::kOpen : involutions_[below(word >> 32, involutions_.size())];
    };
    if (kind < kShiftShare) return lift_.shift(port, voltage, drawn(second));
    if (kind < kShiftShare + kSplitShare && !involutions_.empty())
        return lift_.split(port, drawn(second), drawn(third));
    return lift_.exchange(port, below(second, lift_.ports()), voltage, drawn(second));
}

bool LiftWalker::keep(const Allowance& allowance) {
    const Refusal refusal = hops_.refusal(allowance);
    if (!levels_->propose(refusal, hops_.proposed()) || !hops_.allows(refusal)) {
        levels_->discard();
        lift_.undo();
        return false;
    }
    hops_.take();
    score_ = hops_.score();
    return true;
}

}  // namespace topoctl::link_annealing
