// Two networks matched outward from a few pairs: whoever has most matched neighbours comes next, and goes where most
// of their images are linked. The twin in topoctl.kernels.fallback.matching says the same in Python.
#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

constexpr std::int32_t kNobody = -1;
constexpr std::size_t kTried = 8;  // places that an exchange looks at
constexpr int kLinkWeights[] = {1, 2, 6};  // what a link counts, and one with one or both of its ports the same

struct Side {
    Links links;
    const std::int32_t* labels;  // of every arc, the ports at its tail and at its head
    const std::int32_t* colors;
    const std::int32_t* hosts;  // what the endpoints of every router count
};

// A number that decides between equals, alike on every machine (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// Routers by a key; the highest key first, and of one key the first that came.
class Queue {
public:
    void push(std::size_t key, std::int32_t router) {
        if (lists_.size() <= key) lists_.resize(key + 1);
        lists_[key].routers.push_back(router);
    }

    std::int32_t pop() {
        while (!lists_.empty()) {
            if (List& list = lists_.back(); list.taken < list.routers.size()) return list.routers[list.taken++];
            lists_.pop_back();
        }
        return kNobody;
    }

    void clear() { lists_.clear(); }

private:
    struct List {
        std::vector<std::int32_t> routers;
        std::size_t taken = 0;
    };
    std::vector<List> lists_;
};

class Matcher {
public:
    Matcher(const Side& plan, const Side& found)
        : plan_(plan), found_(found), counts_(found.links.order), known_(plan.links.order), tried_(plan.links.order),
          image_(plan.links.order), taken_(found.links.order) {}

    // Matches from pairs of routers until so many have an image, then mends in so many rounds; returns what agrees.
    std::int64_t run(const std::int32_t* starts, std::size_t pairs, std::int64_t seed, std::int64_t limit,
                     std::int64_t rounds, Stop& stop) {
        seed_ = std::uint64_t(seed), matched_ = 0;
        for (auto* all : {&image_, &taken_, &tried_}) std::fill(all->begin(), all->end(), kNobody);
        std::fill(known_.begin(), known_.end(), 0);
        for (Queue* queue : {&certain_, &likely_, &open_}) queue->clear();
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const std::int32_t here = starts[2 * pair], there = starts[2 * pair + 1];
            if (here >= 0 && there >= 0 && image_[here] < 0 && taken_[there] < 0) put(here, there);
        }
        while (matched_ < limit && !stop && grow()) {
        }
        if (rounds > 0) fill();
        for (std::int64_t round = 0; round < rounds && !stop && mend(stop); ++round) {
        }
        std::int64_t total = 0;
        for (std::size_t router = 0; router < image_.size(); ++router) total += agreed(std::int32_t(router));
        return total;
    }

    const std::vector<std::int32_t>& image() const { return image_; }

private:
    struct Choice {
        std::int32_t there = kNobody, best = 0, second = 0, votes = 0;
    };

    // Takes the next router; false where none is left.
    bool grow() {
        if (const std::int32_t router = certain_.pop(); router >= 0) {
            if (image_[router] >= 0 || tried_[router] == known_[router]) return true;
            tried_[router] = known_[router];
            const Choice choice = choose(router);
            if (choice.there < 0) return true;
            const std::int32_t margin = choice.best - choice.second;
            if (margin >= 2 && choice.votes * 2 > possible_)
                put(router, choice.there);
            else
                (margin > 0 ? likely_ : open_).push(std::size_t(choice.best), router);
            return true;
        }
        std::int32_t router = likely_.pop();
        if (router < 0) router = open_.pop();
        if (router < 0) return false;
        if (image_[router] < 0)
            if (const Choice choice = choose(router); choice.there >= 0) put(router, choice.there);
        return true;
    }

    void put(std::int32_t router, std::int32_t there) {
        image_[router] = there, taken_[there] = router, ++matched_;
        for (std::int32_t arc = plan_.links.offsets[router]; arc < plan_.links.offsets[router + 1]; ++arc) {
            const std::int32_t next = plan_.links.neighbors[arc];
            ++known_[next];
            if (image_[next] < 0) certain_.push(std::size_t(known_[next]), next);
        }
    }

    // What it counts that an arc of the plan is one that was found, its ends exchanged or not.
    int weight(std::size_t arc, std::size_t other, bool exchanged) const {
        const std::int32_t *ours = plan_.labels + 2 * arc, *theirs = found_.labels + 2 * other;
        const int first = ours[0] > 0 && ours[0] == theirs[exchanged],
                  second = ours[1] > 0 && ours[1] == theirs[!exchanged];
        return kLinkWeights[first + second];
    }

    // Counts, for all routers that were found, links to the images of a router's neighbours.
    void tally(std::int32_t router, bool all) {
        touched_.clear(), possible_ = 0;
        const Links &plan = plan_.links, &found = found_.links;
        for (std::int32_t arc = plan.offsets[router]; arc < plan.offsets[router + 1]; ++arc) {
            const std::int32_t from = image_[plan.neighbors[arc]];
            if (from < 0) continue;
            possible_ += kLinkWeights[(plan_.labels[2 * arc] > 0) + (plan_.labels[2 * arc + 1] > 0)];
            for (std::int32_t other = found.offsets[from]; other < found.offsets[from + 1]; ++other) {
                const std::int32_t there = found.neighbors[other];
                if (!all && taken_[there] >= 0) continue;
                if (!counts_[there]) touched_.push_back(there);
                counts_[there] += weight(std::size_t(arc), std::size_t(other), true);
            }
        }
    }

    Choice choose(std::int32_t router) {
        tally(router, false);
        Choice choice;
        std::uint64_t lot = 0;
        for (const std::int32_t there : touched_) {
            const std::int32_t value = 2 * counts_[there] + (plan_.colors[router] == found_.colors[there]);
            const std::uint64_t mine = mixed(seed_ ^ (std::uint64_t(router) << 32 | std::uint32_t(there)));
            if (value > choice.best || (value == choice.best && mine < lot)) {
                choice = {there, value, choice.best, counts_[there]};
                lot = mine;
            } else {
                choice.second = std::max(choice.second, value);
            }
        }
        for (const std::int32_t there : touched_) counts_[there] = 0;
        return choice;
    }

    // Gives the routers without an image those that are left, both by colour and number.
    void fill() {
        const auto routers = without(image_, plan_.colors), left = without(taken_, found_.colors);
        for (std::size_t place = 0; place < std::min(routers.size(), left.size()); ++place)
            assign(routers[place], left[place]);
    }

    static std::vector<std::int32_t> without(const std::vector<std::int32_t>& partner, const std::int32_t* colors) {
        std::vector<std::int32_t> found;
        for (std::size_t router = 0; router < partner.size(); ++router)
            if (partner[router] < 0) found.push_back(std::int32_t(router));
        std::stable_sort(found.begin(), found.end(), [&](auto a, auto b) { return colors[a] < colors[b]; });
        return found;
    }

    // One round of exchanges, each of which lets more agree; false where there was none.
    bool mend(Stop& stop) {
        bool any = false;
        std::vector<std::pair<std::int32_t, std::int32_t>> places;
        for (std::size_t place = 0; place < image_.size() && !stop; ++place) {
            const auto router = std::int32_t(place);
            if (all_agree(router)) continue;
            tally(router, true);
            const std::int32_t now = image_[router] < 0 ? 0 : counts_[image_[router]];
            places.clear();
            for (const std::int32_t there : touched_) {
                if (counts_[there] >= now && there != image_[router]) places.emplace_back(-counts_[there], there);
                counts_[there] = 0;
            }
            const std::size_t tried = std::min(places.size(), kTried);
            std::partial_sort(places.begin(), places.begin() + std::ptrdiff_t(tried), places.end());
            places.resize(tried);
            for (const auto& [_, there] : places) {
                const std::int32_t before = image_[router], other = taken_[there];
                const std::int64_t was = agreed(router) + agreed(other);
                assign(router, there), assign(other, before);
                if (agreed(router) + agreed(other) > was) {
                    any = true;
                    break;
                }
                assign(other, there), assign(router, before);
            }
        }
        return any;
    }

    // Whether all links of a router to those that have an image are where the images are linked, with their ports.
    bool all_agree(std::int32_t router) const {
        std::int64_t possible = 0;
        for (std::int32_t arc = plan_.links.offsets[router]; arc < plan_.links.offsets[router + 1]; ++arc)
            if (image_[plan_.links.neighbors[arc]] >= 0)
                possible += kLinkWeights[(plan_.labels[2 * arc] > 0) + (plan_.labels[2 * arc + 1] > 0)];
        return agreed_links(router) == possible;
    }

    // Either may be nobody.
    void assign(std::int32_t router, std::int32_t there) {
        if (router >= 0) image_[router] = there;
        if (there >= 0) taken_[there] = router;
    }

    // What agrees of a router: its links, and endpoints that both have.
    std::int64_t agreed(std::int32_t router) const {
        if (router < 0 || image_[router] < 0) return 0;
        return agreed_links(router) + std::min(plan_.hosts[router], found_.hosts[image_[router]]);
    }

    // The links of a router that are where its image has them, with their ports.
    std::int64_t agreed_links(std::int32_t router) const {
        if (image_[router] < 0) return 0;
        const Links &plan = plan_.links, &found = found_.links;
        const std::int32_t* begin = found.neighbors + found.offsets[image_[router]];
        const std::int32_t* end = found.neighbors + found.offsets[image_[router] + 1];
        std::int64_t sum = 0;
        for (std::int32_t arc = plan.offsets[router]; arc < plan.offsets[router + 1]; ++arc) {
            const std::int32_t there = image_[plan.neighbors[arc]];
            if (there < 0) continue;
            const std::int32_t* place = std::lower_bound(begin, end, there);
            if (place != end && *place == there)
                sum += weight(std::size_t(arc), std::size_t(place - found.neighbors), false);
        }
        return sum;
    }

    Side plan_, found_;
    std::vector<std::int32_t> counts_, known_, tried_, image_, taken_, touched_;
    Queue certain_, likely_, open_;
    std::uint64_t seed_ = 0;
    std::int64_t matched_ = 0;
    std::int32_t possible_ = 0;
};

nb::tuple match_outward(Array<std::int32_t> plan_offsets, Array<std::int32_t> plan_neighbors,
                        Table<std::int32_t> plan_ports, Array<std::int32_t> plan_colors, Array<std::int32_t> plan_hosts,
                        Array<std::int32_t> found_offsets, Array<std::int32_t> found_neighbors,
                        Table<std::int32_t> found_ports, Array<std::int32_t> found_colors,
                        Array<std::int32_t> found_hosts, Cube<std::int32_t> starts, Array<std::int64_t> seeds,
                        std::int64_t limit, std::int64_t rounds, std::size_t threads) {
    const Side plan{links_of(plan_offsets, plan_neighbors), plan_ports.data(), plan_colors.data(), plan_hosts.data()};
    const Side found{links_of(found_offsets, found_neighbors), found_ports.data(), found_colors.data(),
                     found_hosts.data()};
    const std::size_t rows = starts.shape(0), pairs = starts.shape(1), order = plan.links.order;
    std::vector<std::int32_t> images(rows * order);
    std::vector<std::int64_t> totals(rows);
    std::vector<std::unique_ptr<Matcher>> workers(threads);
    parallel_for(rows, threads, [&](std::size_t worker, std::size_t row, Stop& stop) {
        auto& matcher = workers[worker];
        if (!matcher) matcher = std::make_unique<Matcher>(plan, found);
        totals[row] = matcher->run(starts.data() + row * pairs * 2, pairs, seeds.data()[row], limit, rounds, stop);
        std::copy(matcher->image().begin(), matcher->image().end(), images.begin() + std::ptrdiff_t(row * order));
    });
    return nb::make_tuple(to_numpy(std::move(images), {rows, order}), to_numpy(std::move(totals), {rows}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("match_outward", &match_outward, nb::arg("plan_offsets"), nb::arg("plan_neighbors"),
               nb::arg("plan_ports"), nb::arg("plan_colors"), nb::arg("plan_hosts"), nb::arg("found_offsets"),
               nb::arg("found_neighbors"), nb::arg("found_ports"), nb::arg("found_colors"), nb::arg("found_hosts"),
               nb::arg("starts"), nb::arg("seeds"), nb::arg("limit"), nb::arg("rounds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
