// The network that a lifted walk changes: what a group maps onto itself, as the neighbours of one router per orbit.
#pragma once

#include <vector>

#include "../semidirect_product.hpp"
#include "network.hpp"

namespace topoctl::link_annealing {

// A router is the image of the source of its orbit under an element: its code is orbit * elements + element. A
// code (j, x) at a port of the source of orbit i stands for the links of all (i, g) to (j, g x): Gross and Tucker,
// Topological Graph Theory (1987), chapter 2.
class Lift {
public:
    using Code = std::int32_t;
    static constexpr Code kOpen = -1;
    struct Change {
        std::size_t port;
        Code before;
    };

    explicit Lift(const Network& network);

    const SemidirectProduct& group() const { return group_; }
    std::size_t orbits() const { return orbits_; }
    std::size_t radix() const { return radix_; }
    std::size_t elements() const { return elements_; }
    std::size_t ports() const { return codes_.size(); }
    const std::vector<Code>& codes() const { return codes_; }
    std::size_t orbit_of(std::size_t port) const { return port / radix_; }
    std::size_t orbit_of(Code code) const { return static_cast<std::size_t>(code) / elements_; }

    // Moves; false where one would break a rule, and then nothing has changed. `involution`, kOpen where the
    // group has none, is what a port without a partner gets.
    //
    // A link gets another voltage, a port that is linked with itself another involution.
    bool shift(std::size_t port, Code voltage, Code involution);
    // Both ports of a link get involutions instead.
    bool split(std::size_t port, Code involution, Code other);
    // Two ports get a link of this voltage between them, and their partners another one that makes the same
    // turns; of one partner alone, an involution.
    bool exchange(std::size_t port, std::size_t other, Code voltage, Code involution);
    // Takes the last move back.
    void undo();

    // The ports that the last move changed, each once.
    const std::vector<Change>& changes() const { return changes_; }

    // The neighbours of all routers, from `codes`, -1 behind the last: order x radix.
    void write_slots(const std::vector<Code>& codes, Router* slots) const;

private:
    Code code(std::size_t orbit, Code voltage) const { return static_cast<Code>(orbit * elements_) + voltage; }
    Code voltage_of(Code code) const { return code % static_cast<Code>(elements_); }
    // The port that the link of a port leads back from; the port itself for an involution or an open port.
    std::size_t partner(std::size_t port) const;
    void set(std::size_t port, Code code);
    bool kept();

    std::size_t radix_, elements_, orbits_;
    SemidirectProduct group_;
    std::vector<Code> codes_;
    std::vector<Router> routers_;  // by code
    std::vector<Change> changes_;
};

}  // namespace topoctl::link_annealing
