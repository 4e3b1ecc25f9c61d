// A number that is known at run time as one that the compiler knows.
#pragma once

#include <cstddef>
#include <type_traits>

#include "versions.hpp"

namespace topoctl {

// Calls visit(std::integral_constant<int, N>()) with the N that equals the number, or with the last N if none does.
// Always inlined, so that the visitor is compiled for the vectors of the caller.
template <int First, int... Others, class Visit>
TOPOCTL_INLINE auto dispatch(std::size_t number, const Visit& visit) {
    if constexpr (sizeof...(Others) == 0) {
        return visit(std::integral_constant<int, First>());
    } else {
        if (number == static_cast<std::size_t>(First)) return visit(std::integral_constant<int, First>());
        return dispatch<Others...>(number, visit);
    }
}

}  // namespace topoctl
