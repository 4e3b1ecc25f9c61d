#include "passes.hpp"

#include "../floats.hpp"

namespace topoctl {
namespace {

// Rows are asked for so many arcs ahead; the arcs ahead are mostly those of the routers visited next.
constexpr std::int32_t kPrefetchDistance = 24;

// Copies vector by vector: a row that is copied at once goes through memory in smaller ones.
template <int Bytes, int Parts>
TOPOCTL_INLINE void copy_parts(void* to, const void* from) {
    for (int part = 0; part < Parts; ++part)
        std::memcpy(static_cast<char*>(to) + part * Bytes, static_cast<const char*>(from) + part * Bytes, Bytes);
}

// A row of kLanes doubles, in vectors of so many bytes; comparisons give rows of words, all bits of a lane alike.
template <int Bytes>
struct Doubles {
    static constexpr int kParts = kLanes * 8 / Bytes;
    using Part = typename FloatsOf<Bytes>::type;
    using Mask = typename FloatsOf<Bytes>::mask;

    Part parts[kParts];

    TOPOCTL_INLINE static Doubles at(const double* address) {
        Doubles row;
        copy_parts<Bytes, kParts>(row.parts, address);
        return row;
    }
    TOPOCTL_INLINE static Doubles all(double value) {
        Doubles row;
        for (Part& part : row.parts) part = Part{} + value;
        return row;
    }
    TOPOCTL_INLINE void put(double* address) const { copy_parts<Bytes, kParts>(address, parts); }
};

template <int Bytes>
struct Masks {
    static constexpr int kParts = Doubles<Bytes>::kParts;
    using Part = typename Doubles<Bytes>::Mask;

    Part parts[kParts];

    TOPOCTL_INLINE static Masks at(const std::int64_t* address) {
        Masks row;
        copy_parts<Bytes, kParts>(row.parts, address);
        return row;
    }
    TOPOCTL_INLINE void put(std::int64_t* address) const { copy_parts<Bytes, kParts>(address, parts); }
    TOPOCTL_INLINE bool any() const {
        Part united = parts[0];
        for (int part = 1; part < kParts; ++part) united |= parts[part];
        std::int64_t words[Bytes / 8], all = 0;
        std::memcpy(words, &united, sizeof united);
        for (std::int64_t word : words) all |= word;
        return all != 0;
    }
};

template <int Bytes>
TOPOCTL_INLINE typename Doubles<Bytes>::Part kept(typename Doubles<Bytes>::Part value,
                                                  typename Masks<Bytes>::Part mask) {
    return reinterpret_cast<typename Doubles<Bytes>::Part>(reinterpret_cast<typename Masks<Bytes>::Part>(value) & mask);
}

using Pair = FloatsOf<16>::type;

// A vector's halves, added: again and again, until two lanes are left.
template <int Bytes>
TOPOCTL_INLINE Pair folded(const typename FloatsOf<Bytes>::type& vector) {
    if constexpr (Bytes == 16) {
        return vector;
    } else {
        typename FloatsOf<Bytes / 2>::type halves[2];
        std::memcpy(halves, &vector, sizeof vector);
        return folded<Bytes / 2>(halves[0] + halves[1]);
    }
}

// The lanes of two rows, each row added up, halves upon halves: the same additions whatever the vectors are.
template <int Bytes>
TOPOCTL_INLINE Pair sums_of(Doubles<Bytes> a, Doubles<Bytes> b) {
    for (int half = Doubles<Bytes>::kParts / 2; half; half /= 2) {
        for (int part = 0; part < half; ++part) {
            a.parts[part] += a.parts[part + half];
            b.parts[part] += b.parts[part + half];
        }
    }
    const Pair left = folded<Bytes>(a.parts[0]), right = folded<Bytes>(b.parts[0]);
    return Pair{left[0], right[0]} + Pair{left[1], right[1]};
}

template <int Bytes>
TOPOCTL_INLINE void count_paths_body(const Counting& counting) {
    using Row = Doubles<Bytes>;
    using Part = typename Row::Part;
    using Mask = Masks<Bytes>;
    const auto& [routers, rows, roots, level, visited, count, found, first] = counting;
    Row most = Row::all(roots->most_paths);
    Mask reached = Mask::at(roots->reached), hops = Mask::at(roots->hops);
    for (std::size_t place = 0; place < count; ++place) {
        const std::int32_t router = visited[place];
        const std::size_t row = std::size_t(router) * kLanes;
        const Row own = Row::at(rows.paths + row);
        Mask fresh;
        for (int part = 0; part < Row::kParts; ++part) fresh.parts[part] = own.parts[part] == 0;
        if (!fresh.any()) continue;
        Row paths = Row::all(0), nearer = Row::all(0);
        for (std::int32_t arc = routers.offsets[router]; arc < routers.offsets[router + 1]; ++arc) {
            const Row other = Row::at(rows.paths + std::size_t(routers.neighbors[arc]) * kLanes);
            for (int part = 0; part < Row::kParts; ++part) {
                paths.parts[part] += other.parts[part];
                nearer.parts[part] += other.parts[part] != 0 ? Part{} + 1.0 : Part{};
            }
        }
        for (int part = 0; part < Row::kParts; ++part) fresh.parts[part] &= paths.parts[part] != 0;
        if (!fresh.any()) continue;
        Row next_hops = Row::at(rows.next_hops + row);
        Mask levels = Mask::at(rows.levels + row);
        const std::int64_t endpoint_hops = routers.endpoints[router] * level;
        for (int part = 0; part < Row::kParts; ++part) {
            const auto mask = fresh.parts[part];
            paths.parts[part] = kept<Bytes>(paths.parts[part], mask);
            most.parts[part] = paths.parts[part] > most.parts[part] ? paths.parts[part] : most.parts[part];
            next_hops.parts[part] = mask ? nearer.parts[part] : next_hops.parts[part];
            levels.parts[part] = mask ? (typename Mask::Part{} + level) : levels.parts[part];
            reached.parts[part] -= mask;
            hops.parts[part] += mask & (typename Mask::Part{} + endpoint_hops);
        }
        next_hops.put(rows.next_hops + row);
        levels.put(rows.levels + row);
        paths.put(rows.pending + (found->size() - first) * kLanes);
        found->push_back(router);
    }
    reached.put(roots->reached);
    hops.put(roots->hops);
    double lanes[kLanes];
    most.put(lanes);
    for (double lane : lanes) roots->most_paths = lane > roots->most_paths ? lane : roots->most_paths;
}

template <int Bytes>
TOPOCTL_INLINE void carry_body(const Carrying& carrying) {
    using Row = Doubles<Bytes>;
    using Mask = Masks<Bytes>;
    const auto& [routers, rows, roots, level, visited, count, last, loads, pending] = carrying;
    const Row all_weights = Row::at(roots->weights);
    const std::int32_t last_prefetch = static_cast<std::int32_t>(routers.arcs()) - kPrefetchDistance;
    for (std::size_t place = 0; place < count; ++place) {
        const std::int32_t router = visited[place];
        const std::size_t row = std::size_t(router) * kLanes;
        const Mask levels = Mask::at(rows.levels + row);
        const Row paths = Row::at(rows.paths + row);
        Mask here;
        Row weights, path_weights;
        for (int part = 0; part < Row::kParts; ++part) {
            here.parts[part] = levels.parts[part] == level;
            weights.parts[part] = kept<Bytes>(all_weights.parts[part], here.parts[part]);
            path_weights.parts[part] = paths.parts[part] * weights.parts[part];
        }
        Row per_path = Row::all(0), per_next_hop = Row::all(0);
        const std::int32_t begin = routers.offsets[router], end = last ? begin : routers.offsets[router + 1];
        for (std::int32_t arc = begin; arc < end; ++arc) {
            const std::int32_t ahead = routers.neighbors[arc < last_prefetch ? arc + kPrefetchDistance : arc];
            __builtin_prefetch(rows.shares + std::size_t(ahead) * 2 * kLanes);
            __builtin_prefetch(rows.shares + std::size_t(ahead) * 2 * kLanes + kLanes);
            const double* shares = rows.shares + std::size_t(routers.neighbors[arc]) * 2 * kLanes;
            Row from_paths = Row::at(shares), from_next_hops = Row::at(shares + kLanes);
            for (int part = 0; part < Row::kParts; ++part) {
                per_path.parts[part] += from_paths.parts[part];
                per_next_hop.parts[part] += from_next_hops.parts[part];
                from_paths.parts[part] *= path_weights.parts[part];
                from_next_hops.parts[part] *= weights.parts[part];
            }
            const Pair sums = sums_of<Bytes>(from_paths, from_next_hops) + 0.5;
            const Pair units = sums < kMostUnits ? sums : Pair{};
            loads[2 * arc] += static_cast<std::uint64_t>(static_cast<std::int64_t>(units[0]));
            loads[2 * arc + 1] += static_cast<std::uint64_t>(static_cast<std::int64_t>(units[1]));
        }
        if (!level) continue;  // at the root itself
        const double sent = routers.endpoints[router];
        const Row next_hops = Row::at(rows.next_hops + row);
        for (int part = 0; part < Row::kParts; ++part) {
            const auto mask = here.parts[part];
            per_path.parts[part] = kept<Bytes>(sent / paths.parts[part] + per_path.parts[part], mask);
            per_next_hop.parts[part] = kept<Bytes>((sent + per_next_hop.parts[part]) / next_hops.parts[part], mask);
        }
        per_path.put(pending + place * 2 * kLanes);
        per_next_hop.put(pending + place * 2 * kLanes + kLanes);
    }
}

}  // namespace

TOPOCTL_VERSIONS(void, count_paths, count_paths_body, (const Counting& counting), (counting))
TOPOCTL_VERSIONS(void, carry, carry_body, (const Carrying& carrying), (carrying))

}  // namespace topoctl
