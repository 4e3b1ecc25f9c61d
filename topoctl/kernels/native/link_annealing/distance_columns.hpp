// Columns of distances, from all sources to one router each, looked at by vectors of sources.
#pragma once

#include <cstddef>
#include <cstdint>

namespace topoctl::link_annealing {

constexpr std::size_t kPadding = 64;  // bytes that a vector may read behind the last distance
constexpr std::size_t kFlagBits = 8;

// A row of distances fits the links if every router but the source is one further than its nearest neighbour:
// then, by induction, no distance is too large or too small. Only the ends of changed links need the test.
template <class Distance>
struct ColumnTest {
    const Distance* const* columns;  // of each touched router and of its neighbours, from all sources
    std::size_t touched, radix, sources;
    Distance* flags;  // per source: bit i for touched routers i, i + kFlagBits, ... that do not fit
};

// One more than the distance of the nearest neighbour, for every touched router and source.
template <class Distance>
struct ColumnGuess {
    const Distance* const* columns;  // as for the test
    std::size_t touched, radix, sources, stride;
    Distance* distances;  // touched x stride
};

void run(const ColumnTest<std::uint8_t>& test);
void run(const ColumnTest<std::uint16_t>& test);
void run(const ColumnGuess<std::uint8_t>& guess);
void run(const ColumnGuess<std::uint16_t>& guess);

}  // namespace topoctl::link_annealing
