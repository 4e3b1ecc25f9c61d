#include "mirror.hpp"

#include <algorithm>

namespace topoctl {
namespace {

template <int Bytes>
TOPOCTL_INLINE void unite_any_rows(const Links& links_in_memory, const Word* current, Word* next, std::size_t first,
                                   std::size_t end, Word* kept) {
    using Bits = Row<Bytes, kWide>;
    const Links links = links_in_memory;  // a copy that no store can alias
    const auto* rows = reinterpret_cast<const Bits*>(current);
    for (std::size_t router = first; router < end; ++router) {
        Bits row = rows[router];
        unite_all(rows, links, router, row);
        reinterpret_cast<Bits*>(next)[router] = row;
        if (kept) reinterpret_cast<Bits*>(kept)[router - first] = row;
    }
}

template <int Bytes>
TOPOCTL_INLINE void count_any_rows(const Word* rows, std::size_t count, Word* counts) {
    BitCounts<Bytes, kWide> sums;
    for (std::size_t row = 0; row < count; ++row) sums.add(reinterpret_cast<const Row<Bytes, kWide>*>(rows)[row]);
    sums.store(counts);
}

template <int Bytes>
TOPOCTL_INLINE void exchange_bits(Lanes<Bytes>* square) {
    Word mask = 0xffffffff;
    for (std::size_t half = kWordBits / 2; half; half /= 2, mask ^= mask << half)
        for (std::size_t pair = 0; pair < kWordBits; pair = ((pair | half) + 1) & ~half) {
            Lanes<Bytes>& low = square[pair];
            Lanes<Bytes>& high = square[pair | half];
            const Lanes<Bytes> exchanged = (low >> half ^ high) & (Lanes<Bytes>{} + mask);
            low ^= exchanged << half;
            high ^= exchanged;
        }
}

// Transposes squares of 64 rows and bits, several side by side: halves of a square change places, then quarters of the
// halves, until bits do. Squares one below the other come one after the other, since they make a line of each new row.
template <int Bytes>
TOPOCTL_INLINE void transpose_any_rows(const Word* rows, std::size_t count, Word* transposed) {
    using Part = Lanes<Bytes>;
    constexpr std::size_t kLanes = Bytes / sizeof(Word);
    for (std::size_t first = 0; first < kWide; first += kLineWords)
        for (std::size_t word = 0; word < kWide; word += kLanes)
            for (std::size_t below = first; below < first + kLineWords; ++below) {
                Part square[kWordBits]{};
                for (std::size_t row = below * kWordBits; row < std::min(count, (below + 1) * kWordBits); ++row)
                    square[row % kWordBits] = load<Bytes>(rows + row * kWide + word);
                exchange_bits<Bytes>(square);
                for (std::size_t lane = 0; lane < kLanes; ++lane)
                    for (std::size_t bit = 0; bit < kWordBits; ++bit)
                        transposed[((word + lane) * kWordBits + bit) * kWide + below] = square[bit][lane];
            }
}

TOPOCTL_VERSIONS(void, unite_versions, unite_any_rows,
                 (const Links& links, const Word* current, Word* next, std::size_t first, std::size_t end, Word* kept),
                 (links, current, next, first, end, kept))
TOPOCTL_VERSIONS(void, count_versions, count_any_rows, (const Word* rows, std::size_t count, Word* counts),
                 (rows, count, counts))
TOPOCTL_VERSIONS(void, transpose_versions, transpose_any_rows, (const Word* rows, std::size_t count, Word* transposed),
                 (rows, count, transposed))

}  // namespace

void unite_rows(const Links& links, const Word* current, Word* next, std::size_t first, std::size_t end, Word* kept) {
    unite_versions(links, current, next, first, end, kept);
}
void count_rows(const Word* rows, std::size_t count, Word* counts) { count_versions(rows, count, counts); }
void transpose_rows(const Word* rows, std::size_t count, Word* transposed) {
    transpose_versions(rows, count, transposed);
}

}  // namespace topoctl
