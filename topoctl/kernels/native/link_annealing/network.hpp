// The network that an annealing walker changes: a padded adjacency, and a group that maps it onto itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace topoctl::link_annealing {

using Router = std::int32_t;
using Link = std::pair<Router, Router>;

// What hangs from the routers; documented in topoctl.kernels.link_annealing.Hosts.
struct Hosts {
    const Router* counts = nullptr;  // null where all ports are for links
    Router ports = 0;
};

// Every link is kept from both its ends; a move changes whole orbits of links under the group, so that its
// elements stay automorphisms. Slots beyond a router's degree hold the router itself.
class Network {
public:
    // slots: order x radix, -1 behind the last neighbour. generators: two permutations, one after the other, of
    // the given orders. The elements of the group are the powers of the first after those of the second, each
    // once, and none but the identity leaves a router in its place. Routers of an orbit have as many hosts.
    Network(std::size_t order, std::size_t radix, std::size_t rotation_order, std::size_t second_order,
            const Router* slots, const Router* generators, const Hosts& hosts = {})
        : order_(order), radix_(radix), rotation_order_(rotation_order), second_order_(second_order),
          slots_(slots, slots + order * radix), degrees_(order), rotation_(generators, generators + order),
          second_(generators + order, generators + 2 * order), source_of_(order, -1), ports_(hosts.ports) {
        if (hosts.counts) hosts_.assign(hosts.counts, hosts.counts + order);
        std::vector<bool> seen(order);
        for (std::size_t router = 0; router < order; ++router) {
            if (!seen[router]) {
                source_of_[router] = static_cast<Router>(sources_.size());
                sources_.push_back(static_cast<Router>(router));
                each_image(static_cast<Router>(router), [&](Router image) { seen[image] = true; });
            }
            Router* row = slots_.data() + router * radix;
            while (degrees_[router] < static_cast<Router>(radix) && row[degrees_[router]] >= 0) ++degrees_[router];
            std::fill(row + degrees_[router], row + radix, static_cast<Router>(router));
        }
    }

    std::size_t order() const { return order_; }
    std::size_t radix() const { return radix_; }
    const Router* row(Router router) const { return slots_.data() + std::size_t(router) * radix_; }
    const std::vector<Router>& slots() const { return slots_; }
    Router degree(Router router) const { return degrees_[router]; }
    const std::vector<Router>& degrees() const { return degrees_; }
    bool has_stub(Router router) const {
        return degrees_[router] < static_cast<Router>(radix_) && (hosts_.empty() || is_open(router));
    }

    // The hosts of every router; empty where all ports are for links.
    const std::vector<Router>& hosts() const { return hosts_; }
    // What a router counts in distances: its hosts, or 1.
    std::int64_t weight(Router router) const { return hosts_.empty() ? 1 : hosts_[router]; }
    // Whether a router with hosts has a port for one more.
    bool is_open(Router router) const { return degrees_[router] + hosts_[router] < ports_; }
    // Whether it has ports for its links and hosts.
    bool fits(Router router) const { return degrees_[router] + hosts_[router] <= ports_; }
    // The routers that a move since begin() may have changed; some more than once.
    const std::vector<Router>& touched() const { return touched_; }

    // The smallest router of every orbit: distances from these are the distances from all.
    const std::vector<Router>& sources() const { return sources_; }
    std::size_t rotation_order() const { return rotation_order_; }
    std::size_t second_order() const { return second_order_; }
    // Where the first of the generators brings a router, and where the second does.
    Router turned(Router router) const { return rotation_[router]; }
    Router moved(Router router) const { return second_[router]; }
    // Calls visit(image) for every element of the group, the identity first: the powers of the first generator,
    // then these after the second one, and so on.
    template <class Visit>
    void each_image(Router router, Visit visit) const {
        for (std::size_t layer = 0; layer < second_order_; ++layer, router = moved(router))
            for (std::size_t turn = 0; turn < rotation_order_; ++turn, router = turned(router)) visit(router);
    }
    // A router's position among the sources, or -1.
    Router source_of(Router router) const { return source_of_[router]; }

    bool linked(Router a, Router b) const {
        const Router* neighbors = row(a);
        for (std::size_t slot = 0; slot < radix_; ++slot)
            if (neighbors[slot] == b) return true;
        return false;
    }

    // What the changes since begin() took away and brought, every link once.
    const std::vector<Link>& removed() const { return removed_; }
    const std::vector<Link>& added() const { return added_; }

    // Starts a move that touches no routers but those of the orbits of the given ones.
    void begin(std::initializer_list<Router> routers) {
        removed_.clear();
        added_.clear();
        touched_.clear();
        saved_.clear();
        for (Router router : routers)
            each_image(router, [this](Router image) {
                touched_.push_back(image);
                saved_.push_back(degrees_[image]);
                if (!hosts_.empty()) saved_.push_back(hosts_[image]);
                saved_.insert(saved_.end(), row(image), row(image) + radix_);
            });
    }

    // Removes a link and its images, as far as they are still there.
    void remove(Router a, Router b) {
        each_pair(a, b, [this](Router x, Router y) {
            if (linked(x, y)) {
                erase(x, y);
                erase(y, x);
                removed_.emplace_back(x, y);
            }
            return true;
        });
    }

    // Adds a link and its images, as far as they are not there yet; false where a router has no free slot.
    bool add(Router a, Router b) {
        return each_pair(a, b, [this](Router x, Router y) {
            if (linked(x, y)) return true;
            if (!has_stub(x) || !has_stub(y)) return false;
            slots_[std::size_t(x) * radix_ + degrees_[x]++] = y;
            slots_[std::size_t(y) * radix_ + degrees_[y]++] = x;
            added_.emplace_back(x, y);
            return true;
        });
    }

    // Moves a host of a router that has some to another, and so in all images. The ports are not looked at.
    void move_host(Router from, Router to) {
        each_pair(from, to, [this](Router x, Router y) {
            --hosts_[x];
            ++hosts_[y];
            return true;
        });
    }

    // Puts everything back as it was at begin(), the order of the slots too.
    void undo() {
        const Router* saved = saved_.data();
        for (Router router : touched_) {
            degrees_[router] = *saved++;
            if (!hosts_.empty()) hosts_[router] = *saved++;
            std::copy(saved, saved + radix_, slots_.data() + std::size_t(router) * radix_);
            saved += radix_;
        }
    }

private:
    // Calls visit(image of a, image of b) for every element of the group as long as it says true.
    template <class Visit>
    bool each_pair(Router a, Router b, Visit visit) const {
        for (std::size_t layer = 0; layer < second_order_; ++layer, a = moved(a), b = moved(b))
            for (std::size_t turn = 0; turn < rotation_order_; ++turn, a = turned(a), b = turned(b))
                if (!visit(a, b)) return false;
        return true;
    }

    void erase(Router a, Router b) {
        Router* neighbors = slots_.data() + std::size_t(a) * radix_;
        const Router last = --degrees_[a];
        *std::find(neighbors, neighbors + last, b) = neighbors[last];
        neighbors[last] = a;
    }

    std::size_t order_, radix_, rotation_order_, second_order_;
    std::vector<Router> slots_, degrees_, rotation_, second_, sources_, source_of_;
    std::vector<Link> removed_, added_;
    std::vector<Router> touched_, saved_, hosts_;
    Router ports_;
};

}  // namespace topoctl::link_annealing
