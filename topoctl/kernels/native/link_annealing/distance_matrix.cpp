#include "distance_matrix.hpp"

#include <algorithm>

#include "../bits.hpp"
#include "../dispatch.hpp"
#include "distance_columns.hpp"
#include "row_repair.hpp"

namespace topoctl::link_annealing {
namespace {

// Guessing pays off where the rows to repair hold so many times the distances that it reads.
constexpr std::size_t kGuessGain = 2;

}  // namespace

template <class Distance>
DistanceMatrix<Distance>::DistanceMatrix(const Network& network)
    : order_(network.order()), radix_(network.radix()), sources_(network.sources().size()),
      stride_((order_ * sizeof(Distance) + kPadding - 1) / kPadding * kPadding / sizeof(Distance)), place_of_(order_),
      slots_(order_ * radix_), distances_(sources_ * stride_ + 2 * kPadding), flags_(sources_ + kPadding),
      pool_(order_ * (radix_ + 2)), heads_(std::min<std::size_t>(order_, kFurthest) + 2, -1) {
    const auto address = reinterpret_cast<std::uintptr_t>(distances_.data());
    first_ = distances_.data() + (kPadding - address % kPadding) % kPadding / sizeof(Distance);
    affected_.reserve(sources_ + 1);
    for (std::size_t source = 0; source < sources_; ++source) {
        std::size_t place = source;
        network.each_image(network.sources()[source], [&](Router image) {
            place_of_[image] = static_cast<Router>(place);
            place += sources_;
        });
    }
    find_inverses(network);
    for (std::size_t router = 0; router < order_; ++router) copy_row(network, static_cast<Router>(router));
}

// Element (c, d) takes a router d times by the second generator, then c times by the first. So the inverse takes
// it back by the first one, which is as many turns as are left of a whole one, then by the second.
template <class Distance>
void DistanceMatrix<Distance>::find_inverses(const Network& network) {
    const std::size_t turns = network.rotation_order(), layers = network.second_order();
    inverse_.resize(turns * layers);
    Router turned = network.sources()[0];
    for (std::size_t turn = 0; turn < turns; ++turn, turned = network.turned(turned)) {
        Router router = turned;
        for (std::size_t layer = 0; layer < layers; ++layer, router = network.moved(router))
            inverse_[(layers - layer) % layers * turns + (turns - turn) % turns] =
                static_cast<Router>(static_cast<std::size_t>(place_of_[router]) / sources_);
    }
}

template <class Distance>
void DistanceMatrix<Distance>::copy_row(const Network& network, Router router) {
    Router* to = slots_.data() + std::size_t(place_of_[router]) * radix_;
    for (std::size_t slot = 0; slot < radix_; ++slot) to[slot] = place_of_[network.row(router)[slot]];
}

template <class Distance>
void DistanceMatrix<Distance>::fill() {
    std::fill(distances_.begin(), distances_.end(), kUnreachable);
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
                    row(first + bit_number(found))[place] = static_cast<Distance>(distance);
                grows = grows || reached != current[place];
            }
            if (grows && distance > kFurthest) throw TooFar{};
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
    const auto number = static_cast<std::size_t>(place);
    const std::size_t element = number / sources_, source = number % sources_;
    return first_ + source * stride_ + std::size_t(inverse_[element]) * sources_;
}

template <class Distance>
const std::vector<Router>& DistanceMatrix<Distance>::affected() {
    columns_.clear();
    for (Router place : touched_) {
        columns_.push_back(column(place));
        for (std::size_t slot = 0; slot < radix_; ++slot) columns_.push_back(column(neighbors(place)[slot]));
    }
    run(ColumnTest<Distance>{columns_.data(), touched_.size(), radix_, sources_, flags_.data()});
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
    guessed_ = affected_.size() * order_ > kGuessGain * touched * radix_ * width * sources_;
    if (!guessed_) return;
    guess_stride_ = (sources_ * sizeof(Distance) + kPadding - 1) / kPadding * kPadding / sizeof(Distance);
    guesses_.resize(touched * guess_stride_ + kPadding);
    run(ColumnGuess<Distance>{columns_.data(), touched, radix_, sources_, guess_stride_, guesses_.data()});
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
    wrong_.resize(sources_ + kPadding);
    run(ColumnTest<Distance>{columns_.data(), around_.size(), radix_, sources_, wrong_.data()});
}

template <class Distance>
bool DistanceMatrix<Distance>::take_guess(Router source, std::vector<Change>& changes) {
    if (!guessed_ || wrong_[source]) return false;
    const Distance* guess = guesses_.data() + source;
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (guess[router * guess_stride_] > kFurthest && guess[router * guess_stride_] != kUnreachable) throw TooFar{};
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
    RowRepair<Distance, Radix> repair{distances, slots_.data(), radix_, pool_.data(), heads_.data()};
    const Flags flags = flags_[source];
    const std::size_t before = changes.size();
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (flags >> router % kFlagBits & 1) repair.suspect(touched_[router]);
    repair.orphan(changes);
    const std::size_t orphans = changes.size();
    for (std::size_t change = before; change < orphans; ++change) repair.seed(changes[change].place);
    for (std::size_t router = 0; router < touched_.size(); ++router)
        if (flags >> router % kFlagBits & 1) repair.seed(touched_[router]);
    repair.settle(changes);
    for (std::size_t change = before; change < orphans; ++change)
        if (distances[changes[change].place] == kOrphaned) distances[changes[change].place] = kUnreachable;
}

template <class Distance>
void DistanceMatrix<Distance>::repair(Router source, std::vector<Change>& changes) {
    if (take_guess(source, changes)) return;
    if constexpr (sizeof(Distance) == 1)
        dispatch<3, 4, 6, 8, 10, 0>(radix_, [&](auto radix) { repair_row<radix>(source, changes); });
    else  // few networks have distances beyond 254
        repair_row<0>(source, changes);
}

template class DistanceMatrix<std::uint8_t>;
template class DistanceMatrix<std::uint16_t>;

}  // namespace topoctl::link_annealing
