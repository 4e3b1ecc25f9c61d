// One function body, compiled for several instruction sets; the best that the machine has is chosen at run time.
//
// GCC's target_clones cannot name VPOPCNTDQ and needs glibc's ifunc, which AddressSanitizer precedes.
//
// The body is an always_inline function NAME_body; TOPOCTL_VERSIONS(result, NAME, (int x), (x)) defines NAME.
#pragma once

#define TOPOCTL_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__)

namespace topoctl {

enum class Width { sse2, avx2, avx512 };

inline Width machine_width() {
    static const Width width = __builtin_cpu_supports("avx512vpopcntdq") ? Width::avx512
                               : __builtin_cpu_supports("avx2")          ? Width::avx2
                                                                         : Width::sse2;
    return width;
}

}  // namespace topoctl

#define TOPOCTL_VERSIONS(result, name, parameters, arguments)                                             \
    __attribute__((target("avx512f,avx512vpopcntdq"))) static result name##_avx512 parameters {          \
        return name##_body arguments;                                                                     \
    }                                                                                                     \
    __attribute__((target("avx2,popcnt"))) static result name##_avx2 parameters {                         \
        return name##_body arguments;                                                                     \
    }                                                                                                     \
    static result name##_sse2 parameters { return name##_body arguments; }                                \
    result name parameters {                                                                              \
        switch (machine_width()) {                                                                        \
            case Width::avx512: return name##_avx512 arguments;                                           \
            case Width::avx2: return name##_avx2 arguments;                                               \
            default: return name##_sse2 arguments;                                                        \
        }                                                                                                 \
    }

#else
#define TOPOCTL_VERSIONS(result, name, parameters, arguments) \
    result name parameters { return name##_body arguments; }
#endif
