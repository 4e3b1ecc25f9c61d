// What a simulation follows, as `Plan` of simulation.py holds it; what its numbers mean is told there.
#pragma once

#include "../kernels.hpp"

namespace topoctl {

// The arrays of a dataclass of Python's by their names, kept for as long as the simulation lives.
class Arrays {
public:
    explicit Arrays(nb::handle record) : record_(record) {}

    template <class T>
    const T* of(const char* name, std::size_t* size = nullptr) {
        auto array = nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(record_.attr(name));
        if (size) *size = array.size();
        kept_.push_back(nb::object(record_.attr(name)));
        return array.data();
    }

    // An array of records, as numpy lays them out.
    template <class T>
    const T* records(const char* name) {
        const nb::object bytes = record_.attr(name).attr("view")("uint8");
        kept_.push_back(bytes);
        return reinterpret_cast<const T*>(
            nb::cast<nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu>>(bytes).data());
    }

    std::size_t extent(const char* name, std::size_t axis) const {
        return nb::cast<std::size_t>(record_.attr(name).attr("shape")[axis]);
    }

private:
    nb::handle record_;
    std::vector<nb::object> kept_;
};

// A row of cumulative shares: the first place whose share is at least the draw, halved without branches, since none
// could be foretold.
inline std::size_t place_of(const std::uint64_t* shares, std::size_t count, std::uint64_t draw) {
    const std::uint64_t* first = shares;
    while (count > 1) {
        const std::size_t half = count / 2;
        first += half * (first[half - 1] < draw);
        count -= half;
    }
    return first - shares;
}

// What a routing step finds: an output port, virtual channels to ask for, and what the packet is after the hop.
struct Choice {
    std::uint16_t port;
    std::uint8_t first, last, phase, below, phase_below, group;
};

// A record of `options`, as OPTION of simulation.py lays it out, which fills no `group`.
struct Option {
    Choice choice;
    std::uint32_t share;  // of a draw of 32 bits: taken by those at most as large

    bool last() const { return share == ~std::uint32_t{0}; }  // of its set
};
static_assert(sizeof(Option) == 12 && offsetof(Option, share) == 8, "OPTION has no other fields");

constexpr int kDecided = 2, kDecidedByAll = 3;  // ways that the source's router chooses, by its queues or by all

struct Plan {
    explicit Plan(nb::handle record) : arrays(record) {
        const Fields number(record);
        seed = static_cast<std::uint64_t>(number["seed"]);
        channels = number["channels"];
        buffer = number["buffer"];
        steps = number["steps"];
        lookahead = number["lookahead"];
        credit_delay = number["credit_delay"];
        queued = number["queued"];
        head_room = number["head_room"];
        output_room = number["output_room"];
        entry_drawn = number["entry_drawn"];
        class_width = number["class_width"];
        way = static_cast<int>(number["way"]);
        through = static_cast<int>(number["through"]);
        detours = static_cast<int>(number["detours"]);
        early = number["early"];
        logged = number["logged"];

        routers = arrays.extent("ends", 0);
        ports = arrays.extent("ends", 1);
        ends = arrays.of<std::int32_t>("ends");
        delays = arrays.of<std::int32_t>("delays");
        entries = arrays.of<std::int32_t>("entries", &endpoints);
        phases = arrays.extent("table", 0);
        wide = nb::cast<std::size_t>(record.attr("table").attr("itemsize")) == 4;
        if (wide)
            wide_table = arrays.of<std::uint32_t>("table");
        else
            table = arrays.of<std::uint16_t>("table");
        options = arrays.records<Option>("options");
        std::size_t escaping;
        escapes = arrays.of<std::int32_t>("escapes", &escaping);
        if (!escaping) escapes = nullptr;
        choice = arrays.of<std::int32_t>("choice");
        arrival = arrays.of<std::int32_t>("arrival");
        const auto* entry = arrays.of<std::int32_t>("entry");
        entry_first = entry[0], entry_last = entry[1];
        kinds = arrays.of<std::int32_t>("kinds");
        rises = arrays.of<std::int32_t>("rises");
        start_class = arrays.of<std::uint8_t>("start_class", &start_classes);
        start = arrays.of<std::int32_t>("start");
        turn = arrays.of<std::int32_t>("turn");
        radices = arrays.of<std::int32_t>("radices", &dimensions);
        std::size_t grouped;
        groups = arrays.of<std::int32_t>("groups", &grouped);
        if (!grouped) groups = nullptr;
        distances = arrays.of<std::uint8_t>("distances");
        bias = arrays.of<std::int64_t>("bias");
        gaps = arrays.of<std::uint64_t>("gaps");
        gap_rows = arrays.extent("gaps", 0);
        gap_steps = arrays.extent("gaps", 1);
        std::size_t linked;
        longer = arrays.of<std::int32_t>("longer", &linked);
        if (!linked) longer = nullptr;
        after = arrays.of<std::int32_t>("after", &linked);
        if (!linked) after = nullptr;
        since = arrays.of<std::int64_t>("since", &traffics);
        rate_of = arrays.of<std::int32_t>("rate_of");
        destination_of = arrays.of<std::int32_t>("destination_of");
        destination_rows = arrays.of<std::int64_t>("destination_rows");
        destinations = arrays.of<std::int32_t>("destinations");
        destination_shares = arrays.of<std::uint64_t>("destination_shares");
        sizes = arrays.of<std::int32_t>("sizes", &size_count);
        size_shares = arrays.of<std::uint64_t>("size_shares");
        std::size_t rows;
        replay_rows = arrays.of<std::int64_t>("replay_rows", &rows);
        replays = rows != 0;
        replay = arrays.of<std::int64_t>("replay");
        message_count = arrays.extent("messages", 0);
        messages = arrays.of<std::int64_t>("messages");
        dependent_rows = arrays.of<std::int64_t>("dependent_rows");
        dependents = arrays.of<std::int32_t>("dependents", &dependent_count);
    }

    // The options of a packet, up to the one that takes all draws.
    const Option* set_of(std::size_t phase, std::size_t router, std::size_t target) const {
        const std::size_t place = place_in_table(phase, router, target);
        return options + (wide ? wide_table[place] : table[place]);
    }

    // Where that is in memory.
    const void* entry(std::size_t phase, std::size_t router, std::size_t target) const {
        const std::size_t place = place_in_table(phase, router, target);
        return wide ? static_cast<const void*>(wide_table + place) : table + place;
    }

    Arrays arrays;
    std::uint64_t seed;
    std::size_t channels, buffer, routers, ports, endpoints, phases, class_width;
    std::int64_t steps, credit_delay, output_room;
    std::uint16_t head_room;
    bool lookahead, queued, entry_drawn, early, logged, wide, replays;
    int way, through, detours;
    std::size_t entry_first, entry_last, dimensions, gap_rows, gap_steps, traffics, size_count, start_classes,
        message_count, dependent_count;
    const std::int32_t *ends, *delays, *entries, *choice, *arrival, *kinds, *rises, *start, *turn, *radices, *escapes,
        *groups, *longer, *after, *rate_of, *destination_of, *destinations, *sizes, *dependents;
    const std::uint16_t* table = nullptr;
    const std::uint32_t* wide_table = nullptr;
    const Option* options;
    const std::uint8_t *start_class, *distances;
    const std::int64_t *bias, *since, *destination_rows, *replay_rows, *replay, *messages, *dependent_rows;
    const std::uint64_t *gaps, *destination_shares, *size_shares;

private:
    std::size_t place_in_table(std::size_t phase, std::size_t router, std::size_t target) const {
        return (phase * routers + router) * routers + target;
    }
};

}  // namespace topoctl
