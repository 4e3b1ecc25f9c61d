// Messages that wait for each other, and computations between them: which are ready, since when, and which are over.
#pragma once

#include <algorithm>
#include <vector>

#include "network.hpp"

namespace topoctl {

class Messages {
public:
    struct Part {
        std::uint32_t message, destination;
        std::uint16_t flits;
    };

    explicit Messages(const Plan& plan)
        : plan_(plan), left_(plan.message_count), ready_(left_, -1), over_(left_, -1), missing_(left_), to_send_(left_),
          unsent_(left_), under_way_(left_), queues_(left_ ? plan.endpoints : 0) {
        for (std::size_t place = 0; place < plan.dependent_count; ++place) ++missing_[plan.dependents[place]];
        for (std::uint32_t message = 0; message < left_; ++message) {
            if (destination(message) < 0)
                processors_ = std::max(processors_, source(message) + 1);
            else
                to_send_[message] = unsent_[message] = under_way_[message] = static_cast<std::int32_t>(size(message));
        }
        computations_.resize(processors_);
        busy_.resize(processors_);
        for (std::uint32_t message = 0; message < plan.message_count; ++message)
            if (!missing_[message]) begin(message, 0, [](std::size_t) {});
    }

    explicit operator bool() const { return plan_.message_count != 0; }
    std::size_t left() const { return left_; }

    std::vector<std::int64_t> rows() const {
        std::vector<std::int64_t> rows;
        for (std::size_t message = 0; message < ready_.size(); ++message)
            rows.insert(rows.end(), {ready_[message], over_[message]});
        return rows;
    }

    // Since when the message is ready that an endpoint sends next.
    std::int64_t ready_at(std::size_t endpoint) const {
        const Queue& queue = queues_[endpoint];
        return queue.empty() ? kNever : queue.front().cycle;
    }

    // The cycle of the next event that is known.
    std::int64_t next_event() const { return later_.empty() ? kNever : later_.front().cycle; }

    Part next_packet(std::size_t endpoint) {
        const auto message = static_cast<std::uint32_t>(queues_[endpoint].front().number);
        const std::int32_t flits = std::min(plan_.sizes[0], to_send_[message]);
        to_send_[message] -= flits;
        if (!to_send_[message]) pop(queues_[endpoint]);
        return {message, static_cast<std::uint32_t>(destination(message)), static_cast<std::uint16_t>(flits)};
    }

    // A packet of which the last flit is sent in this cycle.
    void send(std::uint32_t message, std::int32_t flits, std::int64_t now) {
        unsent_[message] -= flits;
        if (!unsent_[message]) push(later_, {now + 1, 2 * std::uint64_t{message}});
    }

    // A packet that arrives in this cycle.
    void arrive(std::uint32_t message, std::int32_t flits) {
        under_way_[message] -= flits;
        if (!under_way_[message]) happened_.push_back(2 * std::uint64_t{message} + 1);
    }

    // Lets everything begin that waited for what has happened, and what follows in the same cycle; calls
    // wake(endpoint) for every message that is ready to be sent.
    template <class Wake>
    void settle(std::int64_t now, Wake&& wake) {
        for (; !later_.empty() && later_.front().cycle <= now; pop(later_)) happened_.push_back(later_.front().number);
        do
            for (; !happened_.empty();) {
                const std::uint64_t event = happened_.back();
                happened_.pop_back();
                follow(event, now, wake);
            }
        while (start_computations(now));
    }

    template <class Visit>
    void saved(Visit& visit) {
        visit("left", left_);
        visit("ready", ready_);
        visit("over", over_);
        visit("missing", missing_);
        visit("to_send", to_send_);
        visit("unsent", unsent_);
        visit("under_way", under_way_);
        visit("busy", busy_);
        visit.list("idle", idle_);
        visit.list("later", later_);
        visit.list("happened", happened_);
        visit("queues", queues_);
        visit("computations", computations_);
    }

private:
    struct Entry {
        std::int64_t cycle;
        std::uint64_t number;
    };

    using Queue = std::vector<Entry>;  // a heap, of which the least (cycle, number) comes first

    static bool later(const Entry& one, const Entry& other) {
        return one.cycle != other.cycle ? one.cycle > other.cycle : one.number > other.number;
    }
    static void push(Queue& queue, Entry entry) {
        queue.push_back(entry);
        std::push_heap(queue.begin(), queue.end(), later);
    }
    static void pop(Queue& queue) {
        std::pop_heap(queue.begin(), queue.end(), later);
        queue.pop_back();
    }

    std::int64_t source(std::size_t message) const { return plan_.messages[3 * message]; }
    std::int64_t destination(std::size_t message) const { return plan_.messages[3 * message + 1]; }
    std::int64_t size(std::size_t message) const { return plan_.messages[3 * message + 2]; }

    template <class Wake>
    void follow(std::uint64_t event, std::int64_t now, Wake&& wake) {
        const std::size_t message = event / 2;
        if (event % 2) {
            over_[message] = static_cast<std::int32_t>(now);
            --left_;
            if (destination(message) < 0 && source(message) >= 0) {
                busy_[source(message)] = false;
                idle_.push_back(source(message));
            }
        }
        for (std::int64_t place = plan_.dependent_rows[event]; place < plan_.dependent_rows[event + 1]; ++place)
            if (!--missing_[plan_.dependents[place]]) begin(plan_.dependents[place], now, wake);
    }

    // Queues what waits for nothing any more; what needs no processor begins at once.
    template <class Wake>
    void begin(std::uint32_t message, std::int64_t now, Wake&& wake) {
        ready_[message] = static_cast<std::int32_t>(now);
        if (destination(message) >= 0) {
            push(queues_[source(message)], {now, message});
            wake(source(message));
        } else if (source(message) >= 0) {
            push(computations_[source(message)], {now, message});
            idle_.push_back(source(message));
        } else {
            end_after(message, now);
        }
    }

    // Lets processors take up their next computations; returns whether one ends in this cycle.
    bool start_computations(std::int64_t now) {
        for (const std::int64_t processor : idle_) {
            Queue& queue = computations_[processor];
            if (busy_[processor] || queue.empty()) continue;
            busy_[processor] = true;
            end_after(static_cast<std::uint32_t>(queue.front().number), now);
            pop(queue);
        }
        idle_.clear();
        return !happened_.empty();
    }

    void end_after(std::uint32_t message, std::int64_t now) {
        const std::uint64_t event = 2 * std::uint64_t{message} + 1;
        if (size(message))
            push(later_, {now + size(message), event});
        else
            happened_.push_back(event);
    }

    const Plan& plan_;
    std::size_t left_;
    std::vector<std::int32_t> ready_, over_, missing_;
    std::vector<std::int32_t> to_send_, unsent_, under_way_;  // flits
    std::vector<Queue> queues_;                               // by endpoint
    std::int64_t processors_ = 0;
    std::vector<Queue> computations_;  // by processor
    std::vector<std::uint8_t> busy_;  // processors
    std::vector<std::int64_t> idle_;        // processors that may have something to take up
    Queue later_;            // events, which are rows of `dependent_rows`, by their cycle
    std::vector<std::uint64_t> happened_;  // in this cycle
};

}  // namespace topoctl
