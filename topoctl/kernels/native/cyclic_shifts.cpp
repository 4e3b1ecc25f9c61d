#include "cyclic_shifts.hpp"

#include "rotation.hpp"

namespace topoctl {

namespace {

TOPOCTL_VERSIONS(void, repeat, repeat_words, (Word * words, std::size_t first, std::size_t end, std::size_t period),
                 (words, first, end, period))

// The source, `shift` bits further, in all lines but the last.
template <int Bytes>
TOPOCTL_INLINE void shift_words(const BitLine* source, unsigned shift, std::size_t lines, BitLine* target) {
    constexpr std::size_t kStep = Bytes / sizeof(Word);
    const Word* from = source->words;
    Word* to = target->words;
    for (std::size_t word = 0; word < (lines - 1) * kLineWords; word += kStep)
        store<Bytes>(to + word, load_shifted<Bytes>(from + word, shift));
}
TOPOCTL_VERSIONS(void, shift_copy, shift_words,
                 (const BitLine* source, unsigned shift, std::size_t lines, BitLine* target),
                 (source, shift, lines, target))

// ORs `count` sources, a multiple of four, into `lines` lines. In a dense set a place is left as soon as it is full;
// otherwise a few sources at a time are read from end to end, which the prefetcher can follow.
template <int Bytes>
TOPOCTL_INLINE void unite_lines(const unsigned char* const* sources, std::size_t count, std::size_t lines, bool dense,
                                BitLine* out) {
    unsigned char* bytes = reinterpret_cast<unsigned char*>(out);
    const std::size_t end = lines * sizeof(BitLine);
    if (dense) {
        for (std::size_t place = 0; place < end; place += Bytes) {
            Lanes<Bytes> united = load<Bytes>(bytes + place);
            for (std::size_t next = 0; next < count && common_bits<Bytes>(united) != ~Word{0}; next += 4)
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
TOPOCTL_VERSIONS(void, unite, unite_lines,
                 (const unsigned char* const* sources, std::size_t count, std::size_t lines, bool dense, BitLine* out),
                 (sources, count, lines, dense, out))

template <int Bytes>
TOPOCTL_INLINE std::size_t count_bits(const BitLine* bits, std::size_t lines) {
    std::size_t sums[kLineWords] = {};
    for (std::size_t line = 0; line < lines; ++line)
        for (std::size_t word = 0; word < kLineWords; ++word) sums[word] += bit_count(bits[line].words[word]);
    std::size_t total = 0;
    for (std::size_t word = 0; word < kLineWords; ++word) total += sums[word];
    return total;
}

// All ones up to `bits`, which lie in the last of lines_for(bits) lines.
BitLine tail_mask(std::size_t bits) {
    BitLine mask{};
    for (std::size_t bit = (lines_for(bits) - 1) * kLineBits; bit < bits; ++bit) insert(&mask, bit % kLineBits);
    return mask;
}

void cut(BitLine& line, const BitLine& mask) {
    for (std::size_t word = 0; word < kLineWords; ++word) line.words[word] &= mask.words[word];
}

// The line after the period holds it again, so that the last line of `dense` sets can fill.
void fill_beyond(BitLine& line, const BitLine& mask) {
    for (std::size_t word = 0; word < kLineWords; ++word) line.words[word] |= ~mask.words[word];
}

}  // namespace

TOPOCTL_VERSIONS(std::size_t, population, count_bits, (const BitLine* bits, std::size_t lines), (bits, lines))

RotatingSet::RotatingSet(std::size_t period)
    : period_(period), lines_(lines_for(2 * period + kLineBits) + 1), copies_(8 * lines_, BitLine{}) {}

void RotatingSet::assign(const BitLine* bits) {
    Word* words = reinterpret_cast<Word*>(copies_.data());
    std::memcpy(words, bits, lines_for(period_) * sizeof(BitLine));
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
    repeat(words, first, lines_ * kLineWords, repeated);
    for (unsigned shift = 1; shift < 8; ++shift)
        shift_copy(copies_.data(), shift, lines_, copies_.data() + shift * lines_);
}

HopSpread::HopSpread(std::size_t half)
    : half_(half), tail_(tail_mask(half)), middle_(tail_mask(half / 2 + 1)), from_even_(half), from_odd_(half) {}

std::size_t HopSpread::operator()(const BitLine* even, const BitLine* odd, BitLine* even_out, BitLine* odd_out,
                                  bool dense, bool last) {
    const std::size_t odd_lines = lines_for(half_), even_lines = last ? lines_for(half_ / 2 + 1) : odd_lines;
    const BitLine& even_tail = last ? middle_ : tail_;
    std::memcpy(even_out, even, even_lines * sizeof(BitLine));
    std::memcpy(odd_out, odd, odd_lines * sizeof(BitLine));
    fill_beyond(even_out[even_lines - 1], even_tail);
    fill_beyond(odd_out[odd_lines - 1], tail_);
    from_even_.assign(even);
    from_odd_.assign(odd);
    for (auto* sources : {&to_even_, &to_odd_})  // whole fours: OR twice is OR once
        while (sources->size() % 4) sources->push_back(sources->back());
    unite(to_even_.data(), to_even_.size(), even_lines, dense, even_out);
    unite(to_odd_.data(), to_odd_.size(), odd_lines, dense, odd_out);
    cut(even_out[even_lines - 1], even_tail);
    cut(odd_out[odd_lines - 1], tail_);
    std::size_t evens = population(even_out, even_lines);
    if (last) {  // routers e and -e were counted together, except where they are the same
        const std::size_t middle = half_ / 2;
        evens = 2 * evens - 1;
        if (half_ % 2 == 0) evens -= contains(even_out, middle);
    }
    return evens + population(odd_out, odd_lines);
}

}  // namespace topoctl
