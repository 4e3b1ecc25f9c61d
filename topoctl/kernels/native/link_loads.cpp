// What every link carries when all endpoints send to all others alike, by shortest paths: see link_loads/passes.hpp.
#include "link_loads/passes.hpp"

#include <cmath>

#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

// More than any count has that a double holds.
constexpr int kInfiniteBits = 1025;

// One worker's searches; its memory serves block after block.
class LoadSearch {
public:
    explicit LoadSearch(const Routers& routers)
        : loads(2 * routers.arcs()), routers_(routers), storage_((3 + 2 + 2) * routers.order * kLanes),
          marks_(routers.order) {
        auto* words = reinterpret_cast<double*>(storage_.get());
        const std::size_t size = routers.order * kLanes;
        rows_ = {words, reinterpret_cast<std::int64_t*>(words + size), words + 2 * size, words + 3 * size,
                 words + 5 * size};
    }

    void run(const std::int32_t* sources, std::size_t count, Roots& roots, Stop& stop) {
        begin(sources, count, roots);
        while (starts_.back() < found_.size() && !stop) reach(roots, stop);
        for (std::size_t level = starts_.size() - 1; level-- && !stop;) take(level, roots, stop);
    }

    std::vector<std::uint64_t> loads;  // two an arc

private:
    void begin(const std::int32_t* sources, std::size_t count, Roots& roots) {
        const std::size_t size = routers_.order * kLanes;
        std::fill_n(rows_.paths, size, 0.0);
        std::fill_n(rows_.levels, size, -1);
        std::fill_n(rows_.next_hops, size, 0.0);
        std::fill_n(rows_.shares, 2 * size, 0.0);
        // Lanes without a root count as reached everywhere, and nothing is on a level of theirs.
        for (std::size_t lane = count; lane < kLanes; ++lane)
            for (std::size_t router = 0; router < routers_.order; ++router) rows_.paths[router * kLanes + lane] = 1;
        found_.clear();
        roots.most_paths = 1;
        for (std::size_t lane = 0; lane < count; ++lane) {
            const std::size_t place = std::size_t(sources[lane]) * kLanes + lane;
            rows_.paths[place] = 1;
            rows_.levels[place] = 0;
            roots.reached[lane] = 1;
            if (std::find(sources, sources + lane, sources[lane]) == sources + lane) found_.push_back(sources[lane]);
        }
        starts_.assign(1, 0);
    }

    // Reaches the next level, from the routers that were found last.
    void reach(Roots& roots, Stop& stop) {
        list_neighbors(starts_.back());
        starts_.push_back(found_.size());
        const auto level = static_cast<std::int64_t>(starts_.size() - 1);
        for (std::size_t first = 0; first < visited_.size() && !stop; first += kSlice) {
            const std::size_t count = std::min(kSlice, visited_.size() - first);
            count_paths({routers_, rows_, &roots, level, visited_.data() + first, count, &found_, starts_.back()});
        }
        const double* pending = rows_.pending;
        for (std::size_t place = starts_.back(); place < found_.size(); ++place) {
            double* row = rows_.paths + std::size_t(found_[place]) * kLanes;
            for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] += *pending++;
        }
    }

    // Routers that may be on the next level: the neighbours of those on the last, or all where these have many.
    void list_neighbors(std::size_t first) {
        std::size_t arcs = 0;
        for (std::size_t place = first; place < found_.size(); ++place) arcs += routers_.degree(found_[place]);
        visited_.clear();
        if (arcs >= routers_.order) {
            for (std::size_t router = 0; router < routers_.order; ++router)
                visited_.push_back(static_cast<std::int32_t>(router));
            return;
        }
        ++mark_;
        for (std::size_t place = first; place < found_.size(); ++place) {
            for (std::int32_t arc = routers_.offsets[found_[place]]; arc < routers_.offsets[found_[place] + 1]; ++arc) {
                const std::int32_t neighbor = routers_.neighbors[arc];
                if (marks_[neighbor] == mark_) continue;
                marks_[neighbor] = mark_;
                visited_.push_back(neighbor);
            }
        }
    }

    // Takes the traffic of the level beyond.
    void take(std::size_t level, const Roots& roots, Stop& stop) {
        const std::size_t begin = starts_[level], end = starts_[level + 1];
        const bool last = level + 2 == starts_.size();
        for (std::size_t first = begin; first < end && !stop; first += kSlice) {
            double* pending = rows_.pending + (first - begin) * 2 * kLanes;
            carry({routers_, rows_, &roots, static_cast<std::int64_t>(level), found_.data() + first,
                   std::min(kSlice, end - first), last, loads.data(), pending});
        }
        if (!level) return;
        const double* pending = rows_.pending;
        for (std::size_t place = begin; place < end; ++place) {
            double* shares = rows_.shares + std::size_t(found_[place]) * 2 * kLanes;
            for (std::size_t lane = 0; lane < 2 * kLanes; ++lane) shares[lane] += *pending++;
        }
    }

    Routers routers_;
    LineWords storage_;
    Rows rows_;
    std::vector<std::uint32_t> marks_;
    std::uint32_t mark_ = 0;
    std::vector<std::int32_t> found_, visited_;  // by level, from starts_ on
    std::vector<std::size_t> starts_;
};

// Of a count; of infinity, more than any other has.
std::int64_t bits_of(double count) {
    int exponent = kInfiniteBits;
    if (std::isfinite(count)) std::frexp(count, &exponent);
    return exponent;
}

nb::tuple link_loads(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> endpoints,
                     Array<std::int32_t> roots, Array<double> weights, std::size_t threads) {
    const Routers routers{links_of(offsets, neighbors), endpoints.data()};
    const std::size_t count = roots.size(), arcs = routers.arcs(), blocks = (count + kLanes - 1) / kLanes;
    std::vector<std::int64_t> reached(count), hops(count);
    threads = std::min(threads, 1 + blocks * (routers.order + arcs) / kArcsPerThread);
    std::vector<std::unique_ptr<LoadSearch>> workers(threads);
    std::vector<double> most_paths(threads);
    parallel_for(blocks, threads, [&](std::size_t worker, std::size_t block, Stop& stop) {
        auto& search = workers[worker];
        if (!search) search = std::make_unique<LoadSearch>(routers);
        const std::size_t first = block * kLanes, lanes = std::min(kLanes, count - first);
        Roots found{};
        std::copy_n(weights.data() + first, lanes, found.weights);
        search->run(roots.data() + first, lanes, found, stop);
        std::copy_n(found.reached, lanes, reached.data() + first);
        std::copy_n(found.hops, lanes, hops.data() + first);
        most_paths[worker] = std::max(most_paths[worker], found.most_paths);
    });
    std::vector<std::int64_t> from_paths(arcs), from_next_hops(arcs);
    for (const auto& search : workers) {
        if (!search) continue;
        for (std::size_t arc = 0; arc < arcs; ++arc) {
            from_paths[arc] += static_cast<std::int64_t>(search->loads[2 * arc]);
            from_next_hops[arc] += static_cast<std::int64_t>(search->loads[2 * arc + 1]);
        }
    }
    return nb::make_tuple(to_numpy(std::move(from_paths), {arcs}), to_numpy(std::move(from_next_hops), {arcs}),
                          to_numpy(std::move(reached), {count}), to_numpy(std::move(hops), {count}),
                          bits_of(*std::max_element(most_paths.begin(), most_paths.end())));
}

const Kernel kernel([](nb::module_& module) {
    module.def("link_loads", &link_loads, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("endpoints"),
               nb::arg("roots"), nb::arg("weights"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
