#include "matrix.hpp"

#include <algorithm>
#include <cstring>

#include "../versions.hpp"

namespace topoctl::anneal {
namespace {

using Word = std::uint64_t;
constexpr std::size_t word_bits = 64;
constexpr std::size_t widest = 64;  // bytes that a vector may read behind the last distance
constexpr std::size_t flag_bits = 8;

// A row of distances fits the links if every router but the source is one further than its nearest neighbour:
// then, by induction, no distance is too large or too small. Only the ends of changed links need the test.
template <class Distance>
struct Test {
    const Distance* const* columns;  // of each touched router and of its neighbours, from all sources
    std::size_t touched, radix, sources;
    Distance* flags;
};

template <class Lanes, class Distance>
TOPOCTL_INLINE Lanes load(const Distance* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

template <int Bytes, class Distance>
TOPOCTL_INLINE int test_columns(const Test<Distance>& test) {
    typedef Distance Lanes __attribute__((vector_size(Bytes)));
    constexpr Distance unreachable = std::numeric_limits<Distance>::max();
    for (std::size_t source = 0; source < test.sources; source += Bytes / sizeof(Distance)) {
        const Distance* const* column = test.columns;
        Lanes flags{};
        for (std::size_t router = 0; router < test.touched; ++router) {
            const Lanes own = load<Lanes>(*column++ + source);
            Lanes nearest = own;
            for (std::size_t slot = 0; slot < test.radix; ++slot) {
                const Lanes other = load<Lanes>(*column++ + source);
                nearest = nearest < other ? nearest : other;
            }
            nearest -= (Lanes)(nearest < unreachable);  // true is -1
            flags |= (Lanes)((nearest != own) & (own != 0)) & static_cast<Distance>(1 << router % flag_bits);
        }
        std::memcpy(test.flags + source, &flags, sizeof flags);
    }
    return 0;
}

TOPOCTL_VERSIONS(int, test_distances, test_columns, (const Test<std::uint8_t>& test), (test))
TOPOCTL_VERSIONS(int, test_long_distances, test_columns, (const Test<std::uint16_t>& test), (test))
void run_test(const Test<std::uint8_t>& test) { test_distances(test); }
void run_test(const Test<std::uint16_t>& test) { test_long_distances(test); }

}  // namespace

template <class Distance>
Matrix<Distance>::Matrix(const Network& network)
    : order_(network.order()), radix_(network.radix()), fold_(network.fold()), sources_(network.sources().size()),
      place_of_(order_), slots_(order_ * radix_), distances_(sources_ * order_ + widest), flags_(sources_ + widest),
      buckets_(std::min<std::size_t>(order_, furthest) + 2) {
    for (std::size_t turn = 0; turn < fold_; ++turn)
        for (std::size_t source = 0; source < sources_; ++source)
            place_of_[network.image(network.sources()[source], turn)] = static_cast<Router>(turn * sources_ + source);
    for (std::size_t router = 0; router < order_; ++router) copy_row(network, static_cast<Router>(router));
}

template <class Distance>
void Matrix<Distance>::copy_row(const Network& network, Router router) {
    Router* to = slots_.data() + std::size_t(place_of_[router]) * radix_;
    for (std::size_t slot = 0; slot < radix_; ++slot) to[slot] = place_of_[network.row(router)[slot]];
}

template <class Distance>
void Matrix<Distance>::fill() {
    std::fill(distances_.begin(), distances_.end(), unreachable);
    std::vector<Word> current(order_), next(order_);
    for (std::size_t first = 0; first < sources_; first += word_bits) {
        const std::size_t count = std::min(word_bits, sources_ - first);
        std::fill(current.begin(), current.end(), Word{0});
        for (std::size_t source = first; source < first + count; ++source) {
            current[source] = Word{1} << (source - first);
            row(source)[source] = 0;
        }
        bool grows = true;
        for (std::size_t distance = 1; grows; ++distance) {
            grows = false;
            for (std::size_t place = 0; place < order_; ++place) {
                Word reached = current[place];
                for (std::size_t slot = 0; slot < radix_; ++slot)
                    reached |= current[static_cast<std::size_t>(neighbors(static_cast<Router>(place))[slot])];
                next[place] = reached;
                for (Word found = reached & ~current[place]; found; found &= found - 1)
                    row(first + static_cast<std::size_t>(__builtin_ctzll(found)))[place] =
                        static_cast<Distance>(distance);
                grows = grows || reached != current[place];
            }
            if (grows && distance > furthest) throw TooFar{};
            current.swap(next);
        }
    }
}

template <class Distance>
void Matrix<Distance>::follow(const Network& network) {
    touched_.clear();
    for (const auto* links : {&network.removed(), &network.added()})
        for (const auto& [a, b] : *links) {
            touched_.push_back(a);
            touched_.push_back(b);
        }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (Router& router : touched_) {
        copy_row(network, router);
        router = place_of_[router];
    }
}

template <class Distance>
const Distance* Matrix<Distance>::column(Router place) const {
    const std::size_t turn = static_cast<std::size_t>(place) / sources_, source = static_cast<std::size_t>(place) % sources_;
    return distances_.data() + source * order_ + (turn ? fold_ - turn : 0) * sources_;
}

template <class Distance>
const std::vector<Router>& Matrix<Distance>::affected() {
    columns_.clear();
    for (Router place : touched_) {
        columns_.push_back(column(place));
        for (std::size_t slot = 0; slot < radix_; ++slot) columns_.push_back(column(neighbors(place)[slot]));
    }
    run_test(Test<Distance>{columns_.data(), touched_.size(), radix_, sources_, flags_.data()});
    affected_.clear();
    for (std::size_t source = 0; source < sources_; ++source)
        if (flags_[source]) affected_.push_back(static_cast<Router>(source));
    return affected_;
}

template <class Distance>
Distance Matrix<Distance>::nearest(const Distance* distances, Router place) const {
    Distance least = unreachable;
    for (std::size_t slot = 0; slot < radix_; ++slot) least = std::min(least, distances[neighbors(place)[slot]]);
    return least;
}

template <class Distance>
void Matrix<Distance>::push(std::size_t distance, Router place) {
    if (lowest_ == highest_) lowest_ = highest_ = distance;
    lowest_ = std::min(lowest_, distance);
    highest_ = std::max(highest_, distance + 1);
    buckets_[distance].push_back(place);
}

// Marks the routers that have no way of their old length any more: level by level, those without a nearer
// neighbour that still has its distance.
template <class Distance>
void Matrix<Distance>::orphan(Distance* distances, std::vector<Change>& changes) {
    for (; lowest_ < highest_; ++lowest_) {
        const std::size_t distance = lowest_;
        for (std::size_t position = 0; position < buckets_[distance].size(); ++position) {
            const Router place = buckets_[distance][position];
            if (distances[place] != distance || nearest(distances, place) < distance) continue;
            changes.push_back({place, static_cast<Distance>(distance)});
            distances[place] = orphaned;
            for (std::size_t slot = 0; slot < radix_; ++slot)
                if (distances[neighbors(place)[slot]] == distance + 1) push(distance + 1, neighbors(place)[slot]);
        }
        buckets_[distance].clear();
    }
}

// Dijkstra's search from the routers that have a nearer neighbour than their distance says.
template <class Distance>
void Matrix<Distance>::settle(Distance* distances, std::vector<Change>& changes) {
    for (; lowest_ < highest_; ++lowest_) {
        const std::size_t distance = lowest_;
        for (std::size_t position = 0; position < buckets_[distance].size(); ++position) {
            const Router place = buckets_[distance][position];
            if (distances[place] <= distance) continue;
            if (distance > furthest) throw TooFar{};
            if (distances[place] != orphaned) changes.push_back({place, distances[place]});
            distances[place] = static_cast<Distance>(distance);
            for (std::size_t slot = 0; slot < radix_; ++slot)
                if (distances[neighbors(place)[slot]] > distance + 1) push(distance + 1, neighbors(place)[slot]);
        }
        buckets_[distance].clear();
    }
}

template <class Distance>
void Matrix<Distance>::repair(Router source, std::vector<Change>& changes) {
    Distance* distances = row(static_cast<std::size_t>(source));
    const Flags flags = flags_[source];
    const std::size_t before = changes.size();
    lowest_ = highest_ = 0;
    for (std::size_t router = 0; router < touched_.size(); ++router) {
        const Distance distance = distances[touched_[router]];
        if (flags >> router % flag_bits & 1 && distance && distance != unreachable) push(distance, touched_[router]);
    }
    orphan(distances, changes);
    const std::size_t orphans = changes.size();
    lowest_ = highest_ = 0;
    auto seed = [&](Router place) {
        const std::size_t least = nearest(distances, place);
        if (least < orphaned && least + 1 < distances[place]) push(least + 1, place);
    };
    for (std::size_t change = before; change < orphans; ++change) seed(changes[change].place);
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (flags >> router % flag_bits & 1) seed(touched_[router]);
    settle(distances, changes);
    for (std::size_t change = before; change < orphans; ++change)
        if (distances[changes[change].place] == orphaned) distances[changes[change].place] = unreachable;
}

template class Matrix<std::uint8_t>;
template class Matrix<std::uint16_t>;

}  // namespace topoctl::anneal
