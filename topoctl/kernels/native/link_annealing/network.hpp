// The network that an annealing walker changes: a padded adjacency, and a rotation that maps it onto itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace topoctl::link_annealing {

using Router = std::int32_t;
using Link = std::pair<Router, Router>;

// Every link is kept from both its ends; a move changes whole orbits of links under the rotation, so that the
// rotation stays an automorphism. Slots beyond a router's degree hold the router itself.
class Network {
public:
    // slots: order x radix, -1 behind the last neighbour. rotation: a permutation without fixed points whose
    // `rotation_order`-th power, and no lower one, is the identity on every router.
    Network(std::size_t order, std::size_t radix, std::size_t rotation_order, const Router* slots,
            const Router* rotation)
        : order_(order), radix_(radix), rotation_order_(rotation_order), slots_(slots, slots + order * radix),
          degrees_(order), rotation_(rotation, rotation + order), source_of_(order, -1) {
        std::vector<bool> seen(order);
        for (std::size_t router = 0; router < order; ++router) {
            if (!seen[router]) {
                source_of_[router] = static_cast<Router>(sources_.size());
                sources_.push_back(static_cast<Router>(router));
                for (std::size_t image = router; !seen[image]; image = static_cast<std::size_t>(rotation[image]))
                    seen[image] = true;
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
    bool has_stub(Router router) const { return degrees_[router] < static_cast<Router>(radix_); }

    // The smallest router of every orbit: distances from these are the distances from all.
    const std::vector<Router>& sources() const { return sources_; }
    std::size_t rotation_order() const { return rotation_order_; }
    // Where the rotation brings a router.
    Router turned(Router router) const { return rotation_[router]; }
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
            for (std::size_t turn = 0; turn < rotation_order_; ++turn, router = turned(router)) {
                touched_.push_back(router);
                saved_.push_back(degrees_[router]);
                saved_.insert(saved_.end(), row(router), row(router) + radix_);
            }
    }

    // Removes a link and its images, as far as they are still there.
    void remove(Router a, Router b) {
        for (std::size_t turn = 0; turn < rotation_order_; ++turn, a = turned(a), b = turned(b)) {
            if (turn && !linked(a, b)) continue;
            erase(a, b);
            erase(b, a);
            removed_.emplace_back(a, b);
        }
    }

    // Adds a link and its images, as far as they are not there yet; false where a router has no free slot.
    bool add(Router a, Router b) {
        for (std::size_t turn = 0; turn < rotation_order_; ++turn, a = turned(a), b = turned(b)) {
            if (linked(a, b)) continue;
            if (!has_stub(a) || !has_stub(b)) return false;
            slots_[std::size_t(a) * radix_ + degrees_[a]++] = b;
            slots_[std::size_t(b) * radix_ + degrees_[b]++] = a;
            added_.emplace_back(a, b);
        }
        return true;
    }

    // Puts everything back as it was at begin(), the order of the slots too.
    void undo() {
        const Router* saved = saved_.data();
        for (Router router : touched_) {
            degrees_[router] = *saved++;
            std::copy(saved, saved + radix_, slots_.data() + std::size_t(router) * radix_);
            saved += radix_;
        }
    }

private:
    void erase(Router a, Router b) {
        Router* neighbors = slots_.data() + std::size_t(a) * radix_;
        const Router last = --degrees_[a];
        *std::find(neighbors, neighbors + last, b) = neighbors[last];
        neighbors[last] = a;
    }

    std::size_t order_, radix_, rotation_order_;
    std::vector<Router> slots_, degrees_, rotation_, sources_, source_of_;
    std::vector<Link> removed_, added_;
    std::vector<Router> touched_, saved_;
};

}  // namespace topoctl::link_annealing
