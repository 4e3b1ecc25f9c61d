// A simulation as arrays of bytes by name, and back. Every part of it lists what changes while it runs in `saved`, next
// to these members; all else follows from the plan. Of memory that was reserved only what is not zero is kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "memory.hpp"

namespace topoctl {

using Bytes = std::vector<std::uint8_t>;
using BytesByName = std::map<std::string, Bytes>;

constexpr std::size_t kBlock = 64;  // bytes that are kept or left out together

inline bool all_zero(const std::uint8_t* bytes, std::size_t count) {
    static constexpr std::uint8_t zeros[kBlock] = {};
    return std::memcmp(bytes, zeros, count) == 0;
}

// Writes what it visits into arrays.
class Saver {
public:
    explicit Saver(BytesByName& arrays, std::string prefix = "") : arrays_(arrays), prefix_(std::move(prefix)) {}

    template <class Part>
    void operator()(const char* name, Part& part) {
        if constexpr (std::is_trivially_copyable_v<Part>) {
            append(arrays_[prefix_ + name], &part, sizeof(Part));
        } else {
            Saver within(arrays_, prefix_ + name + ".");
            part.saved(within);
        }
    }

    template <class T>
    void operator()(const char* name, std::vector<T>& values) {
        static_assert(std::has_unique_object_representations_v<T>, "the same simulation has the same bytes");
        append(arrays_[prefix_ + name], values.data(), values.size() * sizeof(T));
    }

    // Of any length.
    template <class T>
    void list(const char* name, std::vector<T>& values) {
        (*this)(name, values);
    }

    // So many lists of any lengths.
    template <class T>
    void operator()(const char* name, std::vector<std::vector<T>>& lists) {
        std::vector<std::uint64_t> lengths;
        std::vector<T> values;
        for (const std::vector<T>& list : lists) {
            lengths.push_back(list.size());
            values.insert(values.end(), list.begin(), list.end());
        }
        Saver within(arrays_, prefix_ + name + ".");
        within("lengths", lengths);
        within("values", values);
    }

    // Runs of blocks that are not all zero: where each begins, how many bytes it has, and these.
    template <class T>
    void operator()(const char* name, Zeros<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
        const std::size_t count = values.size() * sizeof(T);
        Bytes& kept = arrays_[prefix_ + name];
        std::size_t room = 0;
        each_run(bytes, count, [&](const std::uint64_t (&run)[2]) { room += sizeof run + run[1]; });
        kept.reserve(room);  // a vector that grows would take three times as much
        each_run(bytes, count, [&](const std::uint64_t (&run)[2]) {
            append(kept, run, sizeof run);
            append(kept, bytes + run[0], run[1]);
        });
    }

private:
    // Calls with where each run begins, and how many bytes it has.
    template <class Visit>
    static void each_run(const std::uint8_t* bytes, std::size_t count, const Visit& visit) {
        const auto zero = [&](std::size_t first) { return all_zero(bytes + first, std::min(kBlock, count - first)); };
        for (std::size_t first = 0; first < count; first += kBlock) {
            if (zero(first)) continue;
            std::size_t end = first + kBlock;
            while (end < count && !zero(end)) end += kBlock;
            visit({first, std::min(end, count) - first});
            first = end;  // that block is zero
        }
    }

    static void append(Bytes& bytes, const void* more, std::size_t count) {
        const auto* first = static_cast<const std::uint8_t*>(more);
        bytes.insert(bytes.end(), first, first + count);
    }

    BytesByName& arrays_;
    const std::string prefix_;
};

// Reads what it visits from arrays. The simulation is new: vectors keep their sizes, lists do not.
class Loader {
public:
    explicit Loader(const BytesByName& arrays, std::string prefix = "") : arrays_(arrays), prefix_(std::move(prefix)) {}

    template <class Part>
    void operator()(const char* name, Part& part) {
        if constexpr (std::is_trivially_copyable_v<Part>) {
            const Bytes& bytes = named(name);
            require(bytes.size() == sizeof(Part));
            std::memcpy(static_cast<void*>(&part), bytes.data(), bytes.size());
        } else {
            Loader within(arrays_, prefix_ + name + ".");
            part.saved(within);
        }
    }

    template <class T>
    void operator()(const char* name, std::vector<T>& values) {
        const Bytes& bytes = named(name);
        require(bytes.size() == values.size() * sizeof(T));
        if (!bytes.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    }

    template <class T>
    void list(const char* name, std::vector<T>& values) {
        values.resize(named(name).size() / sizeof(T));
        (*this)(name, values);
    }

    template <class T>
    void operator()(const char* name, std::vector<std::vector<T>>& lists) {
        std::vector<std::uint64_t> lengths(lists.size());
        std::vector<T> values;
        Loader within(arrays_, prefix_ + name + ".");
        within("lengths", lengths);
        within.list("values", values);
        auto first = values.begin();
        for (std::size_t place = 0; place < lists.size(); ++place) {
            require(lengths[place] <= static_cast<std::uint64_t>(values.end() - first));
            lists[place].assign(first, first + static_cast<std::ptrdiff_t>(lengths[place]));
            first += static_cast<std::ptrdiff_t>(lengths[place]);
        }
        require(first == values.end());
    }

    template <class T>
    void operator()(const char* name, Zeros<T>& values) {
        auto* bytes = reinterpret_cast<std::uint8_t*>(values.data());
        const std::size_t count = values.size() * sizeof(T);
        const Bytes& kept = named(name);
        std::size_t done = 0;
        for (std::size_t place = 0; place < kept.size();) {
            std::uint64_t run[2];
            require(kept.size() - place >= sizeof run);
            std::memcpy(run, &kept[place], sizeof run);
            place += sizeof run;
            require(done <= run[0] && run[0] <= count && run[1] <= count - run[0] && run[1] <= kept.size() - place);
            clear(bytes, done, run[0]);
            std::memcpy(bytes + run[0], kept.data() + place, run[1]);
            place += run[1];
            done = run[0] + run[1];
        }
        clear(bytes, done, count);
    }

private:
    const Bytes& named(const char* name) const {
        const auto found = arrays_.find(prefix_ + name);
        require(found != arrays_.end());
        return found->second;
    }

    // Sets to zero what is not, and touches no other memory.
    static void clear(std::uint8_t* bytes, std::size_t first, std::size_t end) {
        for (; first < end; first += kBlock) {
            const std::size_t count = std::min(kBlock, end - first);
            if (!all_zero(bytes + first, count)) std::memset(bytes + first, 0, count);
        }
    }

    static void require(bool fits) {
        if (!fits) throw std::invalid_argument("a state of another simulation");
    }

    const BytesByName& arrays_;
    const std::string prefix_;
};

}  // namespace topoctl
