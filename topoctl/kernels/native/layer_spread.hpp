// Subsets of a semidirect product of two cyclic groups as bits, and their products with generators.
//
// A subset of the elements (a, b) is t layers, one for every b, of s bits. A generator (c, d) takes layer b to layer b
// + d, turned by r^b c: t cyclic shifts. An Equality network has two layers and r = -1, and a hop takes both of them
// one way, which cyclic_shifts.hpp makes use of; here layers are many and may be as short as a word, so each is padded
// to the narrowest vector that holds it.
#pragma once

#include <vector>

#include "cyclic_shifts.hpp"
#include "semidirect_product.hpp"

namespace topoctl {

// Where the bits of subsets lie, and how a generator takes one layer to another.
class LayeredSets {
public:
    // An element (a, b), and what its products need.
    struct Element {
        std::uint32_t a, b;
        std::uint32_t layer;          // where layer b begins
        const std::uint32_t* turned;  // r^i a for i = 0..t-1
    };

    LayeredSets(std::size_t s, std::size_t t, std::size_t r);

    std::size_t s() const { return s_; }
    std::size_t t() const { return t_; }
    std::size_t order() const { return std::size_t{s_} * t_; }

    Element element(std::size_t a, std::size_t b) const {
        return {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b * stride_),
                turned_.data() + a * t_};
    }
    Element element(std::size_t number) const { return element(number % s_, number / s_); }
    std::size_t number(const Element& x) const { return std::size_t{x.b} * s_ + x.a; }
    Element inverse(const Element& x) const {
        const auto [a, b] = group_.inverse({static_cast<std::int32_t>(x.a), static_cast<std::int32_t>(x.b)});
        return element(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
    }

    // Places for the bits of a set; some are never used.
    std::size_t places() const { return places_; }
    std::size_t place(const Element& x) const { return std::size_t{x.layer} + x.a; }
    // The place of SemidirectProduct::product, by tables: the walks of generators count millions of them a second.
    std::size_t place(const Element& x, const Element& y) const {
        const std::uint32_t a = x.a + y.turned[x.b], layer = x.layer + y.layer;
        return (layer < places_ ? layer : layer - places_) + (a < s_ ? a : a - s_);
    }
    // Bytes of a layer: `parts` vectors of `width`.
    std::size_t width() const { return width_; }
    std::size_t parts() const { return parts_; }

    // For b = 0, 1, … t - 1 and again: by how much the generator turns layer b. Of layers of one word only.
    const std::uint8_t* turns(const Element& x) const { return turns_.data() + x.a * row(); }
    // Likewise the byte, in eight periodic copies of every layer, at which layer b begins when it is turned.
    const std::uint32_t* starts(const Element& x) const { return starts_.data() + x.a * row(); }
    // Bytes of such a copy; each is one bit further than the one before.
    std::size_t copy_bytes() const { return 2 * width_ * parts_; }

private:
    // Whole vectors of rows can be read, from any layer on.
    std::size_t row() const { return 2 * std::size_t{t_} + kLineWords; }

    SemidirectProduct group_;
    std::uint32_t s_, t_, places_;  // of 32 bits, so that writing words of sets does not make them be read again
    std::size_t width_, parts_, stride_;
    std::vector<std::uint32_t> turned_, starts_;
    std::vector<std::uint8_t> turns_;
};

// One hop further from a set of elements, along generators that are closed under inverses.
class LayerSpread {
public:
    explicit LayerSpread(const LayeredSets& sets);

    // The set and all elements one generator from it; returns how many. The output is another set than the input.
    // `last`: the output is only counted. The set must then be closed under inverses, too: (a, b) is inverse to one
    // of layer -b, so that half of the layers tell the number of all.
    std::size_t operator()(const std::vector<LayeredSets::Element>& generators, const BitLine* set, BitLine* out,
                           bool dense, bool last);

private:
    void find_sources(const std::vector<LayeredSets::Element>& generators);

    const LayeredSets& sets_;
    std::vector<BitLine> copies_, period_, mask_;
    std::vector<const std::uint32_t*> starts_;
    std::vector<const std::uint8_t*> turns_;
    std::vector<const Word*> layers_;
};

}  // namespace topoctl
