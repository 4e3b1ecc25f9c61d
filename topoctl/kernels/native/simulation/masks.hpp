// Sets of lines and ports as words of bits, a few for a router of many ports.
#pragma once

#include "../bits.hpp"

namespace topoctl {

template <int W>
struct Mask {
    Word words[W];

    void set(std::size_t place) { words[W == 1 ? 0 : place / kWordBits] |= bit_of(place); }
    void clear(std::size_t place) { words[W == 1 ? 0 : place / kWordBits] &= ~bit_of(place); }
    void set_if(bool condition, std::size_t place) {
        words[W == 1 ? 0 : place / kWordBits] |= Word{condition} << place % kWordBits;
    }
    void clear_if(bool condition, std::size_t place) {
        words[W == 1 ? 0 : place / kWordBits] &= ~(Word{condition} << place % kWordBits);
    }
    bool holds(std::size_t place) const { return words[W == 1 ? 0 : place / kWordBits] & bit_of(place); }

    bool empty() const {
        Word any = 0;
        for (int word = 0; word < W; ++word) any |= words[word];
        return any == 0;
    }

    bool single() const {
        Word all = 0;
        bool several = false;
        for (int word = 0; word < W; ++word) {
            several |= (words[word] & (words[word] - 1)) != 0 || (all && words[word]);
            all |= words[word];
        }
        return all && !several;
    }

    // The first place at or after another, which is at most one too far, and from the beginning on if there is none;
    // the mask is not empty.
    std::size_t first_from(std::size_t place) const {
        if constexpr (W == 1) {
            const Word after = words[0] & ~Word{0} << place % kWordBits;
            return bit_number(after ? after : words[0]);
        } else if constexpr (W == 2) {
            const std::size_t here = place / kWordBits % 2;
            const Word one = words[here], other = words[1 - here];
            const Word after = one & ~Word{0} << place % kWordBits;
            const bool beyond = !after && other;
            return (beyond ? 1 - here : here) * kWordBits + bit_number(after ? after : other ? other : one);
        } else {
            std::size_t word = place / kWordBits;
            if (word < W) {
                if (const Word after = words[word] & ~Word{0} << place % kWordBits)
                    return word * kWordBits + bit_number(after);
                while (++word < W)
                    if (words[word]) return word * kWordBits + bit_number(words[word]);
            }
            for (word = 0; !words[word];) ++word;
            return word * kWordBits + bit_number(words[word]);
        }
    }

    // Visits all places in ascending order, of the mask as it was at each word.
    template <class Visit>
    void each(Visit&& visit) const {
        for (int word = 0; word < W; ++word)
            for (Word left = words[word]; left; left &= left - 1) visit(word * kWordBits + bit_number(left));
    }
};

}  // namespace topoctl
