// One function body, compiled for the machine's own vectors of 64, 32 or 16 bytes, chosen at run time.
//
// TOPOCTL_VERSIONS(result, name, body, (int x), (x)) defines `result name(int x)`, which returns body<bytes>(x);
// `body` is an always_inline template over the width, since GCC keeps vectors wider than the machine's in memory.
// GCC 12's target_clones cannot dispatch on VPOPCNTDQ, which arch=x86-64-v4 lacks, and needs glibc's ifunc, which
// AddressSanitizer precedes; so the versions are written out.
#pragma once

#include <cstdint>

#define TOPOCTL_INLINE [[gnu::always_inline]] inline
// Behind the parameters of a lambda.
#define TOPOCTL_INLINED __attribute__((always_inline))

namespace topoctl {

// Vectors of so many bytes.
template <int Bytes>
struct VectorOf;
template <>
struct VectorOf<64> {
    using type = std::uint64_t __attribute__((vector_size(64), may_alias));
};
template <>
struct VectorOf<32> {
    using type = std::uint64_t __attribute__((vector_size(32), may_alias));
};
template <>
struct VectorOf<16> {
    using type = std::uint64_t __attribute__((vector_size(16), may_alias));
};
template <>
struct VectorOf<8> {
    using type = std::uint64_t __attribute__((vector_size(8), may_alias));
};

}  // namespace topoctl

// Where all code is compiled for one machine (-march=native), its version is the only one.
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512BW__)
#define TOPOCTL_BYTES 64
#elif defined(__AVX2__) && defined(__BMI2__)
#define TOPOCTL_BYTES 32
#elif !(defined(__x86_64__) && defined(__GNUC__))
#define TOPOCTL_BYTES 16
#endif

#ifdef TOPOCTL_BYTES
#define TOPOCTL_VERSIONS(result, name, body, parameters, arguments) \
    result name parameters { return body<TOPOCTL_BYTES> arguments; }
#else
#define TOPOCTL_AVX2 "avx2,bmi,bmi2,popcnt"
#define TOPOCTL_AVX512 TOPOCTL_AVX2 ",avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"
#define TOPOCTL_VERSIONS(result, name, body, parameters, arguments) \
    [[gnu::target(TOPOCTL_AVX512)]] static result name##_avx512 parameters { return body<64> arguments; } \
    [[gnu::target(TOPOCTL_AVX2)]] static result name##_avx2 parameters { return body<32> arguments; } \
    static result name##_baseline parameters { return body<16> arguments; } \
    result name parameters { \
        static const auto version = topoctl::has_avx512() ? name##_avx512 \
                                    : topoctl::has_avx2() ? name##_avx2 \
                                                          : name##_baseline; \
        return version arguments; \
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
#endif
