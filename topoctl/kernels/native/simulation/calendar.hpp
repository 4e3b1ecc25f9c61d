// What will arrive, by the cycle in which it does: at most one thing a cycle for every port.
#pragma once

#include "masks.hpp"
#include "memory.hpp"

namespace topoctl {

// For every place (a router, or a word of endpoints) and cycle to come, which of its ports something arrives at, and
// the virtual channel that it is of.
template <int W>
class Calendar {
public:
    // Of places with so many ports each, for things that arrive less than `horizon` cycles ahead.
    Calendar(std::size_t places, std::size_t ports, std::size_t horizon)
        : places_(places), ports_(ports), slots_(power_of_two(horizon)), masks_(slots_ * places),
          channels_(slots_ * places * ports) {}

    void enter(std::int64_t cycle, std::size_t place, std::size_t port, std::size_t channel) {
        const std::size_t row = slot(cycle) * places_ + place;
        masks_[row].set(port);
        channels_[row * ports_ + port] = static_cast<std::uint8_t>(channel);
    }

    // Calls visit(port, channel) for all that arrives at a place in this cycle, in the order of the ports.
    template <class Visit>
    void arrive(std::int64_t cycle, std::size_t place, Visit&& visit) {
        const std::size_t row = slot(cycle) * places_ + place;
        Mask<W>& mask = masks_[row];
        if (mask.empty()) return;
        const std::uint8_t* channels = &channels_[row * ports_];
        mask.each([&](std::size_t port) { visit(port, std::size_t{channels[port]}); });
        mask = {};
    }

    static std::size_t power_of_two(std::size_t least) {
        std::size_t power = 1;
        while (power < least) power *= 2;
        return power;
    }

private:
    std::size_t slot(std::int64_t cycle) const { return static_cast<std::size_t>(cycle) & (slots_ - 1); }

    std::size_t places_, ports_, slots_;
    Zeros<Mask<W>> masks_;
    Zeros<std::uint8_t> channels_;
};

}  // namespace topoctl
