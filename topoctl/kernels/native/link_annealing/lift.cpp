#include "lift.hpp"

namespace topoctl::link_annealing {
namespace {

// The r of the relation between the generators: the second after a rotation is r rotations after the second.
std::int64_t relation(const Network& network) {
    if (network.second_order() == 1) return 1 % static_cast<std::int64_t>(network.rotation_order());
    const Router start = network.sources().front(), end = network.moved(network.turned(start));
    std::int64_t turns = 0;
    for (Router router = network.moved(start); router != end; router = network.turned(router)) ++turns;
    return turns;
}

}  // namespace

Lift::Lift(const Network& network)
    : radix_(network.radix()), elements_(network.rotation_order() * network.second_order()),
      orbits_(network.sources().size()), group_(static_cast<std::int64_t>(network.rotation_order()),
                                                static_cast<std::int64_t>(network.second_order()), relation(network)),
      codes_(orbits_ * radix_, kOpen), routers_(network.order()) {
    std::vector<Code> codes(network.order());
    Code next = 0;
    for (Router source : network.sources())
        network.each_image(source, [&](Router image) {
            codes[image] = next;
            routers_[next++] = image;
        });
    for (std::size_t orbit = 0; orbit < orbits_; ++orbit) {
        const Router source = network.sources()[orbit];
        for (Router slot = 0; slot < network.degree(source); ++slot)
            codes_[orbit * radix_ + slot] = codes[network.row(source)[slot]];
    }
}

std::size_t Lift::partner(std::size_t port) const {
    const Code there = codes_[port];
    if (there == kOpen) return port;
    const Code back = code(orbit_of(port), group_.inverse(voltage_of(there)));
    std::size_t found = orbit_of(there) * radix_;
    while (codes_[found] != back) ++found;
    return found;
}

void Lift::set(std::size_t port, Code code) {
    changes_.push_back({port, codes_[port]});
    codes_[port] = code;
}

// Whether no link is double and none a loop; takes the move back where one is.
bool Lift::kept() {
    for (const Change& change : changes_) {
        const Code here = codes_[change.port];
        if (here == kOpen) continue;
        const std::size_t first = orbit_of(change.port) * radix_;
        bool bad = here == code(orbit_of(change.port), 0);
        for (std::size_t port = first; port < first + radix_; ++port)
            bad = bad || (port != change.port && codes_[port] == here);
        if (bad) {
            undo();
            return false;
        }
    }
    return true;
}

void Lift::undo() {
    for (const Change& change : changes_) codes_[change.port] = change.before;
}

bool Lift::shift(std::size_t port, Code voltage, Code involution) {
    changes_.clear();
    const std::size_t orbit = orbit_of(port), back = partner(port);
    if (back == port) {
        if (involution == kOpen || codes_[port] == code(orbit, involution)) return false;
        set(port, code(orbit, involution));
    } else {
        if (voltage_of(codes_[port]) == voltage) return false;
        set(port, code(orbit_of(back), voltage));
        set(back, code(orbit, group_.inverse(voltage)));
    }
    return kept();
}

bool Lift::split(std::size_t port, Code involution, Code other) {
    changes_.clear();
    const std::size_t back = partner(port);
    if (back == port) return false;
    set(port, code(orbit_of(port), involution));
    set(back, code(orbit_of(back), other));
    return kept();
}

bool Lift::exchange(std::size_t port, std::size_t other, Code voltage, Code involution) {
    changes_.clear();
    std::size_t back = partner(port), other_back = partner(other);
    if (port == other || back == other) return false;
    if (back == port && other_back != other) {
        std::swap(port, other);
        std::swap(back, other_back);
    }
    const Code there = codes_[port], other_there = codes_[other];
    set(port, code(orbit_of(other), voltage));
    set(other, code(orbit_of(port), group_.inverse(voltage)));
    if (other_back != other) {
        const Code turns = group_.product(group_.inverse(voltage_of(there)), voltage);
        const Code between = group_.product(turns, voltage_of(other_there));
        set(back, code(orbit_of(other_back), between));
        set(other_back, code(orbit_of(back), group_.inverse(between)));
    } else if (back != port) {
        set(back, involution == kOpen ? kOpen : code(orbit_of(back), involution));
    }
    return kept();
}

void Lift::write_slots(const std::vector<Code>& codes, Router* slots) const {
    std::fill(slots, slots + routers_.size() * radix_, Router{-1});
    const auto elements = static_cast<Code>(elements_);
    for (std::size_t orbit = 0; orbit < orbits_; ++orbit)
        for (Code element = 0; element < elements; ++element) {
            Router* row = slots + std::size_t(routers_[code(orbit, element)]) * radix_;
            for (std::size_t port = orbit * radix_; port < (orbit + 1) * radix_; ++port)
                if (codes[port] != kOpen)
                    *row++ = routers_[code(orbit_of(codes[port]), group_.product(element, voltage_of(codes[port])))];
        }
}

}  // namespace topoctl::link_annealing
