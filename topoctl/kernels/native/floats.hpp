// Vectors of doubles, and of the words that comparing or rounding them gives.
#pragma once

#include <cstdint>

namespace topoctl {

// Vectors of so many bytes.
template <int Bytes>
struct FloatsOf;
template <>
struct FloatsOf<64> {
    using type = double __attribute__((vector_size(64), may_alias));
    using mask = std::int64_t __attribute__((vector_size(64), may_alias));
};
template <>
struct FloatsOf<32> {
    using type = double __attribute__((vector_size(32), may_alias));
    using mask = std::int64_t __attribute__((vector_size(32), may_alias));
};
template <>
struct FloatsOf<16> {
    using type = double __attribute__((vector_size(16), may_alias));
    using mask = std::int64_t __attribute__((vector_size(16), may_alias));
};

}  // namespace topoctl
