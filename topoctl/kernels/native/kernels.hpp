// What the kernels share: array types, and one binding function per kernel.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <vector>

// TOPOCTL_CLONES(name, implementation, Argument) defines void name(Argument), which calls the always_inline
// implementation(Argument) compiled for the machine's own vector width, so that one build runs everywhere.
// Written out, because GCC's target_clones cannot name VPOPCNTDQ before GCC 14, needs glibc, and is not in Clang
// everywhere; arch=x86-64-v4 lacks VPOPCNTDQ.
#if defined(__x86_64__) && defined(__GNUC__)
#define TOPOCTL_CLONES(name, implementation, Argument)                                                   \
    [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi,bmi2,popcnt")]]           \
    void name##_avx512(Argument argument) {                                                              \
        implementation(argument);                                                                        \
    }                                                                                                    \
    [[gnu::target("avx2,bmi,bmi2,popcnt")]] void name##_avx2(Argument argument) { implementation(argument); } \
    void name##_baseline(Argument argument) { implementation(argument); }                                \
    void name(Argument argument) {                                                                       \
        static const auto clone = __builtin_cpu_supports("avx512vpopcntdq") &&                           \
                                          __builtin_cpu_supports("avx512vl") &&                          \
                                          __builtin_cpu_supports("avx512bw")                             \
                                      ? name##_avx512                                                    \
                                  : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")     \
                                      ? name##_avx2                                                      \
                                      : name##_baseline;                                                 \
        clone(argument);                                                                                 \
    }
#else
#define TOPOCTL_CLONES(name, implementation, Argument) \
    void name(Argument argument) { implementation(argument); }
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
