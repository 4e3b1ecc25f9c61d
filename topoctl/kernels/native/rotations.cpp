#include "rotations.hpp"

#include "versions.hpp"

namespace topoctl {

namespace {

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

template <int Bytes>
TOPOCTL_INLINE bool full(const Lanes<Bytes>& lanes) {
    Word all = lanes[0];
    for (std::size_t word = 1; word < Bytes / sizeof(Word); ++word) all &= lanes[word];
    return all == ~Word{0};
}

// Words from `first` on repeat the words `period` bits before them; every word that is read has been written.
template <int Bytes>
TOPOCTL_INLINE void repeat_words(Word* words, std::size_t first, std::size_t end, std::size_t period) {
    constexpr std::size_t step = Bytes / sizeof(Word);
    const std::size_t shift = period % kWordBits ? kWordBits - period % kWordBits : 0;
    std::size_t word = first, low = (first * kWordBits - period) / kWordBits;
    if (shift && period > kRowBits + kWordBits)
        for (; word + step <= end; word += step, low += step)
            store<Bytes>(words + word, load<Bytes>(words + low) >> shift |
                                           load<Bytes>(words + low + 1) << (kWordBits - shift));
    for (; word < end; ++word, ++low)
        words[word] = shift ? words[low] >> shift | words[low + 1] << (kWordBits - shift) : words[low];
}
TOPOCTL_VERSIONS(void, repeat, repeat_words, (Word * words, std::size_t first, std::size_t end, std::size_t period),
                 (words, first, end, period))

// The source, `shift` bits further, in all rows but the last.
template <int Bytes>
TOPOCTL_INLINE void shift_words(const BitRow* source, unsigned shift, std::size_t rows, BitRow* target) {
    constexpr std::size_t step = Bytes / sizeof(Word);
    const Word* from = source->words;
    Word* to = target->words;
    for (std::size_t word = 0; word < (rows - 1) * kRowWords; word += step)
        store<Bytes>(to + word,
                     load<Bytes>(from + word) >> shift | load<Bytes>(from + word + 1) << (kWordBits - shift));
}
TOPOCTL_VERSIONS(void, shift_copy, shift_words,
                 (const BitRow* source, unsigned shift, std::size_t rows, BitRow* target),
                 (source, shift, rows, target))

template <int Bytes>
TOPOCTL_INLINE Lanes<Bytes> four(const unsigned char* const* sources, std::size_t place) {
    return (load<Bytes>(sources[0] + place) | load<Bytes>(sources[1] + place)) |
           (load<Bytes>(sources[2] + place) | load<Bytes>(sources[3] + place));
}

// ORs `count` sources, a multiple of four, into `rows` rows. In a dense set a place is left as soon as it is full;
// otherwise a few sources at a time are read from end to end, which the prefetcher can follow.
template <int Bytes>
TOPOCTL_INLINE void unite_rows(const unsigned char* const* sources, std::size_t count, std::size_t rows, bool dense,
                               BitRow* out) {
    unsigned char* bytes = reinterpret_cast<unsigned char*>(out);
    const std::size_t end = rows * sizeof(BitRow);
    if (dense) {
        for (std::size_t place = 0; place < end; place += Bytes) {
            Lanes<Bytes> united = load<Bytes>(bytes + place);
            for (std::size_t next = 0; next < count && !full<Bytes>(united); next += 4)
                united |= four<Bytes>(sources + next, place);
            store<Bytes>(bytes + place, united);
        }
        return;
    }
    std::size_t next = 0;
    for (; next + 8 <= count; next += 8)
        for (std::size_t place = 0; place < end; place += Bytes)
            store<Bytes>(bytes + place, load<Bytes>(bytes + place) | four<Bytes>(sources + next, place) |
                                            four<Bytes>(sources + next + 4, place));
    for (; next < count; next += 4)
        for (std::size_t place = 0; place < end; place += Bytes)
            store<Bytes>(bytes + place, load<Bytes>(bytes + place) | four<Bytes>(sources + next, place));
}
TOPOCTL_VERSIONS(void, unite, unite_rows,
                 (const unsigned char* const* sources, std::size_t count, std::size_t rows, bool dense, BitRow* out),
                 (sources, count, rows, dense, out))

template <int Bytes>
TOPOCTL_INLINE std::size_t count_bits(const BitRow* bits, std::size_t rows) {
    std::size_t sums[kRowWords] = {};
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t word = 0; word < kRowWords; ++word)
            sums[word] += static_cast<std::size_t>(__builtin_popcountll(bits[row].words[word]));
    std::size_t total = 0;
    for (std::size_t word = 0; word < kRowWords; ++word) total += sums[word];
    return total;
}

// All ones up to `bits`, which lie in the last of rows_for(bits) rows.
BitRow tail_mask(std::size_t bits) {
    BitRow mask{};
    for (std::size_t bit = (rows_for(bits) - 1) * kRowBits; bit < bits; ++bit) insert(&mask, bit % kRowBits);
    return mask;
}

void cut(BitRow& row, const BitRow& mask) {
    for (std::size_t word = 0; word < kRowWords; ++word) row.words[word] &= mask.words[word];
}

// The row after the period holds it again, so that the last row of `dense` sets can fill.
void fill_beyond(BitRow& row, const BitRow& mask) {
    for (std::size_t word = 0; word < kRowWords; ++word) row.words[word] |= ~mask.words[word];
}

}  // namespace

TOPOCTL_VERSIONS(std::size_t, population, count_bits, (const BitRow* bits, std::size_t rows), (bits, rows))

RotatingSet::RotatingSet(std::size_t period)
    : period_(period), rows_(rows_for(2 * period + kRowBits) + 1), copies_(8 * rows_, BitRow{}) {}

void RotatingSet::assign(const BitRow* bits) {
    Word* words = reinterpret_cast<Word*>(copies_.data());
    std::memcpy(words, bits, rows_for(period_) * sizeof(BitRow));
    std::size_t first = period_ / kWordBits, repeated = period_;
    if (period_ < kWordBits) {  // too short to copy by words: write the first three bit by bit
        first = 3;
        words[1] = words[2] = 0;
        repeated = period_ * (kWordBits / period_ + 1);
        for (std::size_t bit = period_; bit < first * kWordBits; ++bit)
            if (words[(bit - period_) / kWordBits] >> ((bit - period_) % kWordBits) & 1) insert(copies_.data(), bit);
    } else if (const std::size_t used = period_ % kWordBits; used != 0) {
        words[first] |= words[0] << used;  // the rest of the word that the period ends in
        ++first;
    }
    repeat(words, first, rows_ * kRowWords, repeated);
    for (unsigned shift = 1; shift < 8; ++shift)
        shift_copy(copies_.data(), shift, rows_, copies_.data() + shift * rows_);
}

HopSpread::HopSpread(std::size_t half)
    : half_(half), tail_(tail_mask(half)), middle_(tail_mask(half / 2 + 1)), from_even_(half), from_odd_(half) {}

std::size_t HopSpread::operator()(const BitRow* even, const BitRow* odd, BitRow* even_out, BitRow* odd_out, bool dense,
                                  bool last) {
    const std::size_t odd_rows = rows_for(half_), even_rows = last ? rows_for(half_ / 2 + 1) : odd_rows;
    const BitRow& even_tail = last ? middle_ : tail_;
    std::memcpy(even_out, even, even_rows * sizeof(BitRow));
    std::memcpy(odd_out, odd, odd_rows * sizeof(BitRow));
    fill_beyond(even_out[even_rows - 1], even_tail);
    fill_beyond(odd_out[odd_rows - 1], tail_);
    from_even_.assign(even);
    from_odd_.assign(odd);
    for (auto* sources : {&to_even_, &to_odd_})  // whole fours: OR twice is OR once
        while (sources->size() % 4) sources->push_back(sources->back());
    unite(to_even_.data(), to_even_.size(), even_rows, dense, even_out);
    unite(to_odd_.data(), to_odd_.size(), odd_rows, dense, odd_out);
    cut(even_out[even_rows - 1], even_tail);
    cut(odd_out[odd_rows - 1], tail_);
    std::size_t evens = population(even_out, even_rows);
    if (last) {  // routers e and -e were counted together, except where they are the same
        const std::size_t middle = half_ / 2;
        evens = 2 * evens - 1;
        if (half_ % 2 == 0) evens -= even_out[middle / kRowBits].words[middle / kWordBits % kRowWords] >>
                                     (middle % kWordBits) & 1;
    }
    return evens + population(odd_out, odd_rows);
}

}  // namespace topoctl
