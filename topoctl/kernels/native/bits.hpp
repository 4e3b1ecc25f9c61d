// Bits by the word: the words themselves, vectors of them, rows of vectors, and memory for rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "versions.hpp"

namespace topoctl {

using Word = std::uint64_t;
constexpr std::size_t kWordBits = 64;
// A cache line, and the widest vector that a machine has.
constexpr std::size_t kLineWords = 8;
constexpr std::size_t kLineBits = kLineWords * kWordBits;

// A bit in the word that holds it, which is number position / kWordBits.
inline Word bit_of(std::size_t position) { return Word{1} << position % kWordBits; }

// The number of a word's lowest bit.
inline std::size_t bit_number(Word word) { return static_cast<std::size_t>(__builtin_ctzll(word)); }

inline std::size_t bit_count(Word word) { return static_cast<std::size_t>(__builtin_popcountll(word)); }

// The words of a vector of so many bytes.
template <int Bytes>
using Lanes = typename VectorOf<Bytes>::type;

template <int Bytes>
TOPOCTL_INLINE Lanes<Bytes> load(const void* address) {
    Lanes<Bytes> lanes;
    std::memcpy(&lanes, address, sizeof lanes);
    return lanes;
}

template <int Bytes>
TOPOCTL_INLINE void store(void* address, const Lanes<Bytes>& lanes) {
    std::memcpy(address, &lanes, sizeof lanes);
}

// The bits that are in every word.
template <int Bytes>
TOPOCTL_INLINE Word common_bits(const Lanes<Bytes>& lanes) {
    if constexpr (Bytes == sizeof(Word)) {
        return lanes[0];
    } else {
        Lanes<Bytes / 2> halves[2];
        std::memcpy(halves, &lanes, sizeof lanes);
        return common_bits<Bytes / 2>(halves[0] & halves[1]);
    }
}

// How many bits each word has.
template <int Bytes>
TOPOCTL_INLINE Lanes<Bytes> bit_counts(const Lanes<Bytes>& lanes) {
    alignas(Bytes) Word words[Bytes / sizeof(Word)];
    std::memcpy(words, &lanes, sizeof words);  // through an array, because only so GCC finds the vector instruction
    for (Word& word : words) word = bit_count(word);
    Lanes<Bytes> counts;
    std::memcpy(&counts, words, sizeof counts);
    return counts;
}

// A row of words in vectors of so many bytes, or in one vector of its own size where it is shorter.
template <int Bytes, int Words>
struct Row {
    static constexpr int kBytes = Words * 8 < Bytes ? Words * 8 : Bytes;
    static constexpr int kParts = Words * 8 / kBytes;
    using Part = Lanes<kBytes>;

    Part parts[kParts];
};

// Memory for words that starts on a cache line; the words are not set to anything.
class LineWords {
public:
    explicit LineWords(std::size_t count) : storage_(new Word[count + kLineWords]) {
        const auto address = reinterpret_cast<std::uintptr_t>(storage_.get()) / sizeof(Word);
        first_ = storage_.get() + (kLineWords - address % kLineWords) % kLineWords;
    }
    Word* get() { return first_; }

private:
    std::unique_ptr<Word[]> storage_;
    Word* first_;
};

}  // namespace topoctl
