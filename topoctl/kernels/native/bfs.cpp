// Breadth-first search from any number of sources: see bfs/search.hpp.
#include "bfs/search.hpp"
#include "kernels.hpp"

namespace topoctl {
namespace {

// Row unions per level, all blocks together, that are worth another thread: calling one takes a few microseconds.
constexpr std::size_t kUnionsPerThread = 1 << 13;
// Below this order rows of two lines still fit the third-level cache, and a neighbour's index is read half as often;
// but threads share more and smaller blocks better, unless each has so many.
constexpr std::size_t kWideOrder = 32768;
constexpr std::size_t kBlocksPerThread = 4;

template <int Words>
std::vector<std::int64_t> search_blocks(const Links& links, const std::int32_t* sources, std::size_t count,
                                        std::size_t threads, bool symmetric, std::int64_t* sums,
                                        std::int64_t* reached) {
    using Worker = Search<Words>;
    std::vector<std::atomic<std::int32_t>> eccentricities(links.order);
    for (auto& eccentricity : eccentricities)
        eccentricity.store(std::numeric_limits<std::int32_t>::max(), std::memory_order_relaxed);
    const std::size_t blocks = (count + Worker::kWidth - 1) / Worker::kWidth;
    threads = std::min(threads, blocks);
    Ending ending(links.order, blocks);
    std::unique_ptr<Mirror> mirror;
    if (Words == kWide && symmetric && Mirror::pays(links.order, double(links.arcs()) / double(links.order)))
        mirror = std::make_unique<Mirror>(links.order, blocks);
    std::vector<std::unique_ptr<Worker>> workers(threads);
    std::vector<Tally> tallies(threads, Tally{{}, sums, reached});
    parallel_for(blocks, threads, [&](std::size_t worker, std::size_t block, Stop& stop) {
        if (!workers[worker])
            workers[worker] =
                std::make_unique<Worker>(links, eccentricities.data(), symmetric ? &ending : nullptr, mirror.get());
        const std::size_t first = block * Worker::kWidth;
        workers[worker]->run(sources + first, std::min(Worker::kWidth, count - first), block * Worker::kWords,
                             tallies[worker], stop);
    });
    if (!ending.holds()) {
        const std::size_t groups = (count + kWordBits - 1) / kWordBits;
        std::fill_n(sums, groups, 0);
        std::fill_n(reached, groups, 0);
        return search_blocks<Words>(links, sources, count, threads, false, sums, reached);
    }
    Tally all{{}, sums, reached};
    std::vector<Pair> missing;
    for (std::size_t worker = 0; worker < threads; ++worker) {
        const std::vector<std::int64_t>& histogram = tallies[worker].histogram;
        if (all.histogram.size() < histogram.size()) all.histogram.resize(histogram.size());
        for (std::size_t level = 0; level < histogram.size(); ++level) all.histogram[level] += histogram[level];
        if (workers[worker])
            missing.insert(missing.end(), workers[worker]->missing().begin(), workers[worker]->missing().end());
    }
    reach_missing(links, ending.level(), std::move(missing), all);
    return all.histogram;
}

bool are_all_routers(const std::int32_t* sources, std::size_t count, std::size_t order) {
    if (count != order) return false;
    for (std::size_t position = 0; position < count; ++position)
        if (static_cast<std::size_t>(sources[position]) != position) return false;
    return true;
}

nb::tuple bfs(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> sources,
              std::size_t threads) {
    const Links links = links_of(offsets, neighbors);
    const std::size_t groups = (sources.size() + kWordBits - 1) / kWordBits;
    // Workers credit whole blocks, the last of which may end in words without sources: these gain nothing.
    std::vector<std::int64_t> sums(groups), reached(groups);
    const std::size_t unions = (sources.size() + kLineBits - 1) / kLineBits * links.arcs();
    threads = std::min(threads, 1 + unions / kUnionsPerThread);
    const std::size_t wide_blocks = (sources.size() + kWide * kWordBits - 1) / (kWide * kWordBits);
    const bool wide = links.order < kWideOrder && sources.size() > kLineBits &&
                      (threads == 1 || wide_blocks >= kBlocksPerThread * threads);
    const auto search = wide ? search_blocks<kWide> : search_blocks<kNarrow>;
    const bool symmetric = are_all_routers(sources.data(), sources.size(), links.order);
    auto histogram = search(links, sources.data(), sources.size(), threads, symmetric, sums.data(), reached.data());
    const std::size_t levels = histogram.size();
    return nb::make_tuple(to_numpy(std::move(histogram), {levels}), to_numpy(std::move(sums), {groups}),
                          to_numpy(std::move(reached), {groups}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("bfs", &bfs, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("sources"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
