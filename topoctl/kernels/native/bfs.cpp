// Breadth-first search from many sources at once (Then et al., PVLDB 8(4), 2014): a router's row has one bit per
// source of the block, "reached". Sparse levels are pushed from a list of the pairs reached last, dense levels
// pull whole rows (the direction switch of Beamer et al., SC12).
#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t register_words = 8;
constexpr std::size_t register_bits = register_words * word_bits;
// Below this order the rows of two registers still fit the cache, and a neighbour's index is read half as often.
constexpr std::size_t wide_order = 4096;
// The cost of pushing one reached pair, in row unions of a pull.
constexpr std::size_t push_cost = 4;
// From this degree on it pays to look, every few neighbours, whether the row is full already.
constexpr std::size_t early_exit_degree = 16;

using Register = std::uint64_t __attribute__((vector_size(64)));

template <int Registers>
struct Row {
    Register parts[Registers];
};

struct Links {
    const std::int32_t* offsets;
    const std::int32_t* neighbors;
    std::size_t order;

    std::size_t degree(std::int32_t router) const {
        return static_cast<std::size_t>(offsets[router + 1] - offsets[router]);
    }
    std::size_t arcs() const { return static_cast<std::size_t>(offsets[order]); }
};

// What one pull level reads and writes.
template <int Registers>
struct Level {
    Links links;
    std::int32_t number;
    bool may_fill;    // rows are dense enough for some to become full
    bool early_exit;  // and long enough to stop in the middle of one
    const std::atomic<std::int32_t>* eccentricities;
    const Row<Registers>* current;
    Row<Registers>* next;
    std::vector<std::int32_t>* unfilled;
    std::vector<std::int32_t>* filled;
    std::uint64_t* gains;       // newly reached pairs per word of sources
    Row<Registers>* completed;  // sources that have reached every router
};

template <int Registers>
[[gnu::always_inline]] inline bool is_full(const Row<Registers>& row) {
    Register all = row.parts[0];
    for (int part = 1; part < Registers; ++part) all &= row.parts[part];
    std::uint64_t word = all[0];
    for (std::size_t lane = 1; lane < register_words; ++lane) word &= all[lane];
    return word == ~std::uint64_t{0};
}

// Adds the bits set in every word. Through arrays, because only so GCC finds the vector instruction.
[[gnu::always_inline]] inline void add_bit_counts(const Register& bits, Register& sums) {
    alignas(Register) std::uint64_t words[register_words], counts[register_words];
    std::memcpy(words, &bits, sizeof words);
    for (std::size_t word = 0; word < register_words; ++word)
        counts[word] = static_cast<std::uint64_t>(__builtin_popcountll(words[word]));
    Register result;
    std::memcpy(&result, counts, sizeof result);
    sums += result;
}

// next[v] = current[v] | OR of current[u] over the neighbours u, for every row that is not full.
template <int Registers>
[[gnu::always_inline]] inline void pull_rows(Level<Registers>& level) {
    const std::int32_t* offsets = level.links.offsets;
    const std::int32_t* neighbors = level.links.neighbors;
    const Row<Registers>* current = level.current;
    Row<Registers>* next = level.next;
    const bool may_fill = level.may_fill, early_exit = level.early_exit;
    Row<Registers> ones, gains, completed;
    for (int part = 0; part < Registers; ++part) {
        ones.parts[part] = ~Register{};
        gains.parts[part] = Register{};
        completed.parts[part] = ~Register{};
    }
    for (std::int32_t router : *level.filled) next[router] = ones;  // filled by the level before
    std::int32_t* unfilled = level.unfilled->data();
    level.filled->resize(level.unfilled->size());
    std::int32_t* filled = level.filled->data();
    std::size_t unfilled_count = 0, filled_count = 0;

    for (std::size_t position = 0; position < level.unfilled->size(); ++position) {
        const std::int32_t router = unfilled[position];
        Row<Registers> row = current[router];
        if (level.eccentricities[router].load(std::memory_order_relaxed) <= level.number) {
            row = ones;
        } else {
            const std::int32_t* neighbor = neighbors + offsets[router];
            const std::int32_t* end = neighbors + offsets[router + 1];
            for (; end - neighbor >= 8; neighbor += 8) {
                for (int step = 0; step < 8; ++step)
                    for (int part = 0; part < Registers; ++part)
                        row.parts[part] |= current[neighbor[step]].parts[part];
                if (early_exit && is_full(row)) {
                    neighbor = end;
                    break;
                }
            }
            for (; neighbor < end; ++neighbor)
                for (int part = 0; part < Registers; ++part) row.parts[part] |= current[*neighbor].parts[part];
        }
        for (int part = 0; part < Registers; ++part) {
            add_bit_counts(row.parts[part] ^ current[router].parts[part], gains.parts[part]);
            completed.parts[part] &= row.parts[part];
        }
        next[router] = row;
        if (may_fill) {
            const bool full = is_full(row);
            unfilled[unfilled_count] = router;
            unfilled_count += !full;
            filled[filled_count] = router;
            filled_count += full;
        }
    }
    level.filled->resize(filled_count);
    if (may_fill) level.unfilled->resize(unfilled_count);
    for (int part = 0; part < Registers; ++part)
        for (std::size_t lane = 0; lane < register_words; ++lane)
            level.gains[part * register_words + lane] += gains.parts[part][lane];
    *level.completed = completed;
}

TOPOCTL_CLONES(pull_narrow, pull_rows, Level<1>&)
TOPOCTL_CLONES(pull_wide, pull_rows, Level<2>&)
inline void pull(Level<1>& level) { pull_narrow(level); }
inline void pull(Level<2>& level) { pull_wide(level); }

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
          eccentricities_(eccentricities),
          storage_(new std::uint64_t[2 * links.order * words + register_words]) {
        const auto address = reinterpret_cast<std::uintptr_t>(storage_.get());
        const std::size_t misplaced = address / sizeof(std::uint64_t) % register_words;
        current_ = reinterpret_cast<Row<Registers>*>(storage_.get() + (register_words - misplaced));
        next_ = current_ + links.order;
    }

    void run(const std::int32_t* sources, std::size_t count, std::size_t first_word, Tally& tally,
             const std::atomic<bool>& stop) {
        begin(sources, count);
        std::uint64_t unreached = (links_.order - 1) * count;
        credit(0, first_word, tally);
        for (std::int32_t level = 1; unreached && !stop; ++level) {
            std::fill_n(gains_, words, 0);
            const std::size_t arcs = links_.arcs();
            if (pushing_ && work_ <= (level == 1 ? arcs : std::min(arcs / push_cost, 4 * links_.order)))
                push();
            else
                pull_level(sources, count, level, 1.0 - double(unreached) / double(links_.order * count));
            std::uint64_t gained = 0;
            for (std::uint64_t gain : gains_) gained += gain;
            if (!gained) break;
            unreached -= gained;
            credit(level, first_word, tally);
        }
    }

private:
    std::uint64_t* words_of(std::int32_t router) {
        return reinterpret_cast<std::uint64_t*>(current_ + router);
    }

    // Level 0: every source has reached itself. Bits beyond the last source count as reached from the start.
    void begin(const std::int32_t* sources, std::size_t count) {
        Row<Registers> unused;
        for (std::size_t word = 0; word < words; ++word) {
            const std::size_t used = std::min(word_bits, count - std::min(count, word * word_bits));
            const std::uint64_t bits = used == word_bits ? 0 : ~std::uint64_t{0} << used;
            unused.parts[word / register_words][word % register_words] = bits;
        }
        std::fill_n(current_, links_.order, unused);
        std::fill_n(gains_, words, 0);
        reached_last_.resize(count);
        pushing_ = true;
        work_ = 0;
        for (std::size_t position = 0; position < count; ++position) {
            const std::size_t word = position / word_bits;
            words_of(sources[position])[word] |= std::uint64_t{1} << position % word_bits;
            reached_last_[position] = {sources[position], static_cast<std::int32_t>(position)};
            work_ += links_.degree(sources[position]);
            ++gains_[word];
        }
    }

    void push() {
        if (reached_next_.size() < work_ + 1) reached_next_.resize(work_ + 1);
        std::size_t found = 0, work = 0;
        for (const Pair& pair : reached_last_) {
            const std::size_t word = static_cast<std::size_t>(pair.source) / word_bits;
            const unsigned bit = static_cast<unsigned>(pair.source) % word_bits;
            const std::size_t found_before = found;
            for (std::int32_t arc = links_.offsets[pair.router]; arc < links_.offsets[pair.router + 1]; ++arc) {
                const std::int32_t neighbor = links_.neighbors[arc];
                std::uint64_t& reached = words_of(neighbor)[word];
                const bool is_new = !(reached >> bit & 1);
                reached |= std::uint64_t{1} << bit;
                reached_next_[found] = {neighbor, pair.source};
                found += is_new;
                work += is_new ? links_.degree(neighbor) : 0;
            }
            gains_[word] += found - found_before;
        }
        reached_next_.resize(found);
        std::swap(reached_last_, reached_next_);
        work_ = work;
    }

    void pull_level(const std::int32_t* sources, std::size_t count, std::int32_t number, double density) {
        if (pushing_) {
            pushing_ = false;
            filled_.clear();
            unfilled_.resize(links_.order);
            for (std::size_t router = 0; router < links_.order; ++router)
                unfilled_[router] = static_cast<std::int32_t>(router);
            for (auto& part : completed_.parts) part = Register{};
        }
        const double degree = double(links_.arcs()) / double(links_.order);
        const Row<Registers> completed_before = completed_;
        const bool may_fill = density * (degree + 1) > 3;
        const bool early_exit = may_fill && degree >= early_exit_degree;
        Level<Registers> level{links_, number,  may_fill, early_exit, eccentricities_, current_,
                               next_,  &unfilled_, &filled_, gains_,     &completed_};
        pull(level);
        std::swap(current_, next_);
        for (std::size_t word = 0; word < words; ++word) {
            const std::size_t part = word / register_words, lane = word % register_words;
            std::uint64_t news = completed_.parts[part][lane] & ~completed_before.parts[part][lane];
            for (; news; news &= news - 1) {
                const std::size_t position = word * word_bits + __builtin_ctzll(news);
                if (position < count)
                    eccentricities_[sources[position]].store(number, std::memory_order_relaxed);
            }
        }
    }

    void credit(std::int32_t level, std::size_t first_word, Tally& tally) {
        if (tally.histogram.size() <= static_cast<std::size_t>(level)) tally.histogram.push_back(0);
        for (std::size_t word = 0; word < words; ++word) {
            if (!gains_[word]) continue;
            const auto gain = static_cast<std::int64_t>(gains_[word]);
            tally.histogram[level] += gain;
            tally.sums[first_word + word] += gain * level;
            tally.reached[first_word + word] += gain;
        }
    }

    Links links_;
    std::atomic<std::int32_t>* eccentricities_;
    std::unique_ptr<std::uint64_t[]> storage_;
    Row<Registers>* current_;
    Row<Registers>* next_;
    std::vector<std::int32_t> unfilled_, filled_;
    std::vector<Pair> reached_last_, reached_next_;
    std::size_t work_ = 0;  // links of the pairs reached last
    bool pushing_ = true;
    Row<Registers> completed_;
    std::uint64_t gains_[words];
};

template <int Registers>
std::vector<std::int64_t> search_blocks(const Links& links, const std::int32_t* sources, std::size_t count,
                                        std::size_t threads, std::int64_t* sums, std::int64_t* reached) {
    using Worker = Search<Registers>;
    // Distances are symmetric: a router whose search is over has its row full at the level where that ended.
    std::vector<std::atomic<std::int32_t>> eccentricities(links.order);
    for (auto& value : eccentricities) value = std::numeric_limits<std::int32_t>::max();
    std::vector<std::unique_ptr<Worker>> workers(threads);
    std::vector<Tally> tallies(threads, Tally{{}, sums, reached});
    const std::size_t blocks = (count + Worker::width - 1) / Worker::width;
    parallel_for(blocks, threads, [&](std::size_t worker, std::size_t block, const std::atomic<bool>& stop) {
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

nb::tuple bfs(Vector<std::int32_t> offsets, Vector<std::int32_t> neighbors, Vector<std::int32_t> sources,
              std::size_t threads) {
    const Links links{offsets.data(), neighbors.data(), offsets.size() - 1};
    const std::size_t groups = (sources.size() + word_bits - 1) / word_bits;
    std::vector<std::int64_t> sums(groups), reached(groups);
    const bool wide = links.order < wide_order && sources.size() > threads * register_bits;
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
