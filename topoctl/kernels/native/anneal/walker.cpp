#include "walker.hpp"

#include "affected.hpp"
#include "delta.hpp"
#include "full.hpp"
#include "hops.hpp"

namespace topoctl::anneal {
namespace {

// A move is given up when so many draws in a row would break a rule.
constexpr int attempts_per_move = 256;
// Of 1024 draws, so many use a free port where there is one, or look for a pair beyond the target.
constexpr std::uint64_t stub_share = 102, focus_share = 102;
// How often the routers of the pairs beyond the target are listed anew.
constexpr std::int64_t focus_period = 256;

// Distances in the matrix have 16 bits.
constexpr std::size_t widest_matrix = 65000;

std::unique_ptr<Evaluator> evaluator_for(std::int64_t method, const Network& network) {
    if (method == toggle) return std::make_unique<Blind>();
    if (network.order() <= widest_matrix) {
        if (method == affected) return affected_evaluator();
        if (method == delta) return delta_evaluator();
    }
    return full_evaluator(network);
}

std::unique_ptr<Objective> objective_for(const Plan& plan, const Room& room, const Network& network) {
    if (plan.cables.constant && plan.method != toggle)
        return std::make_unique<Latencies>(network, room.diagonals, plan.cables, plan.target, plan.weight, plan.aim);
    const Cost cost{plan.target, plan.weight, static_cast<std::int64_t>(room.order)};
    return std::make_unique<Hops>(network, evaluator_for(plan.method, network), cost, plan.aim);
}

}  // namespace

Walker::Walker(const Room& room, const Plan& plan, const Router* slots, const Router* rotation, std::uint64_t seed)
    : room_(room), plan_(plan), network_(room.order, room.radix, static_cast<std::size_t>(plan.fold), slots, rotation),
      objective_(objective_for(plan, room, network_)), seed_(seed), score_(objective_->score()), best_(score_),
      best_slots_(network_.slots()) {
    find_stubs();
}

void Walker::find_stubs() {
    stubs_.clear();
    for (std::size_t router = 0; router < room_.order; ++router)
        if (network_.has_stub(static_cast<Router>(router))) stubs_.push_back(static_cast<Router>(router));
}

void Walker::run(const std::int64_t* temperatures, std::size_t steps, const std::int64_t* thresholds,
                 std::int64_t* accepted, Stop& stop) {
    const bool can_stop = plan_.goal_diameter > 0 && plan_.method != toggle;
    for (moves_ = 0; moves_ < plan_.moves && !stop; ++moves_) {
        if (can_stop && !best_.unreached && best_.diameter <= plan_.goal_diameter && best_.sum <= plan_.goal_sum)
            break;
        if (plan_.focus && moves_ % focus_period == 0) find_far();
        if (!propose()) continue;
        const std::size_t step = static_cast<std::size_t>(moves_) * steps / static_cast<std::size_t>(plan_.moves);
        const std::int64_t temperature = temperatures[step];
        const std::int64_t threshold = temperature * thresholds[word_ >> 48] >> 32;
        const Allowance allowance{threshold, threshold + (plan_.slack * temperature >> 16), plan_.slack >= 0};
        if (!objective_->propose(network_, allowance)) {
            network_.undo();
            objective_->reject(network_);
            continue;
        }
        objective_->accept();
        ++accepted[step];
        score_ = objective_->score();
        if (network_.added().size() != network_.removed().size() || !stubs_.empty()) find_stubs();
        if (score_.better(best_)) {
            best_ = score_;
            best_slots_ = network_.slots();
        }
    }
}

// Draws until a move keeps the rules, and makes it; false where none was found.
bool Walker::propose() {
    for (int attempt = 0; attempt < attempts_per_move; ++attempt) {
        word_ = draw(seed_, 3 * attempts_);
        const std::uint64_t where = draw(seed_, 3 * attempts_ + 1), whither = draw(seed_, 3 * attempts_ + 2);
        ++attempts_;
        const std::uint64_t kind = word_ >> 32 & 1023;
        bool made;
        if (!stubs_.empty() && kind < stub_share)
            made = use_stub(where, whither);
        else if (!far_.empty() && kind >= 1024 - focus_share)
            made = exchange(focused(word_, whither), where, whither);
        else
            made = exchange(static_cast<Router>(below(word_, room_.order)), where, whither);
        if (made) return true;
    }
    return false;
}

// pq, rs -> pr, qs, with all their images under the rotation.
bool Walker::exchange(Router p, std::uint64_t where, std::uint64_t whither) {
    const Router r = room_.partner(p, where >> 32);
    if (p == r || !network_.degree(p) || !network_.degree(r)) return false;
    const Router q = network_.row(p)[below(where, static_cast<std::size_t>(network_.degree(p)))];
    const Router s = network_.row(r)[below(whither, static_cast<std::size_t>(network_.degree(r)))];
    if (q == s || room_.length(q, s) > room_.limit || network_.linked(p, r) || network_.linked(q, s)) return false;
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
bool Walker::use_stub(std::uint64_t where, std::uint64_t whither) {
    const Router r = stubs_[below(where, stubs_.size())];
    const Router p = room_.partner(r, where >> 32);
    if (p == r || network_.linked(p, r)) return false;
    if (network_.has_stub(p)) {
        network_.begin({p, r});
    } else {
        const Router q = network_.row(p)[below(whither, static_cast<std::size_t>(network_.degree(p)))];
        network_.begin({p, q, r});
        network_.remove(p, q);
    }
    const bool kept = network_.add(p, r) && network_.added().size() >= network_.removed().size();
    if (!kept) network_.undo();
    return kept;
}

// A router of a pair beyond the target, or one beside it.
Router Walker::focused(std::uint64_t word, std::uint64_t whither) const {
    const Router router = far_[below(word, far_.size())];
    if (word >> 42 & 1 || !network_.degree(router)) return router;
    return network_.row(router)[below(whither >> 32, static_cast<std::size_t>(network_.degree(router)))];
}

// Lists the routers that some source is further from than the target, by ascending number.
void Walker::find_far() {
    far_.clear();
    if (!plan_.target || plan_.method == toggle || (score_.diameter <= plan_.target && !score_.unreached)) return;
    std::vector<bool> is_far(room_.order);
    objective_->mark_far(network_, is_far);
    for (std::size_t router = 0; router < room_.order; ++router)
        if (is_far[router]) far_.push_back(static_cast<Router>(router));
}

}  // namespace topoctl::anneal
