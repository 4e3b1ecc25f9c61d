#include "link_walker.hpp"

#include "hop_energy.hpp"

namespace topoctl::link_annealing {
namespace {

// Of 1024 draws, so many use a free port where there is one, since exchanges never use free ports.
constexpr std::uint64_t kStubShare = 102;
// Where routers have hosts, so many of the other draws move one.
constexpr std::uint64_t kHostShare = 410;

// Distances in the matrix have 16 bits, some values are marks, and a path may pass all routers.
constexpr std::size_t kWidestMatrix = 65000;

std::unique_ptr<Evaluator> evaluator_for(Method method, const Network& network) {
    if (method == kToggle) return std::make_unique<Blind>();
    if (!network.hosts().empty())
        return method == kDelta && network.order() <= kWidestMatrix ? host_delta_evaluator()
                                                                    : host_full_evaluator(network);
    if (network.order() <= kWidestMatrix) {
        if (method == kAffected) return affected_evaluator();
        if (method == kDelta) return delta_evaluator();
    }
    return full_evaluator(network);
}

std::unique_ptr<Energy> energy_for(const LinkWalk& walk, const Neighborhood& neighborhood, const Network& network) {
    if (walk.cables.constant && walk.method != kToggle)
        return std::make_unique<LatencyEnergy>(network, neighborhood.diagonals, walk.cables, walk.target, walk.weight,
                                               walk.aim);
    const Cost cost{walk.target, walk.weight, static_cast<std::int64_t>(neighborhood.order)};
    return std::make_unique<HopEnergy>(network, evaluator_for(walk.method, network), cost, walk.aim);
}

}  // namespace

LinkWalker::LinkWalker(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots,
                       const Router* generators, std::uint64_t seed)
    : Walker(walk, seed), neighborhood_(neighborhood),
      network_(neighborhood.order, neighborhood.radix, static_cast<std::size_t>(walk.rotation_order),
               static_cast<std::size_t>(walk.second_order), slots, generators, walk.hosts),
      energy_(energy_for(walk, neighborhood, network_)), best_slots_(network_.slots()), best_hosts_(network_.hosts()) {
    score_ = best_ = energy_->score();
    find_stubs();
    const Standing& standing = walk_.standing;
    for (std::size_t slot = 0; slot < standing.order * standing.width; ++slot) {
        const auto router = static_cast<Router>(slot / standing.width), other = standing.slots[slot];
        missing_ += router < other && !network_.linked(router, other);
    }
}

void LinkWalker::find_stubs() {
    stubs_.clear();
    open_.clear();
    for (Router router = 0; router < static_cast<Router>(neighborhood_.order); ++router) {
        if (network_.has_stub(router)) stubs_.push_back(router);
        if (!network_.hosts().empty() && network_.is_open(router)) open_.push_back(router);
    }
}

bool LinkWalker::keep(const Allowance& allowance) {
    if (!energy_->propose(network_, allowance)) {
        network_.undo();
        energy_->reject(network_);
        return false;
    }
    energy_->accept();
    score_ = energy_->score();
    missing_ += rise_;
    if (network_.added().size() != network_.removed().size() || !stubs_.empty() || !open_.empty()) find_stubs();
    return true;
}

void LinkWalker::write(const std::vector<Router>& padded, Router* slots) const {
    for (std::size_t slot = 0; slot < padded.size(); ++slot)
        slots[slot] = padded[slot] == static_cast<Router>(slot / network_.radix()) ? -1 : padded[slot];
}

bool LinkWalker::make(std::uint64_t second, std::uint64_t third) {
    const std::uint64_t kind = word_ >> 32 & 1023;
    if (kind < kStubShare) {
        if (!open_.empty() && (stubs_.empty() || word_ >> 42 & 1)) return shift(second);
        if (!stubs_.empty()) return use_stub(second, third);
    } else if (!network_.hosts().empty() && kind < kStubShare + kHostShare) {
        return swing(second, third);
    }
    if (!far_.empty() && kind >= 1024 - static_cast<std::uint64_t>(walk_.focus))
        return exchange(focused(word_, third), second, third);
    return exchange(static_cast<Router>(below(word_, neighborhood_.order)), second, third);
}

// pq, rs -> pr, qs, with all their images under the group.
bool LinkWalker::exchange(Router p, std::uint64_t second, std::uint64_t third) {
    const Router r = neighborhood_.partner(p, second >> 32);
    if (p == r || !network_.degree(p) || !network_.degree(r)) return false;
    const Router q = network_.row(p)[below(second, static_cast<std::size_t>(network_.degree(p)))];
    const Router s = network_.row(r)[below(third, static_cast<std::size_t>(network_.degree(r)))];
    if (q == s || neighborhood_.length(q, s) > neighborhood_.limit || network_.linked(p, r) || network_.linked(q, s))
        return false;
    if (!may_change({{p, q}, {r, s}}, {{p, r}, {q, s}})) return false;
    const std::array routers{p, q, r, s};
    std::array<Router, 4> degrees;
    for (std::size_t i = 0; i < 4; ++i) degrees[i] = network_.degree(routers[i]);
    network_.begin({p, q, r, s});
    network_.remove(p, q);
    if (network_.linked(r, s)) network_.remove(r, s);
    bool kept = network_.add(p, r) && network_.add(q, s);
    for (std::size_t i = 0; i < 4; ++i) kept = kept && network_.degree(routers[i]) == degrees[i];
    if (!kept) network_.undo();
    return kept;
}

// A router with a free port gets a link: to another such router, or one that is taken from a link nearby.
bool LinkWalker::use_stub(std::uint64_t second, std::uint64_t third) {
    const Router r = stubs_[below(second, stubs_.size())];
    const Router p = neighborhood_.partner(r, second >> 32);
    if (p == r || network_.linked(p, r)) return false;
    if (network_.has_stub(p)) {
        may_change({}, {{p, r}});
        network_.begin({p, r});
    } else {
        if (!network_.degree(p)) return false;
        const Router q = network_.row(p)[below(third, static_cast<std::size_t>(network_.degree(p)))];
        if (!may_change({{p, q}}, {{p, r}})) return false;
        network_.begin({p, q, r});
        network_.remove(p, q);
    }
    const bool kept = network_.add(p, r) && network_.added().size() >= network_.removed().size();
    if (!kept) network_.undo();
    return kept;
}

// A host of a goes to b, and an end of a link of b to a, with all their images under the group.
bool LinkWalker::swing(std::uint64_t second, std::uint64_t third) {
    const auto a = static_cast<Router>(below(word_, neighborhood_.order));
    const Router b = neighborhood_.partner(a, second >> 32);
    if (a == b || !network_.hosts()[a] || !network_.degree(b)) return false;
    const Router c = network_.row(b)[below(third, static_cast<std::size_t>(network_.degree(b)))];
    if (a == c || neighborhood_.length(a, c) > neighborhood_.limit || network_.linked(a, c)) return false;
    network_.begin({a, b, c});
    network_.move_host(a, b);
    network_.remove(b, c);
    const bool kept = network_.add(a, c) && network_.fits(a) && network_.fits(b) && network_.fits(c);
    if (!kept) network_.undo();
    return kept;
}

// A router with a free port gets a host of another.
bool LinkWalker::shift(std::uint64_t second) {
    const Router to = open_[below(second, open_.size())];
    const Router from = neighborhood_.partner(to, second >> 32);
    if (from == to || !network_.hosts()[from]) return false;
    network_.begin({from, to});
    network_.move_host(from, to);
    return true;
}

// Whether enough standing links stay; notes how many more are missing once the move is kept.
bool LinkWalker::may_change(std::initializer_list<Link> gone, std::initializer_list<Link> come) {
    const Standing& standing = walk_.standing;
    if (!standing.slots) return true;
    rise_ = 0;
    for (const auto& [a, b] : gone) rise_ += standing.has(a, b);
    for (const auto& [a, b] : come) rise_ -= standing.has(a, b);
    return missing_ + rise_ <= standing.most_missing;
}

// A router of a pair beyond the target, or one beside it.
Router LinkWalker::focused(std::uint64_t word, std::uint64_t third) const {
    const Router router = far_[below(word, far_.size())];
    if (word >> 42 & 1 || !network_.degree(router)) return router;
    return network_.row(router)[below(third >> 32, static_cast<std::size_t>(network_.degree(router)))];
}

// Lists the routers that some source is further from than the target, by ascending number.
void LinkWalker::find_far() {
    far_.clear();
    if (!walk_.target || walk_.method == kToggle || (score_.diameter <= walk_.target && !score_.unreached)) return;
    std::vector<bool> is_far(neighborhood_.order);
    energy_->mark_far(network_, is_far);
    for (std::size_t router = 0; router < neighborhood_.order; ++router)
        if (is_far[router]) far_.push_back(static_cast<Router>(router));
}

}  // namespace topoctl::link_annealing
