// Breadth-first search from many sources at once (Then et al., PVLDB 8(4), 2014): sparse levels are pushed from a
// list of the pairs reached last, dense levels pull whole rows (the direction switch of Beamer et al., SC12).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "../parallel.hpp"
#include "ending.hpp"
#include "mirror.hpp"

namespace topoctl {

// The cost of pushing one pair, in lines of a pull.
constexpr std::size_t kPushCost = 2;
// Full rows are looked for, which costs a quarter of a level's time where few are found: once so large a part of all
// pairs is reached, or where the rows of a level will miss fewer bits than this on average, so that most are full.
constexpr double kLateDensity = 0.8, kFewMissing = 0.02;

// One worker's search; its memory, allocated once, serves block after block.
template <int Words>
class Search {
public:
    static constexpr std::size_t kWords = Words;
    static constexpr std::size_t kWidth = kWords * kWordBits;

    // Where all routers are sources, in their order, there may be an ending and a mirror.
    Search(const Links& links, std::atomic<std::int32_t>* eccentricities, Ending* ending, Mirror* mirror)
        : links_(links), ending_(ending), mirror_(mirror), mean_degree_(double(links.arcs()) / double(links.order)),
          eccentricities_(eccentricities), storage_(2 * links.order * kWords), current_(storage_.get()),
          next_(current_ + links.order * kWords) {}

    void run(const std::int32_t* sources, std::size_t count, std::size_t first_word, Tally& tally, Stop& stop) {
        const std::size_t pairs = links_.order * count, arcs = links_.arcs();
        const std::size_t sparse = std::min(arcs * kWords / kLineWords / kPushCost, 4 * links_.order);
        begin(sources, count);
        std::size_t unreached = pairs - credit(0, first_word, tally);
        std::int32_t level = 0;
        while (unreached && !stop) {
            ++level;
            if (ending_ && ends_at(level, sources[0], double(unreached) / double(pairs))) {
                for (std::size_t word = 0; word < kWords; ++word)
                    gains_[word] = links_.order * sources_[word] - reached_[word];
                credit(level, first_word, tally);
                unreached = 0;
                break;
            }
            std::fill_n(gains_, kWords, 0);
            if (mirror_ && level == 2) pull_mirrored(first_word / kWords, stop);
            // The first level is pushed whatever the degree, but need not be listed where the second is dense.
            else if (!listed_ || work_ > (level == 1 ? arcs : sparse))
                pull(level, 1 - double(unreached) / double(pairs), sources);
            else if (double(work_) * mean_degree_ <= double(sparse))
                push<true>();
            else
                push<false>();
            const std::size_t gained = credit(level, first_word, tally);
            if (!gained) break;
            unreached -= gained;
        }
        if (mirror_) mirror_->leave(first_word / kWords);
        if (ending_) ending_->reached(unreached ? std::numeric_limits<std::int32_t>::max() : level);
    }

    const std::vector<Pair>& missing() const { return missing_; }

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

    // Whether the block ends at this level: then all its pairs count as reached, and those that are not are listed.
    bool ends_at(std::int32_t number, std::int32_t first, double unreached) {
        const std::int32_t agreed = ending_->level();
        const double expected = std::pow(unreached, mean_degree_ + 1) * double(kWidth) * double(links_.order);
        if (agreed ? agreed != number : expected > double(ending_->most())) return false;
        const std::size_t listed = missing_.size(), most = ending_->most() * (agreed ? kMoreMissing : 1);
        list_missing(LastLevel<Words>{links_, looks_at(1 - unreached), full_, current_, std::size_t(first), most},
                     missing_);
        if (missing_.size() - listed <= most && ending_->agree(number)) return true;
        missing_.resize(listed);
        return false;
    }

    void pull_mirrored(std::size_t block, Stop& stop) {
        if constexpr (Words == kWide) {
            mirror_->pull(links_, current_, next_, block, stop);
            std::swap(current_, next_);
            count_rows(current_, links_.order, gains_);
            for (std::size_t word = 0; word < kWords; ++word) gains_[word] -= reached_[word];
            listed_ = false;
        }
    }

    void pull(std::int32_t number, double density, const std::int32_t* sources) {
        if (!pulling_) {
            pulling_ = true;
            listed_ = false;
            visits_.restart(links_.order);
            std::fill_n(completed_, kWords, 0);
        }
        // The bits that a union misses, of independent rows.
        const double missing = double(kWidth) * std::pow(1 - density, mean_degree_ + 1);
        const std::size_t looks = density < kLateDensity && missing > kFewMissing ? 0 : looks_at(density);
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

    // By the neighbours after which a union of independent rows misses one bit.
    static std::size_t looks_at(double density) {
        return -std::log(double(kWidth)) / std::log1p(-density) < double(kLooksSoon) ? kLooksSoon : kLooksLater;
    }

    // Takes the pairs of a level into account; returns how many they are.
    std::size_t credit(std::int32_t level, std::size_t first_word, Tally& tally) {
        std::size_t gained = 0;
        for (Word gain : gains_) gained += gain;
        if (!gained) return 0;
        for (std::size_t word = 0; word < kWords; ++word) {
            if (!gains_[word]) continue;
            reached_[word] += gains_[word];
            tally.add(first_word + word, level, static_cast<std::int64_t>(gains_[word]));
        }
        return gained;
    }

    static constexpr std::size_t kMoreMissing = 4;  // times as many may be missing at the level agreed upon

    Links links_;
    Ending* ending_;
    Mirror* mirror_;
    std::vector<Pair> missing_;
    double mean_degree_;
    std::atomic<std::int32_t>* eccentricities_;
    LineWords storage_;
    Word* current_;
    Word* next_;
    Visits visits_;
    std::vector<Pair> reached_last_, reached_next_;  // sources by their position in the block
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
