// Bits by the word: the words themselves, vectors of them, rows of vectors, and memory for rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

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

// Counts the bits of rows, word by word. Where no instruction does so for a whole vector, sums are kept in bytes for as
// many rows as these hold: to count the words of a vector one by one takes twice as long as to unite it with 6 others.
template <int Bytes, int Words>
class BitCounts {
public:
    using Bits = Row<Bytes, Words>;

    TOPOCTL_INLINE void add(const Bits& row) {
        for (int part = 0; part < Bits::kParts; ++part)
            if constexpr (kAtOnce)
                sums_.parts[part] += bit_counts<Bits::kBytes>(row.parts[part]);
            else
                byte_sums_.parts[part] += byte_counts(row.parts[part]);
        if (!kAtOnce && ++pending_ == kMostPending) settle();
    }

    // Sets one number for every word.
    TOPOCTL_INLINE void store(Word* counts) {
        if (!kAtOnce) settle();
        std::memcpy(counts, &sums_, sizeof sums_);
    }

private:
    using Part = typename Bits::Part;

    // Short rows, too, are faster counted word by word.
    static constexpr bool kAtOnce = Bytes == 64 || Bits::kBytes < Bytes;
    static constexpr int kMostPending = 255 / 8;

    TOPOCTL_INLINE static Part every(Word word) { return Part{} + word; }

    // How many bits each byte has.
    TOPOCTL_INLINE static Part byte_counts(Part bits) {
        bits -= bits >> 1 & every(0x5555555555555555);
        bits = (bits & every(0x3333333333333333)) + (bits >> 2 & every(0x3333333333333333));
        return (bits + (bits >> 4)) & every(0x0f0f0f0f0f0f0f0f);
    }

    TOPOCTL_INLINE void settle() {
        for (int part = 0; part < Bits::kParts; ++part) {
            Part sums = byte_sums_.parts[part];
            sums = (sums & every(0x00ff00ff00ff00ff)) + (sums >> 8 & every(0x00ff00ff00ff00ff));
            sums += sums >> 16;
            sums += sums >> 32;
            sums_.parts[part] += sums & every(0xffff);
            byte_sums_.parts[part] = Part{};
        }
        pending_ = 0;
    }

    Bits sums_{}, byte_sums_{};
    int pending_ = 0;  // rows in byte_sums_
};

// Memory for words that starts on a cache line, in huge pages where it is large; the words are not set to anything.
class LineWords {
public:
    explicit LineWords(std::size_t count) {
        std::size_t bytes = (count + kLineWords) * sizeof(Word);
        const bool large = bytes >= kLarge;
        const std::size_t unit = large ? kHugePage : kLineWords * sizeof(Word);
        bytes = (bytes + unit - 1) / unit * unit;
        words_.reset(static_cast<Word*>(std::aligned_alloc(unit, bytes)));
        if (!words_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (large) madvise(words_.get(), bytes, MADV_HUGEPAGE);
#endif
    }
    Word* get() { return words_.get(); }

private:
    static constexpr std::size_t kHugePage = std::size_t{1} << 21, kLarge = 4 * kHugePage;
    struct Free {
        void operator()(Word* words) const { std::free(words); }
    };
    std::unique_ptr<Word[], Free> words_;
};

}  // namespace topoctl
