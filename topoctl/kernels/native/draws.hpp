// Random words from a seed and a position, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topoctl {

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) as a function of seed and position.
inline std::uint64_t draw(std::uint64_t seed, std::uint64_t position) {
    std::uint64_t z = seed + (position + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The low 32 bits of a draw, scaled to 0..count-1.
inline std::size_t below(std::uint64_t word, std::size_t count) { return (word & 0xFFFFFFFFu) * count >> 32; }

}  // namespace topoctl
