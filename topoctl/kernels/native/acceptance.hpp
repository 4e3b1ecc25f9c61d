// When an annealing keeps a move: the rule that the annealings of hops and of links share, in integers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topoctl {

// How much worse a proposal may be.
struct Allowance {
    std::int64_t rise;          // the energy may rise by no more
    std::int64_t partial_rise;  // nor may the part of it that is known first
    bool predicts;              // whether the second rule holds
};

// The temperatures of a walk, fixed point, each for an equal part of its moves; and the thresholds -ln u, one of
// which the random word of a move chooses.
struct Cooling {
    const std::int64_t* temperatures;
    std::size_t steps;
    const std::int64_t* thresholds;
    std::uint64_t moves;

    std::size_t step(std::uint64_t move) const { return move * steps / moves; }

    // `slack` temperatures more are allowed before all is known; below 0 that is not looked at.
    Allowance allowance(std::uint64_t move, std::uint64_t word, std::int64_t slack) const {
        const std::int64_t temperature = temperatures[step(move)];
        const std::int64_t rise = temperature * thresholds[word >> 48] >> 32;
        return {rise, rise + (slack * temperature >> 16), slack >= 0};
    }
};

}  // namespace topoctl
