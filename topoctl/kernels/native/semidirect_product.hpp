// The semidirect product of two cyclic groups, of orders s and t, by a unit r modulo s with r^t = 1.
//
// Its elements are the pairs (a, b), and (a, b)(c, d) = (a + r^b c, b + d). The element (a, b) has the number s b + a,
// as in topoctl.kernels.semidirect_product; the identity is 0.
#pragma once

#include <cstdint>
#include <vector>

namespace topoctl {

class SemidirectProduct {
public:
    using Number = std::int32_t;
    struct Pair {
        Number a, b;
    };

    SemidirectProduct(std::int64_t s, std::int64_t t, std::int64_t r)
        : s_(static_cast<Number>(s)), t_(static_cast<Number>(t)), powers_(static_cast<std::size_t>(t), 1 % s) {
        for (std::size_t b = 1; b < powers_.size(); ++b) powers_[b] = powers_[b - 1] * r % s;
    }

    Number s() const { return s_; }
    Number t() const { return t_; }
    Number order() const { return s_ * t_; }

    Pair pair(Number number) const { return {number % s_, number / s_}; }
    Number number(Pair x) const { return x.b * s_ + x.a; }

    // r^b a: what b does to the a of whatever is multiplied from the right.
    Number turned(Number b, Number a) const {
        return static_cast<Number>(powers_[static_cast<std::size_t>(b)] * a % s_);
    }

    Pair product(Pair x, Pair y) const {
        const Number b = x.b + y.b;
        return {(x.a + turned(x.b, y.a)) % s_, b < t_ ? b : b - t_};
    }
    Pair inverse(Pair x) const {
        const Number b = x.b ? t_ - x.b : 0, a = turned(b, x.a);
        return {a ? s_ - a : 0, b};
    }
    Number product(Number x, Number y) const { return number(product(pair(x), pair(y))); }
    Number inverse(Number x) const { return number(inverse(pair(x))); }

    // Writes first + g x for every element g, by ascending number: the elements (a, b) of one b are turned as one.
    template <class Index>
    void products(Number x, Number first, Index* target) const {
        for (Number b = 0; b < t_; ++b) {
            const Pair start = product({0, b}, pair(x));
            const Number from = first + start.b * s_;
            for (Number a = start.a; a < s_; ++a) *target++ = static_cast<Index>(from + a);
            for (Number a = 0; a < start.a; ++a) *target++ = static_cast<Index>(from + a);
        }
    }

private:
    Number s_, t_;
    std::vector<std::int64_t> powers_;
};

}  // namespace topoctl
