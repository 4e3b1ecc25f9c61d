// Minimal next hops: searches from 64 destinations side by side mark, at every arc, those to which it is a step back.
#include "bits.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {
namespace {

struct TwoWayLinks : Links {
    const std::int32_t* back;  // the arc of the same link the other way

    std::size_t words() const { return (arcs() + kWordBits - 1) / kWordBits; }
};

// Turns 64 words of 64 bits over their diagonal (Warren, Hacker's Delight, 7-3).
void transpose(Word* words) {
    Word mask = 0xFFFFFFFF;
    for (std::size_t half = kWordBits / 2; half; half /= 2, mask ^= mask << half) {
        for (std::size_t place = 0; place < kWordBits; place = ((place | half) + 1) & ~half) {
            const Word swapped = (words[place] >> half ^ words[place | half]) & mask;
            words[place] ^= swapped << half;
            words[place | half] ^= swapped;
        }
    }
}

// One worker's searches; its memory serves block after block.
class Search {
public:
    explicit Search(const TwoWayLinks& links)
        : links_(links), reached_(links.order), fresh_(links.order), next_(links.order), away_(links.arcs()) {}

    // Next hops to up to 64 destinations, each a row of the result.
    void run(const std::int32_t* destinations, std::size_t count, Word* rows, Stop& stop) {
        std::fill(reached_.begin(), reached_.end(), 0);
        std::fill(away_.begin(), away_.end(), 0);
        frontier_.clear();
        for (std::size_t place = 0; place < count; ++place) {
            const std::int32_t router = destinations[place];
            if (!fresh_[router]) frontier_.push_back(router);
            fresh_[router] |= bit_of(place);
            reached_[router] |= bit_of(place);
        }
        while (!frontier_.empty() && !stop) step(stop);
        if (!stop) lay(count, rows);
    }

private:
    // Goes a hop away from the destinations, from where the last one led.
    void step(Stop& stop) {
        beyond_.clear();
        for (std::size_t place = 0; place < frontier_.size() && (place % kSlice || !stop); ++place) {
            const std::int32_t router = frontier_[place];
            const Word here = fresh_[router];
            fresh_[router] = 0;
            for (std::int32_t arc = links_.offsets[router]; arc < links_.offsets[router + 1]; ++arc) {
                const std::int32_t neighbor = links_.neighbors[arc];
                const Word found = here & ~reached_[neighbor];
                if (!found) continue;
                away_[arc] |= found;
                if (!next_[neighbor]) beyond_.push_back(neighbor);
                next_[neighbor] |= found;
            }
        }
        for (const std::int32_t router : beyond_) reached_[router] |= next_[router];
        std::swap(fresh_, next_);
        std::swap(frontier_, beyond_);
    }

    // Writes what was marked at arcs away from the destinations as bits of the arcs back, destination by destination.
    void lay(std::size_t count, Word* rows) const {
        const std::size_t arcs = links_.arcs(), words = links_.words();
        for (std::size_t word = 0; word < words; ++word) {
            Word tile[kWordBits] = {};
            const std::size_t first = word * kWordBits, some = std::min(kWordBits, arcs - first);
            for (std::size_t place = 0; place < some; ++place) tile[place] = away_[links_.back[first + place]];
            transpose(tile);
            for (std::size_t place = 0; place < count; ++place) rows[place * words + word] = tile[place];
        }
    }

    TwoWayLinks links_;
    std::vector<Word> reached_, fresh_, next_, away_;  // a bit a destination; the last of arcs
    std::vector<std::int32_t> frontier_, beyond_;
};

nb::ndarray<nb::numpy, Word> next_hops(Array<std::int32_t> offsets, Array<std::int32_t> neighbors,
                                       Array<std::int32_t> back, Array<std::int32_t> destinations,
                                       std::size_t threads) {
    const TwoWayLinks links{links_of(offsets, neighbors), back.data()};
    const std::size_t count = destinations.size(), blocks = (count + kWordBits - 1) / kWordBits;
    std::vector<Word> rows(count * links.words());
    threads = std::min(threads, 1 + blocks * (links.order + links.arcs()) / kArcsPerThread);
    std::vector<std::unique_ptr<Search>> workers(threads);
    parallel_for(blocks, threads, [&](std::size_t worker, std::size_t block, Stop& stop) {
        auto& search = workers[worker];
        if (!search) search = std::make_unique<Search>(links);
        const std::size_t first = block * kWordBits;
        search->run(destinations.data() + first, std::min(kWordBits, count - first),
                    rows.data() + first * links.words(), stop);
    });
    return to_numpy(std::move(rows), {count, links.words()});
}

const Kernel kernel([](nb::module_& module) {
    module.def("next_hops", &next_hops, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("back"),
               nb::arg("destinations"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
