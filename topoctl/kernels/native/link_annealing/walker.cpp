#include "walker.hpp"

namespace topoctl::link_annealing {

// A move is given up when so many draws in a row would break a rule: under short limits of length most draws do, and
// in a complete graph all.
constexpr int kAttemptsPerMove = 256;

void Walker::run(const Cooling& cooling, std::int64_t* accepted, Stop& stop) {
    const bool can_stop = walk_.goal_diameter > 0 && walk_.method != kToggle;
    for (moves_ = 0; moves_ < walk_.moves && !stop; ++moves_) {
        if (can_stop && !best_.unreached && best_.diameter <= walk_.goal_diameter &&
            best_.distance_sum <= walk_.goal_sum)
            break;
        prepare();
        if (!propose()) continue;
        const auto move = static_cast<std::uint64_t>(moves_);
        if (!keep(cooling.allowance(move, word_, walk_.slack))) continue;
        ++accepted[cooling.step(move)];
        if (score_.better(best_)) {
            best_ = score_;
            remember();
        }
    }
}

// Draws until a move keeps the rules, and makes it; false where none was found.
bool Walker::propose() {
    for (int attempt = 0; attempt < kAttemptsPerMove; ++attempt) {
        word_ = draw(seed_, 3 * attempts_);
        const std::uint64_t second = draw(seed_, 3 * attempts_ + 1), third = draw(seed_, 3 * attempts_ + 2);
        ++attempts_;
        if (make(second, third)) return true;
    }
    return false;
}

}  // namespace topoctl::link_annealing
