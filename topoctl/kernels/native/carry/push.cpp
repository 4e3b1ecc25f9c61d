#include "push.hpp"

#include "../floats.hpp"

namespace topoctl {
namespace {

template <int Bytes>
TOPOCTL_INLINE void push_body(const Pushing& pushing) {
    using Part = typename FloatsOf<Bytes>::type;
    using Units = typename FloatsOf<Bytes>::mask;
    constexpr std::size_t kWidth = Bytes / sizeof(double);
    const auto [steps, first, order, count, here, units] = pushing;
    for (std::size_t place = 0; place < count; ++place) {
        const std::int64_t state = order[place];
        Part row[kPatterns / kWidth];
        std::memcpy(row, here + state * kPatterns, sizeof row);
        for (std::size_t index = first[state]; index < first[state + 1]; ++index) {
            const Step step = steps[index];
            std::int64_t* over = units + std::size_t(step.arc) * kPatterns;
            double* there = step.to < 0 ? nullptr : here + step.to * kPatterns;
            for (std::size_t part = 0; part < kPatterns / kWidth; ++part) {
                const Part moved = row[part] * step.share;
                Units sum;
                std::memcpy(&sum, over + part * kWidth, sizeof sum);
                sum += __builtin_convertvector(moved + 0.5, Units);
                std::memcpy(over + part * kWidth, &sum, sizeof sum);
                if (!there) continue;
                Part more;
                std::memcpy(&more, there + part * kWidth, sizeof more);
                more += moved;
                std::memcpy(there + part * kWidth, &more, sizeof more);
            }
        }
    }
}

}  // namespace

TOPOCTL_VERSIONS(void, push, push_body, (const Pushing& pushing), (pushing))

}  // namespace topoctl
