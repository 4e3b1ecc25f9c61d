// How sets are laid out periodically, shifted and united; included by what compiles them for each machine.
#pragma once

#include "bits.hpp"

namespace topoctl {

// The bits from `shift` on, which is not 0, of these words and the one after them.
template <int Bytes>
TOPOCTL_INLINE Lanes<Bytes> load_shifted(const Word* words, std::size_t shift) {
    const Lanes<Bytes> low = load<Bytes>(words) >> shift;
    return low | (load<Bytes>(words + 1) << (kWordBits - shift));
}

// Words from `first` on repeat the words `period` bits before them; every word that is read has been written.
template <int Bytes>
TOPOCTL_INLINE void repeat_words(Word* words, std::size_t first, std::size_t end, std::size_t period) {
    constexpr std::size_t kStep = Bytes / sizeof(Word);
    const std::size_t shift = period % kWordBits ? kWordBits - period % kWordBits : 0;
    std::size_t word = first, low = (first * kWordBits - period) / kWordBits;
    if (shift && period > kLineBits + kWordBits)
        for (; word + kStep <= end; word += kStep, low += kStep)
            store<Bytes>(words + word, load_shifted<Bytes>(words + low, shift));
    for (; word < end; ++word, ++low)
        words[word] = shift ? words[low] >> shift | words[low + 1] << (kWordBits - shift) : words[low];
}

// A place in four sources at once.
template <int Bytes>
TOPOCTL_INLINE Lanes<Bytes> four(const unsigned char* const* sources, std::size_t place) {
    return (load<Bytes>(sources[0] + place) | load<Bytes>(sources[1] + place)) |
           (load<Bytes>(sources[2] + place) | load<Bytes>(sources[3] + place));
}

}  // namespace topoctl
