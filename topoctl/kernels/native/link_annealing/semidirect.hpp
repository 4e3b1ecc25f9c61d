// A semidirect product of two cyclic groups, of orders s and t, by a unit r: (a, b) (c, d) = (a + r^b c, b + d).
#pragma once

#include <cstdint>
#include <vector>

namespace topoctl::link_annealing {

// The element (a, b) has the number b s + a; the identity is 0.
class Semidirect {
public:
    using Element = std::int32_t;

    Semidirect(std::int64_t s, std::int64_t t, std::int64_t r)
        : s_(static_cast<Element>(s)), t_(static_cast<Element>(t)), powers_(static_cast<std::size_t>(t), 1 % s) {
        for (std::size_t b = 1; b < powers_.size(); ++b) powers_[b] = powers_[b - 1] * r % s;
    }

    Element order() const { return s_ * t_; }

    Element product(Element g, Element h) const {
        const Element b = g / s_, d = h / s_, layer = b + d < t_ ? b + d : b + d - t_;
        return layer * s_ + static_cast<Element>((g % s_ + powers_[static_cast<std::size_t>(b)] * (h % s_)) % s_);
    }

    Element inverse(Element g) const {
        const Element b = g / s_, back = b ? t_ - b : 0;
        const auto turned = static_cast<Element>(powers_[static_cast<std::size_t>(back)] * (g % s_) % s_);
        return back * s_ + (turned ? s_ - turned : 0);
    }

    // Writes first + g x for every element g, by ascending number.
    template <class Index>
    void products(Element x, Element first, Index* target) const {
        const Element c = x % s_, d = x / s_;
        for (Element b = 0; b < t_; ++b) {
            const Element layer = b + d < t_ ? b + d : b + d - t_, from = first + layer * s_;
            const auto shift = static_cast<Element>(powers_[static_cast<std::size_t>(b)] * c % s_);
            for (Element a = shift; a < s_; ++a) *target++ = static_cast<Index>(from + a);
            for (Element a = 0; a < shift; ++a) *target++ = static_cast<Index>(from + a);
        }
    }

private:
    Element s_, t_;
    std::vector<std::int64_t> powers_;
};

}  // namespace topoctl::link_annealing
