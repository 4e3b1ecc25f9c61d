// Subsets of Z_H as bits, and unions of their rotations.
//
// An Equality network has two kinds of router, even and odd, H = N/2 of each, and a hop turns one bit set onto
// another. All work is therefore: OR rotated copies of a bit set. A set is laid out periodically over more than
// twice its length, in eight copies, each one bit further: a rotation by any offset is then an unaligned load of
// whole bytes, with no shift.
#pragma once

#include <vector>

#include "bits.hpp"

namespace topoctl {

struct alignas(kLineWords * sizeof(Word)) BitLine {
    Word words[kLineWords];
};

inline std::size_t lines_for(std::size_t bits) { return (bits + kLineBits - 1) / kLineBits; }

inline bool contains(const BitLine* bits, std::size_t element) {
    return bits[element / kLineBits].words[element / kWordBits % kLineWords] & bit_of(element);
}
inline void insert(BitLine* bits, std::size_t element) {
    bits[element / kLineBits].words[element / kWordBits % kLineWords] |= bit_of(element);
}
inline void erase(BitLine* bits, std::size_t element, bool really) {
    bits[element / kLineBits].words[element / kWordBits % kLineWords] &= ~(Word{really} << element % kWordBits);
}

// A set of `period` bits that is read at any rotation.
class RotatingSet {
public:
    explicit RotatingSet(std::size_t period);

    // Takes new members; rotations taken before now show them.
    void assign(const BitLine* bits);

    // Lines in which bit x is element (x + offset) mod period, for offset < period.
    const unsigned char* rotated(std::size_t offset) const {
        return reinterpret_cast<const unsigned char*>(copies_.data() + (offset & 7) * lines_) + (offset >> 3);
    }

private:
    std::size_t period_, lines_;
    std::vector<BitLine> copies_;
};

// One hop further in an Equality network of 2H routers, from a set of even and a set of odd routers.
class HopSpread {
public:
    explicit HopSpread(std::size_t half);

    void clear() {
        to_even_.clear();
        to_odd_.clear();
    }
    void add_odd_hop(std::size_t t) {
        to_even_.push_back(from_odd_.rotated(t));
        to_odd_.push_back(from_even_.rotated(t ? half_ - t : 0));
    }
    void add_even_hop(std::size_t b) {
        for (std::size_t step : {b, half_ - b}) {
            to_even_.push_back(from_even_.rotated(step));
            to_odd_.push_back(from_odd_.rotated(step));
        }
    }

    // The sets and all routers one hop from them; returns how many. The outputs are other lines than the inputs.
    // `last`: the outputs are only counted, and even routers, whose set equals its negation, only up to H/2.
    std::size_t operator()(const BitLine* even, const BitLine* odd, BitLine* even_out, BitLine* odd_out, bool dense,
                           bool last);

private:
    std::size_t half_;
    BitLine tail_, middle_;
    RotatingSet from_even_, from_odd_;
    std::vector<const unsigned char*> to_even_, to_odd_;
};

std::size_t population(const BitLine* bits, std::size_t lines);

}  // namespace topoctl
