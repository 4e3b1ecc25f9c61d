// What will arrive, by the cycle in which it does: at most one thing a cycle for every port.
#pragma once

#include <vector>

#include "masks.hpp"
#include "memory.hpp"

namespace topoctl {

// For every place (a router, or some endpoints) and cycle to come, which of its ports something arrives at, and the
// virtual channel that it is of. Most arrives soon, so that few cycles are kept at hand; the rest waits in a list.
template <int W>
class Calendar {
public:
    // Of places with so many ports each; things mostly arrive less than `soon` cycles ahead.
    Calendar(std::size_t places, std::size_t ports, std::size_t soon)
        : places_(places), slots_(power_of_two(soon)), row_words_(W + (ports + 7) / 8),
          rows_(slots_ * places * row_words_) {}

    // To be called once a cycle, before anything arrives in it.
    void turn_to(std::int64_t cycle) {
        now_ = cycle;
        if (late_.empty() || cycle % static_cast<std::int64_t>(slots_ / 2)) return;
        std::size_t kept = 0;
        for (const Late& one : late_)
            if (near(one.cycle))
                write(one.cycle, one.place, one.port, one.channel);
            else
                late_[kept++] = one;
        late_.resize(kept);
    }

    void enter(std::int64_t cycle, std::size_t place, std::size_t port, std::size_t channel) {
        if (near(cycle))
            write(cycle, place, port, channel);
        else
            late_.push_back({cycle, static_cast<std::uint32_t>(place), static_cast<std::uint16_t>(port),
                             static_cast<std::uint16_t>(channel)});
    }

    // Calls visit(port, channel) for all that arrives at a place in this cycle, in the order of the ports.
    template <class Visit>
    void arrive(std::size_t place, Visit&& visit) {
        foresee(place, visit);
        *reinterpret_cast<Mask<W>*>(row_of(now_, place)) = {};
    }

    // The same, and leaves it to arrive later.
    template <class Visit>
    void foresee(std::size_t place, Visit&& visit) {
        const Word* row = row_of(now_, place);
        const auto* channels = reinterpret_cast<const std::uint8_t*>(row + W);
        reinterpret_cast<const Mask<W>*>(row)->each(
            [&](std::size_t port) { visit(port, std::size_t{channels[port]}); });
    }

    template <class Visit>
    void saved(Visit& visit) {
        visit("rows", rows_);
        visit("late", late_);
    }

private:
    struct Late {
        std::int64_t cycle;
        std::uint32_t place;
        std::uint16_t port, channel;
    };

    static std::size_t power_of_two(std::size_t least) {
        std::size_t power = 2;
        while (power < least) power *= 2;
        return power;
    }

    // What is late is looked at every half turn, so half of the slots are for what is entered until then.
    bool near(std::int64_t cycle) const { return cycle - now_ < static_cast<std::int64_t>(slots_); }

    Word* row_of(std::int64_t cycle, std::size_t place) {
        return &rows_[((static_cast<std::size_t>(cycle) & (slots_ - 1)) * places_ + place) * row_words_];
    }

    void write(std::int64_t cycle, std::size_t place, std::size_t port, std::size_t channel) {
        Word* row = row_of(cycle, place);
        reinterpret_cast<Mask<W>*>(row)->set(port);
        reinterpret_cast<std::uint8_t*>(row + W)[port] = static_cast<std::uint8_t>(channel);
    }

    std::size_t places_, slots_, row_words_;
    Zeros<Word> rows_;
    std::vector<Late> late_;
    std::int64_t now_ = 0;
};

}  // namespace topoctl
