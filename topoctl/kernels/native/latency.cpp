// Least latencies over weighted links: from any number of sources, and after changes of links.
#include "latency.hpp"

#include <limits>

#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

constexpr std::int64_t unreachable = std::numeric_limits<std::int64_t>::max();
// Searches that are worth another thread: starting one takes about as long as visiting so many arcs.
constexpr std::size_t arcs_per_thread = 1 << 15;

struct WeightedLinks {
    const std::int32_t *offsets, *neighbors, *weights;

    template <class Visit>
    void operator()(std::int32_t router, Visit visit) const {
        for (std::int32_t arc = offsets[router]; arc < offsets[router + 1]; ++arc)
            visit(neighbors[arc], weights[arc]);
    }
};

// One worker's searches; its memory serves source after source.
class LatencySearch {
public:
    LatencySearch(const WeightedLinks& links, std::size_t order, std::size_t heaviest)
        : links_(links), queue_(heaviest), latencies_(order), hops_(order) {
        found_.reserve(order);
    }

    const std::vector<std::int64_t>& least(std::int32_t source) {
        search_by_latency(links_, source, latencies_.size(), unreachable, queue_, latencies_.data());
        return latencies_;
    }

    // Breadth first: when a router's turn comes, all routers one hop nearer have had theirs.
    const std::vector<std::int64_t>& fewest_hops(std::int32_t source) {
        std::fill(latencies_.begin(), latencies_.end(), unreachable);
        latencies_[source] = hops_[source] = 0;
        found_.assign(1, source);
        for (std::size_t position = 0; position < found_.size(); ++position) {
            const std::int32_t router = found_[position];
            links_(router, [&](std::int32_t neighbor, std::int64_t weight) {
                const std::int64_t latency = latencies_[router] + weight;
                if (latencies_[neighbor] == unreachable) {
                    found_.push_back(neighbor);
                    hops_[neighbor] = hops_[router] + 1;
                    latencies_[neighbor] = latency;
                } else if (hops_[neighbor] == hops_[router] + 1) {
                    latencies_[neighbor] = std::min(latencies_[neighbor], latency);
                }
            });
        }
        return latencies_;
    }

private:
    WeightedLinks links_;
    BucketQueue queue_;
    std::vector<std::int64_t> latencies_;
    std::vector<std::int32_t> hops_, found_;
};

nb::tuple latency(Vector<std::int32_t> offsets, Vector<std::int32_t> neighbors, Vector<std::int32_t> weights,
                  Vector<std::int32_t> sources, std::int64_t limit, bool fewest_hops, std::size_t threads) {
    const WeightedLinks links{offsets.data(), neighbors.data(), weights.data()};
    const std::size_t order = offsets.size() - 1, count = sources.size();
    const std::int32_t* end = weights.data() + weights.size();
    const std::int32_t heaviest = weights.size() ? *std::max_element(weights.data(), end) : 1;
    std::vector<std::int64_t> sums(count), maxima(count), reached(count), beyond(count);
    threads = std::min(threads, 1 + count * (order + weights.size()) / arcs_per_thread);
    std::vector<std::unique_ptr<LatencySearch>> workers(threads);
    parallel_for(count, threads, [&](std::size_t worker, std::size_t item, Stop&) {
        auto& search = workers[worker];
        if (!search) search = std::make_unique<LatencySearch>(links, order, static_cast<std::size_t>(heaviest));
        const std::int32_t source = sources.data()[item];
        for (const std::int64_t latency : fewest_hops ? search->fewest_hops(source) : search->least(source)) {
            if (latency == unreachable) continue;
            sums[item] += latency;
            maxima[item] = std::max(maxima[item], latency);
            reached[item] += 1;
            beyond[item] += latency > limit;
        }
    });
    return nb::make_tuple(to_numpy(std::move(sums), {count}), to_numpy(std::move(maxima), {count}),
                          to_numpy(std::move(reached), {count}), to_numpy(std::move(beyond), {count}));
}

// The neighbours of every router in a fixed number of slots.
class Slots {
public:
    Slots(const std::int32_t* routers, std::size_t order, std::size_t width)
        : routers_(routers, routers + order * width), width_(width) {}

    const std::int32_t* data() const { return routers_.data(); }

    // Links a-b and c-d become a-c and b-d.
    void exchange(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
        *slot(a, b) = c;
        *slot(b, a) = d;
        *slot(c, d) = a;
        *slot(d, c) = b;
    }

    bool has(const Link& link) const {
        const std::int32_t* first = data() + static_cast<std::size_t>(link.first) * width_;
        return std::find(first, first + width_, link.second) != first + width_;
    }

private:
    // Where a router holds a neighbour that it has.
    std::int32_t* slot(std::int32_t router, std::int32_t neighbor) {
        std::int32_t* first = routers_.data() + static_cast<std::size_t>(router) * width_;
        return std::find(first, first + width_, neighbor);
    }

    std::vector<std::int32_t> routers_;
    std::size_t width_;
};

nb::ndarray<nb::numpy, std::int64_t> latency_after_moves(
    Matrix<std::int32_t> slots, Matrix<std::int32_t> places, std::uint32_t p_step, std::uint32_t q_step,
    std::uint32_t constant, Vector<std::int32_t> sources, Vector<std::int64_t> counts,
    nb::ndarray<const std::int32_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> moves, Vector<bool> kept,
    std::int64_t limit) {
    const std::size_t order = slots.shape(0), width = slots.shape(1);
    const std::size_t steps = moves.shape(0), exchanges = moves.shape(1);
    std::vector<std::int64_t> scores;
    const auto list = [&](const LatencyScore& score) {
        for (std::int64_t value : {score.sum, score.maximum, score.beyond, score.unconnected}) scores.push_back(value);
    };
    parallel_for(1, 1, [&](std::size_t, std::size_t, Stop& stop) {
        Slots current(slots.data(), order, width);
        LatencyMatrix<FloorWeight> matrix(order, width, {sources.data(), sources.data() + sources.size()},
                                          {counts.data(), counts.data() + counts.size()},
                                          {places.data(), p_step, q_step, constant}, limit);
        list(matrix.reset(current.data()));
        for (std::size_t step = 0; step < steps && !stop; ++step) {
            const Slots before = current;
            std::vector<Link> removed, added;
            for (std::size_t exchange = 0; exchange < exchanges; ++exchange) {
                const std::int32_t* ends = moves.data() + (step * exchanges + exchange) * 4;
                current.exchange(ends[0], ends[1], ends[2], ends[3]);
                removed.insert(removed.end(), {{ends[0], ends[1]}, {ends[2], ends[3]}});
                added.insert(added.end(), {{ends[0], ends[2]}, {ends[1], ends[3]}});
            }
            const auto undone = [&](const Link& link) { return !current.has(link); };  // by a later exchange
            added.erase(std::remove_if(added.begin(), added.end(), undone), added.end());
            list(matrix.propose(current.data(), removed, added));
            if (kept.data()[step]) {
                matrix.accept();
            } else {
                matrix.reject();
                current = before;
            }
        }
    });
    return to_numpy(std::move(scores), {steps + 1, 4});
}

}  // namespace

void bind_latency(nb::module_& module) {
    module.def("latency", &latency, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("weights"), nb::arg("sources"),
               nb::arg("limit"), nb::arg("fewest_hops"), nb::arg("threads"));
    module.def("latency_after_moves", &latency_after_moves, nb::arg("slots"), nb::arg("places"),
               nb::arg("p_step"), nb::arg("q_step"), nb::arg("constant"), nb::arg("sources"), nb::arg("counts"),
               nb::arg("moves"), nb::arg("kept"), nb::arg("limit"));
}

}  // namespace topoctl
