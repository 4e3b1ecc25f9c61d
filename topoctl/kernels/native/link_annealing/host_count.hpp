// How many pairs of hosts rows of bits stand for, where the bits of a row count differently.
#pragma once

#include <vector>

#include "../bits.hpp"
#include "network.hpp"

namespace topoctl::link_annealing {

// What the set bits of a row count: every word's number of bits times what most of its bits count, and the difference
// for the others. Position i of a block is bit i % 64 of word i / 64; positions of like weights lie side by side.
class HostCount {
public:
    // Bits of a word that count so much more, or less, than most of it.
    struct Odd {
        std::size_t word;
        Word bits;
        std::int64_t more;
    };

    // For so many words without any bits.
    void restart(std::size_t words) {
        weights_.assign(words * kWordBits, 0);
        usual_.assign(words, 0);
        sums_.assign(words, 0);
        odd_of_.assign(words, {});
    }
    void weigh(std::size_t position, std::int64_t weight) { weights_[position] = weight; }
    // Looks at the weights of a word again, whose bits in use are given; gather() is to follow.
    void refresh(std::size_t word, Word bits);
    void gather();

    std::size_t words() const { return usual_.size(); }
    std::size_t odd_words() const { return odd_.size(); }
    // Of all bits in use of some words.
    std::int64_t sum(std::size_t first, std::size_t words) const;
    // The pairs, of a bit of the block that begins with word `first` and a router, that are not in the router's row.
    std::int64_t left(std::size_t first, std::size_t words, const Word* rows, const Router* hosts,
                      const std::vector<Router>& routers) const;

private:
    std::vector<std::int64_t> weights_, usual_, sums_;
    std::vector<std::vector<Odd>> odd_of_;  // by word
    std::vector<Odd> odd_;
};

}  // namespace topoctl::link_annealing
