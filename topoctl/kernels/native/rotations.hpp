// Subsets of Z_H as bits, and unions of their rotations.
//
// An Equality network has two kinds of router, even and odd, H = N/2 of each, and a hop turns one bit set onto
// another. All work is therefore: OR rotated copies of a bit set. A set is laid out periodically over more than
// twice its length, in eight copies, each one bit further: a rotation by any offset is then an unaligned load of
// whole bytes, with no shift.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace topoctl {

using Word = std::uint64_t;
constexpr std::size_t kWordBits = 64, kRowWords = 8, kRowBits = kWordBits * kRowWords;
struct alignas(kRowWords * sizeof(Word)) BitRow {
    Word words[kRowWords];
};

inline std::size_t rows_for(std::size_t bits) { return (bits + kRowBits - 1) / kRowBits; }

inline void insert(BitRow* bits, std::size_t element) {
    bits[element / kRowBits].words[element / kWordBits % kRowWords] |= Word{1} << (element % kWordBits);
}
inline void erase(BitRow* bits, std::size_t element, bool really) {
    bits[element / kRowBits].words[element / kWordBits % kRowWords] &= ~(Word{really} << (element % kWordBits));
}

// A set of `period` bits that is read at any rotation.
class RotatingSet {
public:
    explicit RotatingSet(std::size_t period);

    // Takes new members; rotations taken before now show them.
    void assign(const BitRow* bits);

    // Rows in which bit x is element (x + offset) mod period, for offset < period.
    const unsigned char* rotated(std::size_t offset) const {
        return reinterpret_cast<const unsigned char*>(copies_.data() + (offset & 7) * rows_) + (offset >> 3);
    }

private:
    std::size_t period_, rows_;
    std::vector<BitRow> copies_;
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

    // The sets and all routers one hop from them; returns how many. The outputs are other rows than the inputs.
    // `last`: the outputs are only counted, and even routers, whose set equals its negation, only up to H/2.
    std::size_t operator()(const BitRow* even, const BitRow* odd, BitRow* even_out, BitRow* odd_out, bool dense, bool last);

private:
    std::size_t half_;
    BitRow tail_, middle_;
    RotatingSet from_even_, from_odd_;
    std::vector<const unsigned char*> to_even_, to_odd_;
};

std::size_t population(const BitRow* bits, std::size_t rows);

}  // namespace topoctl
