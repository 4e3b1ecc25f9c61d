// Packets, each with a record, and their flits, each a word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "memory.hpp"

namespace topoctl {

struct Packet {
    std::int32_t made;     // the cycle of its draw, from which its latency counts
    std::int32_t entered;  // the cycle in which its head entered the network; -1 before
    std::int32_t arrived;  // the cycle in which its head left the network
    std::uint32_t source, destination, through;
    std::uint32_t number;  // of its source
    std::uint16_t flits;
    std::uint8_t leg : 1;  // 0 on the way to the router `through`, 1 to the destination
    bool wanted : 1;       // by statistics
    bool live : 1;
};
static_assert(sizeof(Packet) == 32);

// All packets that are under way, by numbers that are used again.
class Packets {
public:
    explicit Packets(std::size_t most)
        : records_(std::min(most, std::size_t{1} << 24)), crossings_(records_.size()), messages_(records_.size()) {}

    std::uint32_t take_up() {
        if (free_.empty()) {
            if (fresh_ == records_.size())
                throw std::length_error("more packets are under way than a simulation has numbers for");
            return static_cast<std::uint32_t>(fresh_++);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        return number;
    }

    void give_back(std::size_t number) {
        records_[number].live = false;
        free_.push_back(static_cast<std::uint32_t>(number));
    }

    Packet& operator[](std::size_t number) { return records_[number]; }

    // Of a packet of several flits: the cycles of their exits less those of their entries.
    std::int64_t& crossing(std::size_t number) { return crossings_[number]; }
    // The message that a packet is of.
    std::uint32_t& message(std::size_t number) { return messages_[number]; }

    template <class Visit>
    void each_live(Visit&& visit) {
        for (std::size_t number = 0; number < fresh_; ++number)
            if (records_[number].live) visit(records_[number]);
    }
    template <class Visit>
    void each_live(Visit&& visit) const {
        for (std::size_t number = 0; number < fresh_; ++number)
            if (records_[number].live) visit(records_[number]);
    }

    template <class Visit>
    void saved(Visit& visit) {
        visit("fresh", fresh_);
        for (std::size_t number = 0; number < fresh_; ++number)
            if (!records_[number].live) records_[number] = {}, crossings_[number] = {}, messages_[number] = {};
        visit.first("records", records_, fresh_);
        visit.first("crossings", crossings_, fresh_);
        visit.first("messages", messages_, fresh_);
        visit.list("free", free_);
    }

private:
    Zeros<Packet> records_;
    Zeros<std::int64_t> crossings_;
    Zeros<std::uint32_t> messages_;
    std::size_t fresh_ = 0;
    std::vector<std::uint32_t> free_;
};

// packet 24 bits, target router 17, hops 9, phase 6, class 6, head 1, tail 1
class Flit {
public:
    Flit() = default;
    Flit(std::size_t packet, bool head, bool tail)
        : bits_(packet | std::uint64_t{head} << 62 | std::uint64_t{tail} << 63) {}

    std::size_t packet() const { return bits_ & 0xFFFFFF; }
    std::size_t target() const { return field<24, 17>(); }
    std::size_t hops() const { return field<41, 9>(); }
    std::size_t phase() const { return field<50, 6>(); }
    std::size_t group() const { return field<56, 6>(); }
    bool head() const { return bits_ >> 62 & 1; }
    bool tail() const { return bits_ >> 63; }

    void target(std::size_t router) { set<24, 17>(router); }
    void hop() { bits_ += std::uint64_t{1} << 41; }
    void phase(std::size_t phase) { set<50, 6>(phase); }
    void group(std::size_t group) { set<56, 6>(group); }
    void phase_and_group(std::size_t phase, std::size_t group) { set<50, 12>(phase | group << 6); }

private:
    template <int Shift, int Bits>
    std::size_t field() const {
        return bits_ >> Shift & ((std::uint64_t{1} << Bits) - 1);
    }
    template <int Shift, int Bits>
    void set(std::uint64_t value) {
        constexpr std::uint64_t mask = ((std::uint64_t{1} << Bits) - 1) << Shift;
        bits_ = (bits_ & ~mask) | value << Shift;
    }

    std::uint64_t bits_;
};

}  // namespace topoctl
