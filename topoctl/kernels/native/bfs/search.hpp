// Breadth-first search from many sources at once (Then et al., PVLDB 8(4), 2014): sparse levels are pushed from a
// list of the pairs reached last, dense levels pull whole rows (the direction switch of Beamer et al., SC12).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "../parallel.hpp"
#include "level.hpp"

namespace topoctl {

// The cost of pushing one pair, in lines of a pull.
constexpr std::size_t kPushCost = 2;
// Full rows are looked for, which costs a quarter of a level's time where few are found: once so large a part of all
// pairs is reached, or where the rows of a level will miss fewer bits than this on average, so that most are full.
constexpr double kLateDensity = 0.8, kFewMissing = 0.02;

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
template <int Words>
class Search {
public:
    static constexpr std::size_t kWords = Words;
    static constexpr std::size_t kWidth = kWords * kWordBits;

    Search(const Links& links, std::atomic<std::int32_t>* eccentricities)
        : links_(links), mean_degree_(double(links.arcs()) / double(links.order)), eccentricities_(eccentricities),
          storage_(2 * links.order * kWords), current_(storage_.get()), next_(current_ + links.order * kWords) {}

    void run(const std::int32_t* sources, std::size_t count, std::size_t first_word, Tally& tally, Stop& stop) {
        const std::size_t pairs = links_.order * count, arcs = links_.arcs();
        const std::size_t sparse = std::min(arcs * kWords / kLineWords / kPushCost, 4 * links_.order);
        begin(sources, count);
        std::size_t unreached = pairs - credit(0, first_word, tally);
        std::int32_t level = 1;
        for (; unreached && !stop; ++level) {
            std::fill_n(gains_, kWords, 0);
            // The first level is pushed whatever the degree, but need not be listed where the second is dense.
            if (listed_ && work_ <= (level == 1 ? arcs : sparse)) {
                if (double(work_) * mean_degree_ <= double(sparse))
                    push<true>();
                else
                    push<false>();
            } else {
                pull(level, 1 - double(unreached) / double(pairs), sources);
            }
            const std::size_t gained = credit(level, first_word, tally);
            if (!gained) break;
            unreached -= gained;
        }
    }

private:
    // Level 0: every source has reached itself.
    void begin(const std::int32_t* sources, std::size_t count) {
        listed_ = true;
        pulling_ = false;
        for (std::size_t word = 0; word < kWords; ++word) {
            sources_[word] = gains_[word] = std::min(kWordBits, count - std::min(count, word * kWordBits));
            full_[word] = sources_[word] == kWordBits ? ~Word{0} : bit_of(sources_[word]) - 1;
            reached_[word] = 0;
        }
        work_ = 0;
        std::fill_n(current_, links_.order * kWords, Word{0});
        reached_last_.resize(count);
        for (std::size_t position = 0; position < count; ++position) {
            const std::int32_t source = sources[position];
            current_[std::size_t(source) * kWords + position / kWordBits] |= bit_of(position);
            reached_last_[position] = {source, static_cast<std::int32_t>(position)};
            work_ += links_.degree(source);
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
            const Word bit = bit_of(position);
            Word* column = current_ + position / kWordBits;
            const std::int32_t* neighbor = links_.neighbors + links_.offsets[pair.router];
            const std::int32_t* end = links_.neighbors + links_.offsets[pair.router + 1];
            std::size_t found = 0;
            for (; neighbor < end; ++neighbor) {
                Word& word = column[std::size_t(*neighbor) * kWords];
                const bool is_new = !(word & bit);
                word |= bit;
                found += is_new;
                if (List) {  // without a branch: the pair stays only if the next one is put behind it
                    next[listed] = {*neighbor, pair.source};
                    listed += is_new;
                    work += is_new ? links_.degree(*neighbor) : 0;
                }
            }
            gains_[position / kWordBits] += found;
        }
        reached_next_.resize(listed);
        std::swap(reached_last_, reached_next_);
        work_ = work;
        listed_ = List;
    }

    void pull(std::int32_t number, double density, const std::int32_t* sources) {
        if (!pulling_) {
            pulling_ = true;
            listed_ = false;
            visits_.restart(links_.order);
            std::fill_n(completed_, kWords, 0);
        }
        // Of independent rows: the bits that a union misses, and the neighbours after which it misses one.
        const double missing = double(kWidth) * std::pow(1 - density, mean_degree_ + 1);
        const double needed = -std::log(double(kWidth)) / std::log1p(-density);
        const std::size_t looks = density < kLateDensity && missing > kFewMissing ? 0
                                  : needed < double(kLooksSoon)                   ? kLooksSoon
                                                                                  : kLooksLater;
        Word completed_before[kWords];
        std::copy_n(completed_, kWords, completed_before);
        Word reached[kWords];
        Level<Words> level{links_,   number, looks,    eccentricities_, full_,
                           current_, next_,  &visits_, reached,         completed_};
        pull_level(level);
        const std::size_t full_rows = links_.order - visits_.unfilled.size();
        for (std::size_t word = 0; word < kWords; ++word)
            gains_[word] = full_rows * sources_[word] + reached[word] - reached_[word];
        std::swap(current_, next_);
        for (std::size_t word = 0; word < kWords; ++word)
            for (Word found = completed_[word] & ~completed_before[word]; found; found &= found - 1)
                eccentricities_[sources[word * kWordBits + bit_number(found)]].store(number, std::memory_order_relaxed);
    }

    // Takes the pairs of a level into account; returns how many they are.
    std::size_t credit(std::int32_t level, std::size_t first_word, Tally& tally) {
        std::size_t gained = 0;
        for (Word gain : gains_) gained += gain;
        if (!gained) return 0;
        if (tally.histogram.size() <= std::size_t(level)) tally.histogram.push_back(0);
        for (std::size_t word = 0; word < kWords; ++word) {
            if (!gains_[word]) continue;
            reached_[word] += gains_[word];
            const auto gain = static_cast<std::int64_t>(gains_[word]);
            tally.histogram[level] += gain;
            tally.sums[first_word + word] += gain * level;
            tally.reached[first_word + word] += gain;
        }
        return gained;
    }

    Links links_;
    double mean_degree_;
    std::atomic<std::int32_t>* eccentricities_;
    LineWords storage_;
    Word* current_;
    Word* next_;
    Visits visits_;
    std::vector<Pair> reached_last_, reached_next_;
    std::size_t work_ = 0;  // links of the pairs reached last
    bool listed_ = false;  // whether reached_last_ holds them
    bool pulling_ = false;
    Word full_[kWords];  // a row: the bits of all sources
    Word sources_[kWords];  // how many, per word
    Word completed_[kWords];
    Word reached_[kWords];  // bits set in all rows, per word of sources
    Word gains_[kWords];  // of these, by the current level
};

}  // namespace topoctl
