#include "distance_columns.hpp"

#include <cstring>
#include <limits>

#include "../versions.hpp"

namespace topoctl::link_annealing {
namespace {

// A vector of distances.
template <int Bytes, class Distance>
struct DistancesOf {
    typedef Distance type __attribute__((vector_size(Bytes)));
};

template <class Distances, class Distance>
TOPOCTL_INLINE Distances load(const Distance* from) {
    Distances distances;
    std::memcpy(&distances, from, sizeof distances);
    return distances;
}

template <int Bytes, class Distance>
TOPOCTL_INLINE int test_columns(const ColumnTest<Distance>& test) {
    using Distances = typename DistancesOf<Bytes, Distance>::type;
    constexpr Distance kUnreachable = std::numeric_limits<Distance>::max();
    for (std::size_t router = 0; router < test.touched; ++router) {  // one after the other: few rows are read at once
        const Distance* const* column = test.columns + router * (test.radix + 1);
        const auto flag = static_cast<Distance>(1 << router % kFlagBits);
        for (std::size_t source = 0; source < test.sources; source += Bytes / sizeof(Distance)) {
            const Distances own = load<Distances>(column[0] + source);
            Distances nearest = own;
            for (std::size_t slot = 1; slot <= test.radix; ++slot) {
                const Distances other = load<Distances>(column[slot] + source);
                nearest = nearest < other ? nearest : other;
            }
            nearest -= (Distances)(nearest < kUnreachable);  // true is -1
            Distances flags = (Distances)((nearest != own) & (own != 0)) & flag;
            if (router) flags |= load<Distances>(test.flags + source);
            std::memcpy(test.flags + source, &flags, sizeof flags);
        }
    }
    return 0;
}

template <int Bytes, class Distance>
TOPOCTL_INLINE int guess_columns(const ColumnGuess<Distance>& guess) {
    using Distances = typename DistancesOf<Bytes, Distance>::type;
    constexpr Distance kUnreachable = std::numeric_limits<Distance>::max();
    for (std::size_t router = 0; router < guess.touched; ++router) {
        const Distance* const* column = guess.columns + router * (guess.radix + 1);
        for (std::size_t source = 0; source < guess.sources; source += Bytes / sizeof(Distance)) {
            const Distances own = load<Distances>(column[0] + source);
            Distances nearest = (Distances)(own == own);  // unreachable
            for (std::size_t slot = 1; slot <= guess.radix; ++slot) {
                const Distances other = load<Distances>(column[slot] + source);
                nearest = nearest < other ? nearest : other;
            }
            nearest -= (Distances)(nearest < kUnreachable);
            nearest &= (Distances)(own != 0);
            std::memcpy(guess.distances + router * guess.stride + source, &nearest, sizeof nearest);
        }
    }
    return 0;
}

TOPOCTL_VERSIONS(int, test_distances, test_columns, (const ColumnTest<std::uint8_t>& test), (test))
TOPOCTL_VERSIONS(int, test_long_distances, test_columns, (const ColumnTest<std::uint16_t>& test), (test))
TOPOCTL_VERSIONS(int, guess_distances, guess_columns, (const ColumnGuess<std::uint8_t>& guess), (guess))
TOPOCTL_VERSIONS(int, guess_long_distances, guess_columns, (const ColumnGuess<std::uint16_t>& guess), (guess))

}  // namespace

void run(const ColumnTest<std::uint8_t>& test) { test_distances(test); }
void run(const ColumnTest<std::uint16_t>& test) { test_long_distances(test); }
void run(const ColumnGuess<std::uint8_t>& guess) { guess_distances(guess); }
void run(const ColumnGuess<std::uint16_t>& guess) { guess_long_distances(guess); }

}  // namespace topoctl::link_annealing
