// Breadth-first search from many sources at once (Then et al., PVLDB 8(4), 2014): sparse levels are pushed from a
// list of the pairs reached last, dense levels pull whole rows (the direction switch of Beamer et al., SC12).
#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel.hpp"
#include "rows.hpp"

namespace topoctl {
namespace {

// Below this order rows of two registers still fit the cache, and a neighbour's index is read half as often; and
// so does a strip of rows that the first level is set in.
constexpr std::size_t wide_order = 4096;
// The cost of pushing one pair, in row unions of a pull.
constexpr std::size_t push_cost = 4;
// Row unions per level, all blocks together, that are worth another thread: starting one takes that long.
constexpr std::size_t unions_per_thread = 1 << 15;

TOPOCTL_VERSIONS(void, pull_narrow, pull_rows, (Level<1> & level), (level))
TOPOCTL_VERSIONS(void, pull_wide, pull_rows, (Level<2> & level), (level))
TOPOCTL_VERSIONS(void, lay_narrow, lay_rows, (Strips<1> & strips), (strips))
TOPOCTL_VERSIONS(void, lay_wide, lay_rows, (Strips<2> & strips), (strips))
void pull(Level<1>& level) { pull_narrow(level); }
void pull(Level<2>& level) { pull_wide(level); }
void lay(Strips<1>& strips) { lay_narrow(strips); }
void lay(Strips<2>& strips) { lay_wide(strips); }

// What the search finds: ordered (source, router) pairs by distance, and sums per word of sources.
struct Tally {
    std::vector<std::int64_t> histogram;
    std::int64_t* sums;
    std::int64_t* reached;
};

struct Pair {
    std::int32_t router;
    std::int32_t source;  // position in the block
};

// One worker's search; its memory, allocated once, serves block after block.
template <int Registers>
class Search {
public:
    static constexpr std::size_t words = Registers * register_words;
    static constexpr std::size_t width = words * word_bits;

    Search(const Links& links, std::atomic<std::int32_t>* eccentricities)
        : links_(links),
          mean_degree_(double(links.arcs()) / double(links.order)),
          eccentricities_(eccentricities),
          storage_(new std::uint64_t[2 * links.order * words + register_words]) {
        const auto address = reinterpret_cast<std::uintptr_t>(storage_.get()) / sizeof(std::uint64_t);
        current_ = storage_.get() + (register_words - address % register_words);
        next_ = current_ + links.order * words;
    }

    void run(const std::int32_t* sources, std::size_t count, std::size_t first_word, Tally& tally, Stop& stop) {
        const std::size_t pairs = links_.order * count, arcs = links_.arcs();
        const std::size_t sparse = std::min(arcs / push_cost, 4 * links_.order);
        begin(sources, count);
        std::size_t unreached = pairs - credit(0, first_word, tally);
        std::int32_t level = 1;
        if (links_.order >= wide_order || double(work_) * mean_degree_ <= double(sparse)) {
            list(sources, count);
        } else {  // the second level is dense, and a strip so small that this is faster than to push
            lay_first_level(sources, count);
            unreached -= credit(level++, first_word, tally);
        }
        for (; unreached && !stop; ++level) {
            std::fill_n(gains_, words, 0);
            // The first level is pushed whatever the degree, but need not be listed where the second is dense.
            if (listed_ && work_ <= (level == 1 ? arcs : sparse)) {
                if (double(work_) * mean_degree_ <= double(sparse))
                    push<true>();
                else
                    push<false>();
            } else {
                pull_level(level, 1 - double(unreached) / double(pairs), sources, count);
            }
            const std::size_t gained = credit(level, first_word, tally);
            if (!gained) break;
            unreached -= gained;
        }
    }

private:
    // Level 0: every source has reached itself.
    void begin(const std::int32_t* sources, std::size_t count) {
        listed_ = pulling_ = false;
        work_ = 0;
        for (std::size_t position = 0; position < count; ++position) work_ += links_.degree(sources[position]);
        for (std::size_t word = 0; word < words; ++word) {
            gains_[word] = std::min(word_bits, count - std::min(count, word * word_bits));
            // Bits beyond the last source count as reached from the start.
            unused_[word] = gains_[word] == word_bits ? 0 : ~std::uint64_t{0} << gains_[word];
        }
    }

    // Sets and lists the pairs of level 0.
    void list(const std::int32_t* sources, std::size_t count) {
        listed_ = true;
        for (std::size_t router = 0; router < links_.order; ++router)
            std::copy_n(unused_, words, current_ + router * words);
        reached_last_.resize(count);
        for (std::size_t position = 0; position < count; ++position) {
            const std::int32_t source = sources[position];
            current_[std::size_t(source) * words + position / word_bits] |= bit_of(position);
            reached_last_[position] = {source, static_cast<std::int32_t>(position)};
        }
    }

    // Sets the pairs of levels 0 and 1 at once, strip by strip: one stays in the first-level cache.
    void lay_first_level(const std::int32_t* sources, std::size_t count) {
        for (std::size_t word = 0; word < words; word += strip_words) {
            std::uint64_t* strip = next_ + word * links_.order;
            for (std::size_t router = 0; router < links_.order; ++router)
                std::copy_n(unused_ + word, strip_words, strip + router * strip_words);
            const std::size_t end = std::min(count, (word + strip_words) * word_bits);
            for (std::size_t position = word * word_bits; position < end; ++position) {
                const std::int32_t source = sources[position];
                std::uint64_t* column = strip + position / word_bits % strip_words;
                const std::uint64_t bit = bit_of(position);
                column[std::size_t(source) * strip_words] |= bit;
                for (std::int32_t arc = links_.offsets[source]; arc < links_.offsets[source + 1]; ++arc)
                    column[std::size_t(links_.neighbors[arc]) * strip_words] |= bit;
            }
        }
        std::uint64_t set[words];
        Strips<Registers> strips{links_.order, next_, current_, set};
        lay(strips);
        for (std::size_t word = 0; word < words; ++word) {
            const auto unused = static_cast<std::size_t>(__builtin_popcountll(unused_[word]));
            gains_[word] = set[word] - unused * links_.order - (word_bits - unused);
        }
    }

    // Sets the bits of all neighbours of the pairs reached last, in place; with List it lists the new pairs.
    template <bool List>
    void push() {
        if (List && reached_next_.size() <= work_) reached_next_.resize(work_ + 1);
        Pair* next = reached_next_.data();
        std::size_t listed = 0, work = 0;
        for (const Pair& pair : reached_last_) {
            const auto position = static_cast<std::size_t>(pair.source);
            const std::uint64_t bit = bit_of(position);
            std::uint64_t* column = current_ + position / word_bits;
            const std::int32_t* neighbor = links_.neighbors + links_.offsets[pair.router];
            const std::int32_t* end = links_.neighbors + links_.offsets[pair.router + 1];
            std::size_t found = 0;
            for (; neighbor < end; ++neighbor) {
                std::uint64_t& word = column[std::size_t(*neighbor) * words];
                const bool is_new = !(word & bit);
                word |= bit;
                found += is_new;
                if (List) {  // without a branch: the pair stays only if the next one is put behind it
                    next[listed] = {*neighbor, pair.source};
                    listed += is_new;
                    work += is_new ? links_.degree(*neighbor) : 0;
                }
            }
            gains_[position / word_bits] += found;
        }
        reached_next_.resize(listed);
        std::swap(reached_last_, reached_next_);
        work_ = work;
        listed_ = List;
    }

    void pull_level(std::int32_t number, double density, const std::int32_t* sources, std::size_t count) {
        if (!pulling_) {
            pulling_ = true;
            listed_ = false;
            filled_.clear();
            unfilled_.resize(links_.order);
            for (std::size_t router = 0; router < links_.order; ++router)
                unfilled_[router] = static_cast<std::int32_t>(router);
            std::fill_n(completed_, words, 0);
        }
        // Of independent rows: the bits that a union misses, and the neighbours after which it misses one.
        const double missing = double(width) * std::pow(1 - density, mean_degree_ + 1);
        const double needed = -std::log(double(width)) / std::log1p(-density);
        const bool ends_early = needed + arcs_per_step < 0.75 * mean_degree_;
        std::uint64_t completed_before[words];
        std::copy_n(completed_, words, completed_before);
        Level<Registers> level{links_,
                               number,
                               missing < 4 || ends_early,
                               ends_early,
                               eccentricities_,
                               current_,
                               next_,
                               &unfilled_,
                               &filled_,
                               gains_,
                               completed_};
        pull(level);
        std::swap(current_, next_);
        for (std::size_t position = 0; position < count; ++position) {
            const std::size_t word = position / word_bits;
            if (completed_[word] & ~completed_before[word] & bit_of(position))
                eccentricities_[sources[position]].store(number, std::memory_order_relaxed);
        }
    }

    // Takes the pairs of a level into account; returns how many they are.
    std::size_t credit(std::int32_t level, std::size_t first_word, Tally& tally) {
        std::size_t gained = 0;
        for (std::uint64_t gain : gains_) gained += gain;
        if (!gained) return 0;
        if (tally.histogram.size() <= std::size_t(level)) tally.histogram.push_back(0);
        for (std::size_t word = 0; word < words; ++word) {
            if (!gains_[word]) continue;
            const auto gain = static_cast<std::int64_t>(gains_[word]);
            tally.histogram[level] += gain;
            tally.sums[first_word + word] += gain * level;
            tally.reached[first_word + word] += gain;
        }
        return gained;
    }

    static std::uint64_t bit_of(std::size_t position) { return std::uint64_t{1} << position % word_bits; }

    Links links_;
    double mean_degree_;
    std::atomic<std::int32_t>* eccentricities_;
    std::unique_ptr<std::uint64_t[]> storage_;
    std::uint64_t* current_;
    std::uint64_t* next_;
    std::vector<std::int32_t> unfilled_, filled_;
    std::vector<Pair> reached_last_, reached_next_;
    std::size_t work_ = 0;  // links of the pairs reached last
    bool listed_ = false;   // whether reached_last_ holds them
    bool pulling_ = false;
    std::uint64_t unused_[words];  // a row: bits beyond the last source
    std::uint64_t completed_[words];
    std::uint64_t gains_[words];
};

template <int Registers>
std::vector<std::int64_t> search_blocks(const Links& links, const std::int32_t* sources, std::size_t count,
                                        std::size_t threads, std::int64_t* sums, std::int64_t* reached) {
    using Worker = Search<Registers>;
    std::vector<std::atomic<std::int32_t>> eccentricities(links.order);
    for (auto& eccentricity : eccentricities)
        eccentricity.store(std::numeric_limits<std::int32_t>::max(), std::memory_order_relaxed);
    const std::size_t blocks = (count + Worker::width - 1) / Worker::width;
    threads = std::min(threads, blocks);
    std::vector<std::unique_ptr<Worker>> workers(threads);
    std::vector<Tally> tallies(threads, Tally{{}, sums, reached});
    parallel_for(blocks, threads, [&](std::size_t worker, std::size_t block, Stop& stop) {
        if (!workers[worker]) workers[worker] = std::make_unique<Worker>(links, eccentricities.data());
        const std::size_t first = block * Worker::width;
        workers[worker]->run(sources + first, std::min(Worker::width, count - first), block * Worker::words,
                             tallies[worker], stop);
    });
    std::vector<std::int64_t> histogram;
    for (const Tally& tally : tallies) {
        if (histogram.size() < tally.histogram.size()) histogram.resize(tally.histogram.size());
        for (std::size_t level = 0; level < tally.histogram.size(); ++level)
            histogram[level] += tally.histogram[level];
    }
    return histogram;
}

nb::tuple bfs(Array<std::int32_t> offsets, Array<std::int32_t> neighbors, Array<std::int32_t> sources,
              std::size_t threads) {
    const Links links{offsets.data(), neighbors.data(), offsets.size() - 1};
    const std::size_t groups = (sources.size() + word_bits - 1) / word_bits;
    // Workers credit whole blocks, the last of which may end in words without sources: these gain nothing.
    std::vector<std::int64_t> sums(groups), reached(groups);
    const std::size_t unions = (sources.size() + register_bits - 1) / register_bits * links.arcs();
    threads = std::min(threads, 1 + unions / unions_per_thread);
    // Threads share the work well where each has several blocks.
    const std::size_t blocks = threads > 1 ? 2 * threads : 1;
    const bool wide = links.order < wide_order && sources.size() > blocks * register_bits;
    const auto search = wide ? search_blocks<2> : search_blocks<1>;
    auto histogram = search(links, sources.data(), sources.size(), threads, sums.data(), reached.data());
    const std::size_t levels = histogram.size();
    return nb::make_tuple(to_numpy(std::move(histogram), {levels}), to_numpy(std::move(sums), {groups}),
                          to_numpy(std::move(reached), {groups}));
}

}  // namespace

void bind_bfs(nb::module_& module) {
    module.def("bfs", &bfs, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("sources"), nb::arg("threads"));
}

}  // namespace topoctl
