#include "layer_spread.hpp"

#include "dispatch.hpp"
#include "rotation.hpp"

namespace topoctl {

namespace {

// Bytes of the narrowest vector that holds so many bits, or of the widest one.
std::size_t width_for(std::size_t bits) {
    std::size_t width = sizeof(Word);
    while (width < sizeof(BitLine) && 8 * width < bits) width *= 2;
    return width;
}

// A set of `period` bits, at least a word, again and again over `end` words.
template <int Bytes>
TOPOCTL_INLINE void lay_out(const Word* set, std::size_t period, std::size_t end, Word* words) {
    std::size_t first = period / kWordBits;
    std::memcpy(words, set, (period + kWordBits - 1) / kWordBits * sizeof(Word));
    if (const std::size_t used = period % kWordBits; used != 0) words[first++] |= words[0] << used;
    repeat_words<Bytes>(words, first, end, period);
}

// What the loops that are compiled for each machine read and write.
struct LongLayers {
    std::size_t s, t, parts, generators;
    const std::uint32_t* const* starts;
    const unsigned char *set, *mask;
    unsigned char *copies, *out;
    Word* period;
};

// Four turned layers at once.
template <int Bytes>
TOPOCTL_INLINE Lanes<Bytes> four(const std::uint32_t* const* starts, std::size_t layer, const unsigned char* at) {
    return (load<Bytes>(at + starts[0][layer]) | load<Bytes>(at + starts[1][layer])) |
           (load<Bytes>(at + starts[2][layer]) | load<Bytes>(at + starts[3][layer]));
}

// Layers of `parts` vectors of `Width` bytes, on a machine with vectors of `Bytes`.
template <int Bytes, int Width>
TOPOCTL_INLINE std::size_t spread_long(const LongLayers& sets, bool dense, bool last) {
    constexpr int kVector = Bytes < Width ? Bytes : Width;
    const std::size_t stride = (Width == 64 ? sets.parts : 1) * Width, copy = 2 * stride;
    const std::size_t words = copy / sizeof(Word) + 1;  // of a period: one more, to shift from
    for (std::size_t layer = 0; layer < sets.t; ++layer)  // all of them before any is read by vectors, which must wait
        lay_out<kVector>(reinterpret_cast<const Word*>(sets.set + layer * stride), sets.s, words,
                         sets.period + layer * words);
    unsigned char* to = sets.copies;
    for (std::size_t layer = 0; layer < sets.t; ++layer) {
        const Word* period = sets.period + layer * words;
        std::memcpy(to, period, copy);
        for (unsigned shift = 1; shift < 8; ++shift) {
            to += copy;
            for (std::size_t place = 0; place < copy; place += kVector)
                store<kVector>(to + place, load_shifted<kVector>(period + place / sizeof(Word), shift));
        }
        to += copy;
    }
    std::size_t reached = 0;
    // The inverse of (a, b) has layer -b: where the set is its own inverse, layers b and t - b have as many elements,
    // so that those up to t / 2 tell how many all have, and of a set that is only counted no others are made.
    for (std::size_t layer = 0, end = last ? sets.t / 2 + 1 : sets.t; layer < end; ++layer) {
        Lanes<kVector> counts{};
        for (std::size_t place = 0; place < stride; place += kVector) {
            const Lanes<kVector> mask = load<kVector>(sets.mask + place);
            Lanes<kVector> united = load<kVector>(sets.set + layer * stride + place) | ~mask;
            for (std::size_t next = 0; next < sets.generators; next += 4) {
                if (dense && common_bits<kVector>(united) == ~Word{0}) break;
                united |= four<kVector>(sets.starts + next, layer, sets.copies + place);
            }
            united &= mask;
            store<kVector>(sets.out + layer * stride + place, united);
            counts += bit_counts<kVector>(united);
        }
        std::size_t count = 0;
        for (std::size_t word = 0; word < kVector / sizeof(Word); ++word) count += counts[word];
        const bool is_own_mirror = layer == 0 || 2 * layer == sets.t;  // layer -b is layer b
        reached += last && !is_own_mirror ? 2 * count : count;
    }
    return reached;
}

template <int Bytes>
TOPOCTL_INLINE std::size_t spread_any(std::size_t width, const LongLayers& sets, bool dense, bool last) {
    return dispatch<16, 32, 64>(
        width, [&](auto known) TOPOCTL_INLINED { return spread_long<Bytes, known>(sets, dense, last); });
}
TOPOCTL_VERSIONS(std::size_t, spread_layers, spread_any,
                 (std::size_t width, const LongLayers& sets, bool dense, bool last), (width, sets, dense, last))

// Layers of a word each: a vector holds some of them.
struct ShortLayers {
    std::size_t s, t, generators;
    const std::uint8_t* const* turns;
    const Word* const* layers;  // of every generator, from the one on that it takes to layer 0
    const Word *set, *mask;
    Word* out;
};

// As many bytes as a vector has words.
template <int Bytes>
struct TurnsOf;
template <>
struct TurnsOf<64> {
    using type = std::uint8_t __attribute__((vector_size(8)));
};
template <>
struct TurnsOf<32> {
    using type = std::uint8_t __attribute__((vector_size(4)));
};
template <>
struct TurnsOf<16> {
    using type = std::uint8_t __attribute__((vector_size(2)));
};

template <int Bytes>
TOPOCTL_INLINE std::size_t spread_words(const ShortLayers& sets, bool last) {
    constexpr std::size_t kStep = Bytes / sizeof(Word);
    const std::size_t end = last ? sets.t / 2 + 1 : sets.t;  // half of the layers tell all, as in spread_long
    const Lanes<Bytes> all = load<Bytes>(sets.mask);
    for (std::size_t layer = 0; layer < end; layer += kStep) {
        Lanes<Bytes> united = load<Bytes>(sets.set + layer);
        for (std::size_t next = 0; next < sets.generators; ++next) {
            typename TurnsOf<Bytes>::type bytes;
            std::memcpy(&bytes, sets.turns[next] + layer, sizeof bytes);
            const Lanes<Bytes> turns = __builtin_convertvector(bytes, Lanes<Bytes>);
            const Lanes<Bytes> from = load<Bytes>(sets.layers[next] + layer);
            united |= from << turns | from >> 1 >> (sets.s - 1 - turns);  // in two steps: none is by 64 bits
        }
        store<Bytes>(sets.out + layer, united & all);
    }
    // The vectors that hold the last layers may have written words beyond them, which belong to no layer.
    for (std::size_t layer = sets.t; layer % kLineWords; ++layer) sets.out[layer] = 0;
    std::size_t reached = 0;
    for (std::size_t layer = 0; layer < end; ++layer) reached += bit_count(sets.out[layer]);
    if (!last) return reached;
    // All but the layers that are their own mirrors, 0 and, of an even number, t / 2, stand for two.
    const std::size_t middle = sets.t % 2 ? 0 : bit_count(sets.out[sets.t / 2]);
    return 2 * reached - bit_count(sets.out[0]) - middle;
}
TOPOCTL_VERSIONS(std::size_t, spread_short, spread_words, (const ShortLayers& sets, bool last), (sets, last))

}  // namespace

LayeredSets::LayeredSets(std::size_t s, std::size_t t, std::size_t r)
    : group_(static_cast<std::int64_t>(s), static_cast<std::int64_t>(t), static_cast<std::int64_t>(r)),
      s_(static_cast<std::uint32_t>(s)), t_(static_cast<std::uint32_t>(t)), width_(width_for(s)),
      parts_((s + 8 * width_ - 1) / (8 * width_)), stride_(8 * width_ * parts_), turned_(s * t),
      starts_(s > kWordBits ? s * row() : 0), turns_(s > kWordBits ? 0 : s * row()) {
    places_ = static_cast<std::uint32_t>(t * stride_);
    for (std::size_t a = 0; a < s; ++a) {
        for (std::size_t b = 0; b < t; ++b)
            turned_[a * t + b] =
                static_cast<std::uint32_t>(group_.turned(static_cast<std::int32_t>(b), static_cast<std::int32_t>(a)));
        for (std::size_t place = 0; place < row(); ++place) {
            const std::size_t b = place % t, turn = turned_[a * t + b], offset = turn ? s - turn : 0;
            if (s <= kWordBits)
                turns_[a * row() + place] = static_cast<std::uint8_t>(turn);
            else
                starts_[a * row() + place] =
                    static_cast<std::uint32_t>((8 * b + offset % 8) * copy_bytes() + offset / 8);
        }
    }
}

LayerSpread::LayerSpread(const LayeredSets& sets)
    : sets_(sets), copies_(sets.s() > kWordBits ? lines_for(8 * 8 * sets.t() * sets.copy_bytes()) : 0),
      period_(lines_for(sets.t() * (8 * sets.copy_bytes() + kWordBits)) + 1), mask_(sets.parts(), BitLine{}) {
    for (std::size_t bit = 0; bit < sets.s(); ++bit) insert(mask_.data(), bit);
    if (sets.s() > kWordBits) return;
    for (Word& word : mask_.front().words) word = mask_.front().words[0];
}

void LayerSpread::find_sources(const std::vector<LayeredSets::Element>& generators) {
    starts_.clear();
    turns_.clear();
    layers_.clear();
    for (const LayeredSets::Element& x : generators) {
        const std::size_t first = sets_.t() - x.b;  // layer -b, which x takes to layer 0
        if (sets_.s() > kWordBits) {
            starts_.push_back(sets_.starts(x) + first);
        } else {
            turns_.push_back(sets_.turns(x) + first);
            layers_.push_back(period_.data()->words + first);
        }
    }
    while (starts_.size() % 4) starts_.push_back(starts_.back());  // whole fours: OR twice is OR once
}

std::size_t LayerSpread::operator()(const std::vector<LayeredSets::Element>& generators, const BitLine* set,
                                    BitLine* out, bool dense, bool last) {
    find_sources(generators);
    Word* period = period_.data()->words;
    if (sets_.s() <= kWordBits) {
        for (std::size_t first : {std::size_t{0}, sets_.t()})
            std::memcpy(period + first, set, sets_.t() * sizeof(Word));
        return spread_short({sets_.s(), sets_.t(), layers_.size(), turns_.data(), layers_.data(), set->words,
                             mask_.data()->words, out->words},
                            last);
    }
    return spread_layers(
        sets_.width(),
        {sets_.s(), sets_.t(), sets_.parts(), starts_.size(), starts_.data(),
         reinterpret_cast<const unsigned char*>(set), reinterpret_cast<const unsigned char*>(mask_.data()),
         reinterpret_cast<unsigned char*>(copies_.data()), reinterpret_cast<unsigned char*>(out), period},
        dense, last);
}

}  // namespace topoctl
