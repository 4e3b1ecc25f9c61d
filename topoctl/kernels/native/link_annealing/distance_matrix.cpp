#include "distance_matrix.hpp"

#include <algorithm>
#include <cstring>

#include "../bits.hpp"

namespace topoctl::link_annealing {
namespace {

constexpr std::size_t widest = 64;  // bytes that a vector may read behind the last distance
constexpr std::size_t flag_bits = 8;
// Guessing pays off where the rows to repair hold so many times the distances that it reads.
constexpr std::size_t guess_gain = 2;

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
    for (std::size_t router = 0; router < test.touched; ++router) {  // one after the other: few rows are read at once
        const Distance* const* column = test.columns + router * (test.radix + 1);
        const auto flag = static_cast<Distance>(1 << router % flag_bits);
        for (std::size_t source = 0; source < test.sources; source += Bytes / sizeof(Distance)) {
            const Lanes own = load<Lanes>(column[0] + source);
            Lanes nearest = own;
            for (std::size_t slot = 1; slot <= test.radix; ++slot) {
                const Lanes other = load<Lanes>(column[slot] + source);
                nearest = nearest < other ? nearest : other;
            }
            nearest -= (Lanes)(nearest < unreachable);  // true is -1
            Lanes flags = (Lanes)((nearest != own) & (own != 0)) & flag;
            if (router) flags |= load<Lanes>(test.flags + source);
            std::memcpy(test.flags + source, &flags, sizeof flags);
        }
    }
    return 0;
}

// One more than the distance of the nearest neighbour, for every touched router and source.
template <class Distance>
struct Guess {
    const Distance* const* columns;  // as for the test
    std::size_t touched, radix, sources, stride;
    Distance* distances;  // touched x stride
};

template <int Bytes, class Distance>
TOPOCTL_INLINE int guess_columns(const Guess<Distance>& guess) {
    typedef Distance Lanes __attribute__((vector_size(Bytes)));
    constexpr Distance unreachable = std::numeric_limits<Distance>::max();
    for (std::size_t router = 0; router < guess.touched; ++router) {
        const Distance* const* column = guess.columns + router * (guess.radix + 1);
        for (std::size_t source = 0; source < guess.sources; source += Bytes / sizeof(Distance)) {
            const Lanes own = load<Lanes>(column[0] + source);
            Lanes nearest = (Lanes)(own == own);  // unreachable
            for (std::size_t slot = 1; slot <= guess.radix; ++slot) {
                const Lanes other = load<Lanes>(column[slot] + source);
                nearest = nearest < other ? nearest : other;
            }
            nearest -= (Lanes)(nearest < unreachable);
            nearest &= (Lanes)(own != 0);
            std::memcpy(guess.distances + router * guess.stride + source, &nearest, sizeof nearest);
        }
    }
    return 0;
}

TOPOCTL_VERSIONS(int, test_distances, test_columns, (const Test<std::uint8_t>& test), (test))
TOPOCTL_VERSIONS(int, test_long_distances, test_columns, (const Test<std::uint16_t>& test), (test))
TOPOCTL_VERSIONS(int, guess_distances, guess_columns, (const Guess<std::uint8_t>& guess), (guess))
TOPOCTL_VERSIONS(int, guess_long_distances, guess_columns, (const Guess<std::uint16_t>& guess), (guess))
void run_test(const Test<std::uint8_t>& test) { test_distances(test); }
void run_test(const Test<std::uint16_t>& test) { test_long_distances(test); }
void run_guess(const Guess<std::uint8_t>& guess) { guess_distances(guess); }
void run_guess(const Guess<std::uint16_t>& guess) { guess_long_distances(guess); }

// Changes one row of distances so that it fits the links. Lists of places by distance are chained in a pool; no
// place is processed twice in a pass, so that each pass adds at most one entry per slot and per seed.
template <class Distance, int Radix>
struct Repair {
    using Row = DistanceMatrix<Distance>;
    using Entry = typename Row::Entry;

    Distance* distances;
    const Router* slots;
    std::size_t run_time_radix;
    Entry* pool;
    Router* heads;  // of the list of each distance: -1 where it is empty
    Router used = 0;
    std::size_t lowest = Row::unreachable, highest = 0;

    std::size_t radix() const { return Radix ? std::size_t(Radix) : run_time_radix; }
    const Router* neighbors_of(Router place) const { return slots + std::size_t(place) * radix(); }

    std::size_t nearest(Router place) const {
        const Router* neighbors = neighbors_of(place);
        Distance least = Row::unreachable;
        for (std::size_t slot = 0; slot < radix(); ++slot) least = std::min(least, distances[neighbors[slot]]);
        return least;
    }

    void push(std::size_t distance, Router place) {
        pool[used] = {place, heads[distance]};
        heads[distance] = used++;
        lowest = std::min(lowest, distance);
        highest = std::max(highest, distance);
    }

    // Calls visit(place, distance), which may push places one further, by ascending distance.
    template <class Visit>
    void drain(Visit visit) {
        for (std::size_t distance = lowest; distance <= highest; ++distance) {
            for (Router entry = heads[distance]; entry >= 0; entry = pool[entry].next)
                visit(pool[entry].place, distance);
            heads[distance] = -1;
        }
        used = 0;
        lowest = Row::unreachable;
        highest = 0;
    }

    // An end of a changed link, which may have lost its nearer neighbours.
    void suspect(Router place) {
        if (distances[place] && distances[place] != Row::unreachable) push(distances[place], place);
    }

    // Marks the routers that have no way of their old length any more: level by level, those without a nearer
    // neighbour that still has its distance.
    void orphan(std::vector<typename Row::Change>& changes) {
        drain([&](Router place, std::size_t distance) {
            if (distances[place] != distance || nearest(place) < distance) return;
            changes.push_back({place, static_cast<Distance>(distance)});
            distances[place] = Row::orphaned;
            const Router* neighbors = neighbors_of(place);
            for (std::size_t slot = 0; slot < radix(); ++slot)
                if (distances[neighbors[slot]] == distance + 1) push(distance + 1, neighbors[slot]);
        });
    }

    // A router that may have a nearer neighbour than its distance says.
    void seed(Router place) {
        const std::size_t least = nearest(place);
        if (least < Row::orphaned && least + 1 < distances[place]) push(least + 1, place);
    }

    // Dijkstra's search from the seeds.
    void settle(std::vector<typename Row::Change>& changes) {
        drain([&](Router place, std::size_t distance) {
            if (distances[place] <= distance) return;
            if (distance > Row::furthest) throw TooFar{};
            if (distances[place] != Row::orphaned) changes.push_back({place, distances[place]});
            distances[place] = static_cast<Distance>(distance);
            const Router* neighbors = neighbors_of(place);
            for (std::size_t slot = 0; slot < radix(); ++slot)
                if (distances[neighbors[slot]] > distance + 1) push(distance + 1, neighbors[slot]);
        });
    }
};

}  // namespace

template <class Distance>
DistanceMatrix<Distance>::DistanceMatrix(const Network& network)
    : order_(network.order()), radix_(network.radix()), rotation_order_(network.rotation_order()), sources_(network.sources().size()),
      stride_((order_ * sizeof(Distance) + widest - 1) / widest * widest / sizeof(Distance)), place_of_(order_), slots_(order_ * radix_),
      distances_(sources_ * stride_ + 2 * widest), flags_(sources_ + widest),
      pool_(order_ * (radix_ + 2)), heads_(std::min<std::size_t>(order_, furthest) + 2, -1) {
    const auto address = reinterpret_cast<std::uintptr_t>(distances_.data());
    first_ = distances_.data() + (widest - address % widest) % widest / sizeof(Distance);
    affected_.reserve(sources_ + 1);
    for (std::size_t source = 0; source < sources_; ++source) {
        Router router = network.sources()[source];
        for (std::size_t turn = 0; turn < rotation_order_; ++turn, router = network.turned(router))
            place_of_[router] = static_cast<Router>(turn * sources_ + source);
    }
    for (std::size_t router = 0; router < order_; ++router) copy_row(network, static_cast<Router>(router));
}

template <class Distance>
void DistanceMatrix<Distance>::copy_row(const Network& network, Router router) {
    Router* to = slots_.data() + std::size_t(place_of_[router]) * radix_;
    for (std::size_t slot = 0; slot < radix_; ++slot) to[slot] = place_of_[network.row(router)[slot]];
}

template <class Distance>
void DistanceMatrix<Distance>::fill() {
    std::fill(distances_.begin(), distances_.end(), unreachable);
    std::vector<Word> current(order_), next(order_);
    for (std::size_t first = 0; first < sources_; first += kWordBits) {
        const std::size_t count = std::min(kWordBits, sources_ - first);
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
void DistanceMatrix<Distance>::follow(const Network& network) {
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
const Distance* DistanceMatrix<Distance>::column(Router place) const {
    const std::size_t turn = static_cast<std::size_t>(place) / sources_, source = static_cast<std::size_t>(place) % sources_;
    return first_ + source * stride_ + (turn ? rotation_order_ - turn : 0) * sources_;
}

template <class Distance>
const std::vector<Router>& DistanceMatrix<Distance>::affected() {
    columns_.clear();
    for (Router place : touched_) {
        columns_.push_back(column(place));
        for (std::size_t slot = 0; slot < radix_; ++slot) columns_.push_back(column(neighbors(place)[slot]));
    }
    run_test(Test<Distance>{columns_.data(), touched_.size(), radix_, sources_, flags_.data()});
    affected_.resize(sources_ + 1);
    std::size_t count = 0;
    for (std::size_t source = 0; source < sources_; ++source) {
        affected_[count] = static_cast<Router>(source);
        count += flags_[source] != 0;
    }
    affected_.resize(count);
    guessed_ = false;
    return affected_;
}

template <class Distance>
void DistanceMatrix<Distance>::guess() {
    const std::size_t touched = touched_.size(), width = radix_ + 1;
    guessed_ = affected_.size() * order_ > guess_gain * touched * radix_ * width * sources_;
    if (!guessed_) return;
    guess_stride_ = (sources_ * sizeof(Distance) + widest - 1) / widest * widest / sizeof(Distance);
    guesses_.resize(touched * guess_stride_ + widest);
    run_guess(Guess<Distance>{columns_.data(), touched, radix_, sources_, guess_stride_, guesses_.data()});
    // The ends of changed links and their neighbours are those whose distances may not fit now.
    auto column_now = [&](Router place) {
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair<Router, std::size_t>(place, 0));
        return found != sorted_.end() && found->first == place ? guesses_.data() + found->second * guess_stride_
                                                               : column(place);
    };
    sorted_.clear();
    around_ = touched_;
    for (std::size_t router = 0; router < touched; ++router) {
        sorted_.emplace_back(touched_[router], router);
        around_.insert(around_.end(), neighbors(touched_[router]), neighbors(touched_[router]) + radix_);
    }
    std::sort(sorted_.begin(), sorted_.end());
    std::sort(around_.begin(), around_.end());
    around_.erase(std::unique(around_.begin(), around_.end()), around_.end());
    columns_.clear();
    for (Router place : around_) {
        columns_.push_back(column_now(place));
        for (std::size_t slot = 0; slot < radix_; ++slot) columns_.push_back(column_now(neighbors(place)[slot]));
    }
    wrong_.resize(sources_ + widest);
    run_test(Test<Distance>{columns_.data(), around_.size(), radix_, sources_, wrong_.data()});
}

template <class Distance>
bool DistanceMatrix<Distance>::take_guess(Router source, std::vector<Change>& changes) {
    if (!guessed_ || wrong_[source]) return false;
    const Distance* guess = guesses_.data() + source;
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (guess[router * guess_stride_] > furthest && guess[router * guess_stride_] != unreachable) throw TooFar{};
    Distance* distances = row(static_cast<std::size_t>(source));
    for (Router place : touched_) {
        if (distances[place] != *guess) {
            changes.push_back({place, distances[place]});
            distances[place] = *guess;
        }
        guess += guess_stride_;
    }
    return true;
}

template <class Distance>
template <int Radix>
void DistanceMatrix<Distance>::repair_row(Router source, std::vector<Change>& changes) {
    Distance* distances = row(static_cast<std::size_t>(source));
    Repair<Distance, Radix> repair{distances, slots_.data(), radix_, pool_.data(), heads_.data()};
    const Flags flags = flags_[source];
    const std::size_t before = changes.size();
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (flags >> router % flag_bits & 1) repair.suspect(touched_[router]);
    repair.orphan(changes);
    const std::size_t orphans = changes.size();
    for (std::size_t change = before; change < orphans; ++change) repair.seed(changes[change].place);
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (flags >> router % flag_bits & 1) repair.seed(touched_[router]);
    repair.settle(changes);
    for (std::size_t change = before; change < orphans; ++change)
        if (distances[changes[change].place] == orphaned) distances[changes[change].place] = unreachable;
}

template <class Distance>
void DistanceMatrix<Distance>::repair(Router source, std::vector<Change>& changes) {
    if (take_guess(source, changes)) return;
    switch (radix_) {
        case 3: return repair_row<3>(source, changes);
        case 4: return repair_row<4>(source, changes);
        case 6: return repair_row<6>(source, changes);
        case 8: return repair_row<8>(source, changes);
        case 10: return repair_row<10>(source, changes);
        default: return repair_row<0>(source, changes);
    }
}

template class DistanceMatrix<std::uint8_t>;
template class DistanceMatrix<std::uint16_t>;

}  // namespace topoctl::link_annealing
