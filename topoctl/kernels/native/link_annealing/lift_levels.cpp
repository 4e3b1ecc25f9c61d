#include "lift_levels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "../bits.hpp"

namespace topoctl::link_annealing {
namespace {

// A level is pushed by the routers that were reached last while they are fewer than one in kPushed of all: a pull
// reads all columns in order, which takes less for every link than following single ones.
constexpr std::size_t kPushed = 8;
// Then all routers pull it; and only those that some source has not reached, once so few pairs are left that there
// are fewer than one for every kTail routers: listing these reads all routers once more.
constexpr std::int64_t kTail = 4;
// Links of an orbit whose routers are united at once: the row is read and written once for all of them, and their
// columns still fit the registers.
constexpr std::size_t kTogether = 4;

// Lane: a bit for every orbit. Index: a code.
template <class Lane, class Index>
class Levels final : public LiftLevels {
public:
    explicit Levels(const Lift& lift)
        : lift_(lift), order_(lift.orbits() * lift.elements()),
          full_(static_cast<Lane>(std::numeric_limits<Lane>::max() >> (8 * sizeof(Lane) - lift.orbits()))),
          columns_(lift.ports(), Column(lift.elements())), spares_(kMostChanges, Column(lift.elements())),
          reached_(padded()), following_(padded()), fresh_(order_), arriving_(order_) {
        for (std::size_t port = 0; port < lift.ports(); ++port) fill(port);
    }

    void measure(Beyond& beyond) override { evaluate(nullptr, beyond); }

    bool propose(const Refusal& refusal, Beyond& beyond) override {
        exchange_columns();
        for (const Lift::Change& change : lift_.changes()) fill(change.port);
        return evaluate(&refusal, beyond);
    }

    void discard() override { exchange_columns(); }

private:
    using Column = std::vector<Index>;
    static constexpr std::size_t kMostChanges = 4;
    static constexpr std::size_t kLanes = sizeof(Word) / sizeof(Lane);
    struct Place {
        std::size_t orbit, element;
    };

    std::size_t padded() const { return (order_ + kLanes - 1) / kLanes * kLanes; }

    void exchange_columns() {
        std::size_t spare = 0;
        for (const Lift::Change& change : lift_.changes()) std::swap(columns_[change.port], spares_[spare++]);
    }

    void fill(std::size_t port) {
        const Lift::Code code = lift_.codes()[port];
        if (code == Lift::kOpen) return;
        const auto elements = static_cast<Lift::Code>(lift_.elements());
        lift_.group().products(code % elements, code / elements * elements, columns_[port].data());
    }

    // Counts the pairs further than 0, 1, 2, ... apart, as long as they get fewer; false once they are refused.
    bool evaluate(const Refusal* refusal, Beyond& beyond) {
        const auto orbits = static_cast<std::int64_t>(lift_.orbits()), order = static_cast<std::int64_t>(order_);
        std::optional<Refusal::Watch> watch;
        if (refusal) watch.emplace(*refusal);
        begin();
        auto left = orbits * order;
        std::int64_t gained = orbits;
        bool pushes = true, ends = false;
        beyond.clear();
        while (true) {
            left -= gained;
            beyond.push_back(left);
            if (watch && watch->refuses(left)) return false;
            if (!left) return true;
            pushes = pushes && front_.size() * kPushed < order_;
            if (pushes) {
                gained = push();
            } else if (ends || left * kTail < order) {
                if (!ends) list_unfilled();
                ends = true;
                gained = pull_unfilled();
            } else {
                gained = left - (orbits * order - pull());
            }
            if (!gained) return true;
        }
    }

    // Distance 0.
    void begin() {
        std::fill(reached_.begin(), reached_.end(), Lane{0});
        std::fill(fresh_.begin(), fresh_.end(), Lane{0});
        front_.clear();
        for (std::size_t orbit = 0; orbit < lift_.orbits(); ++orbit) {
            const std::size_t source = orbit * lift_.elements();
            reached_[source] = fresh_[source] = static_cast<Lane>(Lane{1} << orbit);
            front_.push_back({orbit, 0});
        }
    }

    // A level from the routers that were reached last; returns the pairs it reaches.
    std::int64_t push() {
        next_front_.clear();
        for (const auto& [orbit, element] : front_) {
            Lane& fresh = fresh_[orbit * lift_.elements() + element];
            const Lane bits = fresh;
            fresh = 0;
            each_column(orbit, [&](std::size_t there, const Index* column) {
                const std::size_t router = column[element];
                const auto news = static_cast<Lane>(bits & ~reached_[router]);
                if (!news) return;
                if (!arriving_[router]) next_front_.push_back({there, router - there * lift_.elements()});
                arriving_[router] |= news;
            });
        }
        std::int64_t gained = 0;
        for (const auto& [orbit, element] : next_front_) {
            const std::size_t router = orbit * lift_.elements() + element;
            gained += static_cast<std::int64_t>(bit_count(arriving_[router]));
            reached_[router] |= arriving_[router];
            fresh_[router] = std::exchange(arriving_[router], Lane{0});
        }
        std::swap(front_, next_front_);
        return gained;
    }

    // A level of all routers; returns the pairs reached so far.
    std::int64_t pull() {
        for (std::size_t orbit = 0; orbit < lift_.orbits(); ++orbit) {
            const Index* columns[kTogether];
            std::size_t count = 0;
            Lane* row = following_.data() + orbit * lift_.elements();
            std::copy_n(reached_.data() + orbit * lift_.elements(), lift_.elements(), row);
            each_column(orbit, [&](std::size_t, const Index* column) {
                columns[count++] = column;
                if (count == kTogether) {
                    unite<kTogether>(columns, row);
                    count = 0;
                }
            });
            if (count == 3) unite<3>(columns, row);
            if (count == 2) unite<2>(columns, row);
            if (count == 1) unite<1>(columns, row);
        }
        std::swap(reached_, following_);
        std::int64_t pairs = 0;
        for (std::size_t first = 0; first < reached_.size(); first += kLanes) {
            Word word;
            std::memcpy(&word, reached_.data() + first, sizeof word);
            pairs += static_cast<std::int64_t>(bit_count(word));
        }
        return pairs;
    }

    template <std::size_t Count>
    void unite(const Index* const* columns, Lane* row) const {
        const Lane* reached = reached_.data();
        for (std::size_t element = 0; element < lift_.elements(); ++element) {
            Lane bits = row[element];
            for (std::size_t i = 0; i < Count; ++i) bits |= reached[columns[i][element]];
            row[element] = bits;
        }
    }

    void list_unfilled() {
        unfilled_.clear();
        std::size_t router = 0;
        for (std::size_t orbit = 0; orbit < lift_.orbits(); ++orbit)
            for (std::size_t element = 0; element < lift_.elements(); ++element, ++router)
                if (reached_[router] != full_) unfilled_.push_back({orbit, element});
    }

    // A level of the routers that some source has not reached; returns the pairs it reaches.
    std::int64_t pull_unfilled() {
        for (const auto& [orbit, element] : unfilled_) {
            Lane bits = 0;
            each_column(orbit, [&](std::size_t, const Index* column) { bits |= reached_[column[element]]; });
            following_[orbit * lift_.elements() + element] = bits;
        }
        std::int64_t gained = 0;
        std::size_t still = 0;
        for (const Place place : unfilled_) {
            const std::size_t router = place.orbit * lift_.elements() + place.element;
            const auto news = static_cast<Lane>(following_[router] & ~reached_[router]);
            gained += static_cast<std::int64_t>(bit_count(news));
            reached_[router] |= news;
            if (reached_[router] != full_) unfilled_[still++] = place;
        }
        unfilled_.resize(still);
        return gained;
    }

    // Calls visit(orbit, column) for every link of an orbit: where it leads, and to which routers.
    template <class Visit>
    void each_column(std::size_t orbit, Visit visit) const {
        for (std::size_t port = orbit * lift_.radix(); port < (orbit + 1) * lift_.radix(); ++port)
            if (const Lift::Code code = lift_.codes()[port]; code != Lift::kOpen)
                visit(lift_.orbit_of(code), columns_[port].data());
    }

    const Lift& lift_;
    const std::size_t order_;
    const Lane full_;
    std::vector<Column> columns_, spares_;  // by port: where its links lead from every element
    std::vector<Lane> reached_, following_, fresh_, arriving_;  // by code: bit i says that source i has come
    std::vector<Place> front_, next_front_, unfilled_;
};

template <class Lane>
std::unique_ptr<LiftLevels> with_lane(const Lift& lift) {
    if (lift.orbits() * lift.elements() <= std::numeric_limits<std::uint16_t>::max())
        return std::make_unique<Levels<Lane, std::uint16_t>>(lift);
    return std::make_unique<Levels<Lane, std::uint32_t>>(lift);
}

}  // namespace

std::unique_ptr<LiftLevels> lift_levels(const Lift& lift) {
    if (lift.orbits() <= 8) return with_lane<std::uint8_t>(lift);
    if (lift.orbits() <= 16) return with_lane<std::uint16_t>(lift);
    if (lift.orbits() <= 32) return with_lane<std::uint32_t>(lift);
    return with_lane<std::uint64_t>(lift);
}

}  // namespace topoctl::link_annealing
