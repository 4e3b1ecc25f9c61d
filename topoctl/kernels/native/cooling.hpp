// What all annealings share: how the words of a walk are drawn, and when it keeps a move. All in integers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topoctl {

// A random word, the same on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) as a function of seed and
// position.
inline std::uint64_t draw(std::uint64_t seed, std::uint64_t position) {
    std::uint64_t z = seed + (position + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The low 32 bits of a draw, scaled to 0..count-1.
inline std::size_t below(std::uint64_t word, std::size_t count) { return (word & 0xFFFFFFFFu) * count >> 32; }

// How much worse a proposal may be.
struct Allowance {
    std::int64_t rise;          // the energy may rise by no more
    std::int64_t partial_rise;  // nor may the part of it that is known first
    bool predicts;              // whether the second rule holds
};

// The temperatures of a walk, each for an equal part of its moves; and the thresholds -ln u, one of which the random
// word of a move chooses. A move is kept unless it raises the energy by more than T times its threshold. Both are
// fixed-point numbers of 16 bits behind the point, so that their product has 32.
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
