"""Random words from a seed and a position, the same as the native kernels draw."""

from __future__ import annotations

MASK = 2**64 - 1


def draw(seed: int, position: int) -> int:
    """SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) as a function of seed and position."""
    z = (seed + (position + 1) * 0x9E3779B97F4A7C15) & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def below(word: int, count: int) -> int:
    """The low 32 bits of a draw, scaled to 0..count-1."""
    return (word & 0xFFFFFFFF) * count >> 32
