// What the kernels share: array types, and one binding function per kernel.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <vector>

// TOPOCTL_CLONES(name, implementation, Argument) defines void name(Argument), which calls the always_inline
// implementation<bytes>(Argument) compiled for the machine's own vectors of 64, 32 or 16 bytes, so that one build
// runs everywhere.
// GCC 12's target_clones cannot dispatch on VPOPCNTDQ, which arch=x86-64-v4 lacks, and needs glibc's ifunc, which
// AddressSanitizer precedes; so the clones are written out.
#if defined(__x86_64__) && defined(__GNUC__)
#define TOPOCTL_AVX2 "avx2,bmi,bmi2,popcnt"
#define TOPOCTL_AVX512 TOPOCTL_AVX2 ",avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"
#define TOPOCTL_CLONES(name, implementation, Argument)                                               \
    [[gnu::target(TOPOCTL_AVX512)]] void name##_avx512(Argument argument) { implementation<64>(argument); } \
    [[gnu::target(TOPOCTL_AVX2)]] void name##_avx2(Argument argument) { implementation<32>(argument); }  \
    void name##_baseline(Argument argument) { implementation<16>(argument); }                            \
    void name(Argument argument) {                                                                   \
        static const auto clone = topoctl::has_avx512() ? name##_avx512                              \
                                  : topoctl::has_avx2() ? name##_avx2                                \
                                                        : name##_baseline;                           \
        clone(argument);                                                                             \
    }

namespace topoctl {

inline bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

inline bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

}  // namespace topoctl
#else
#define TOPOCTL_CLONES(name, implementation, Argument) \
    void name(Argument argument) { implementation<16>(argument); }
#endif

namespace topoctl {

namespace nb = nanobind;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A numpy array that owns the vector's memory.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

void bind_bfs(nb::module_& module);
void bind_equality(nb::module_& module);
void bind_exchange(nb::module_& module);

}  // namespace topoctl
