// Least latencies over weighted links, from any number of sources.
#include <limits>

#include "bucket_queue.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

constexpr std::int64_t kUnreachable = std::numeric_limits<std::int64_t>::max();

struct WeightedLinks {
    const std::int32_t *offsets, *neighbors, *weights;

    template <class Visit>
    void operator()(std::int32_t router, Visit visit) const {
        for (std::int32_t arc = offsets[router]; arc < offsets[router + 1]; ++arc) visit(neighbors[arc], weights[arc]);
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
        search_by_latency(links_, source, latencies_.size(), kUnreachable, queue_, latencies_.data());
        return latencies_;
    }

    // Breadth first: when a router's turn comes, all routers one hop nearer have had theirs.
    const std::vector<std::int64_t>& fewest_hops(std::int32_t source) {
        std::fill(latencies_.begin(), latencies_.end(), kUnreachable);
        latencies_[source] = hops_[source] = 0;
        found_.assign(1, source);
        for (std::size_t position = 0; position < found_.size(); ++position) {
            const std::int32_t router = found_[position];
            links_(router, [&](std::int32_t neighbor, std::int64_t weight) {
                const std::int64_t latency = latencies_[router] + weight;
                if (latencies_[neighbor] == kUnreachable) {
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

nb::tuple latency(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> weights,
                  Array<std::int32_t> sources, std::int64_t limit, bool fewest_hops, std::size_t threads) {
    const WeightedLinks links{offsets.data(), neighbors.data(), weights.data()};
    const std::size_t order = offsets.size() - 1, count = sources.size();
    const std::int32_t* end = weights.data() + weights.size();
    const std::int32_t heaviest = weights.size() ? *std::max_element(weights.data(), end) : 1;
    std::vector<std::int64_t> sums(count), maxima(count), reached(count), beyond(count);
    threads = std::min(threads, 1 + count * (order + weights.size()) / kArcsPerThread);
    std::vector<std::unique_ptr<LatencySearch>> workers(threads);
    parallel_for(count, threads, [&](std::size_t worker, std::size_t item, Stop&) {
        auto& search = workers[worker];
        if (!search) search = std::make_unique<LatencySearch>(links, order, static_cast<std::size_t>(heaviest));
        const std::int32_t source = sources.data()[item];
        for (const std::int64_t latency : fewest_hops ? search->fewest_hops(source) : search->least(source)) {
            if (latency == kUnreachable) continue;
            sums[item] += latency;
            maxima[item] = std::max(maxima[item], latency);
            reached[item] += 1;
            beyond[item] += latency > limit;
        }
    });
    return nb::make_tuple(to_numpy(std::move(sums), {count}), to_numpy(std::move(maxima), {count}),
                          to_numpy(std::move(reached), {count}), to_numpy(std::move(beyond), {count}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("latency", &latency, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("weights"), nb::arg("sources"),
               nb::arg("limit"), nb::arg("fewest_hops"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
