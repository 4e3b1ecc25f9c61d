// What will arrive, by the cycle in which it does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace topoctl {

// For every block of a network and cycle to come, a list of what arrives. Most arrives soon, so that few cycles are
// kept at hand; the rest waits in a list of its own. No loop over such a list is so short that its end is a
// surprise to the processor.
template <class What>
class Calendar {
public:
    // Of so many blocks; things mostly arrive less than `soon` cycles ahead.
    Calendar(std::size_t blocks, std::size_t soon)
        : blocks_(blocks), slots_(power_of_two(soon)), lists_(slots_ * blocks) {}

    // To be called once a cycle, before anything arrives in it.
    void turn_to(std::int64_t cycle) {
        now_ = cycle;
        if (late_.empty() || cycle % static_cast<std::int64_t>(slots_ / 2)) return;
        std::size_t kept = 0;
        for (const Late& one : late_)
            if (near(one.cycle))
                add(list_of(one.cycle, one.block), one.what);
            else
                late_[kept++] = one;
        late_.resize(kept);
    }

    // In a later cycle.
    void enter(std::int64_t cycle, std::size_t block, What what) {
        if (near(cycle))
            add(list_of(cycle, block), what);
        else
            late_.push_back({static_cast<std::int32_t>(cycle), static_cast<std::uint32_t>(block), what});
    }

    struct Arriving {
        What *first, *last;

        What* begin() const { return first; }
        What* end() const { return last; }
    };

    // What arrives at a block in this cycle, to be cleared by who has seen it.
    Arriving arriving(std::size_t block) {
        const List& list = list_of(now_, block);
        return {list.things.get(), list.things.get() + list.count};
    }

    // The memory of a list that has been seen is the first that is used again, while it is near.
    void clear(std::size_t block) {
        List& seen = list_of(now_, block);
        seen.count = 0;
        if (seen.room) spare_.push_back(std::exchange(seen, {}));
    }

    template <class Visit>
    void saved(Visit& visit) {
        std::vector<std::vector<What>> lists;
        for (const List& list : lists_) lists.emplace_back(list.things.get(), list.things.get() + list.count);
        visit("lists", lists);
        for (std::size_t place = 0; place < lists.size(); ++place) {
            lists_[place].count = 0;
            for (const What& what : lists[place]) add(lists_[place], what);
        }
        visit.list("late", late_);
    }

private:
    // A vector takes thrice the instructions for a thing that is added.
    struct List {
        std::unique_ptr<What[]> things;
        std::uint32_t count = 0, room = 0;
    };
    struct Late {
        std::int32_t cycle;
        std::uint32_t block;
        What what;
    };

    static std::size_t power_of_two(std::size_t least) {
        std::size_t power = 2;
        while (power < least) power *= 2;
        return power;
    }

    // What is late is looked at every half turn, so half of the slots are for what is entered until then.
    bool near(std::int64_t cycle) const { return cycle - now_ < static_cast<std::int64_t>(slots_); }

    void add(List& list, What what) {
        if (__builtin_expect(list.count == list.room, false)) make_room(list);
        list.things[list.count++] = what;
    }

    void make_room(List& list) {
        if (!list.room && !spare_.empty()) {
            list = std::move(spare_.back());
            spare_.pop_back();
            return;
        }
        const std::uint32_t room = list.room ? 2 * list.room : 16;
        std::unique_ptr<What[]> things(new What[room]);
        std::copy_n(list.things.get(), list.count, things.get());
        list.things = std::move(things);
        list.room = room;
    }

    List& list_of(std::int64_t cycle, std::size_t block) {
        return lists_[(static_cast<std::size_t>(cycle) & (slots_ - 1)) * blocks_ + block];
    }

    std::size_t blocks_, slots_;
    std::vector<List> lists_, spare_;
    std::vector<Late> late_;
    std::int64_t now_ = 0;
};

}  // namespace topoctl
