// A simulation as arrays of bytes by name, and back. Every part of it lists what changes while it runs in `saved`, next
// to these members; all else follows from the plan. Most bytes are zero: these are left out.
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

constexpr std::size_t kPackedWord = 8, kMostZeroWords = 256;

// How many bytes there are, if any; then of every word a byte that says which of its bytes are not zero, and these. A
// run of words of zeros is a zero, and how many more there are.
inline Bytes packed(const void* from, std::size_t count) {
    Bytes found;
    if (!count) return found;
    const std::uint64_t told = count;
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    std::array<std::uint8_t, 1 << 14> part;  // appended as it is full, since a vector asks at every byte for room
    std::memcpy(part.data(), &told, sizeof told);
    std::size_t end = sizeof told, zeros = 0;
    const auto end_zeros = [&] {
        if (zeros) part[end++] = 0, part[end++] = static_cast<std::uint8_t>(zeros - 1);
        zeros = 0;
    };
    for (std::size_t first = 0; first < count; first += kPackedWord) {
        if (end + 2 * kPackedWord > part.size()) {
            found.insert(found.end(), part.data(), part.data() + end);
            end = 0;
        }
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + first, std::min(kPackedWord, count - first));
        if (!word) {
            if (++zeros == kMostZeroWords) end_zeros();
            continue;
        }
        end_zeros();
        unsigned mask = 0;
        const std::size_t place = end++;
        for (std::size_t byte = 0; byte < kPackedWord; ++byte) {
            const auto value = static_cast<std::uint8_t>(word >> 8 * byte);
            part[end] = value;
            end += value != 0;
            mask |= unsigned{value != 0} << byte;
        }
        part[place] = static_cast<std::uint8_t>(mask);
    }
    end_zeros();
    found.insert(found.end(), part.data(), part.data() + end);
    return found;
}

// Bytes as `packed` wrote them, wherever they are.
class Unpacker {
public:
    Unpacker() = default;
    Unpacker(const std::uint8_t* bytes, std::size_t count) : next_(bytes), end_(bytes + count) {
        if (!count) return;
        std::uint64_t told;
        require(count >= sizeof told);
        std::memcpy(&told, next_, sizeof told);
        next_ += sizeof told;
        // None are told that are not there: a byte stands for so many at most.
        require(told <= kMostZeroWords * kPackedWord * (count - sizeof told));
        count_ = told;
    }

    static void require(bool fits) {
        if (!fits) throw std::invalid_argument("a state of another simulation");
    }

    // How many they are.
    std::size_t count() const { return count_; }

    // Writes them all, as many as are expected.
    void write(void* to, std::size_t count) {
        require(count == count_);
        auto* bytes = static_cast<std::uint8_t*>(to);
        for (std::size_t first = 0; first < count;) {
            const std::uint8_t mask = next_byte();
            const std::size_t words = mask ? 1 : std::size_t{next_byte()} + 1;
            const std::size_t last = std::min(count, first + kPackedWord * words);
            if (!mask)
                std::memset(bytes + first, 0, last - first);
            else
                for (std::size_t byte = 0; byte < last - first; ++byte)
                    bytes[first + byte] = mask >> byte & 1 ? next_byte() : 0;
            first = last;
        }
        require(next_ == end_);
    }

private:
    std::uint8_t next_byte() {
        require(next_ != end_);
        return *next_++;
    }

    const std::uint8_t *next_ = nullptr, *end_ = nullptr;
    std::size_t count_ = 0;
};

// Writes what it visits into arrays.
class Saver {
public:
    explicit Saver(BytesByName& arrays, std::string prefix = "") : arrays_(arrays), prefix_(std::move(prefix)) {}

    template <class Part>
    void operator()(const char* name, Part& part) {
        if constexpr (std::is_trivially_copyable_v<Part>) {
            save(name, &part, sizeof(Part));
        } else {
            Saver within(arrays_, prefix_ + name + ".");
            part.saved(within);
        }
    }

    template <class T>
    void operator()(const char* name, std::vector<T>& values) {
        static_assert(std::has_unique_object_representations_v<T>, "the same simulation has the same bytes");
        save(name, values.data(), values.size() * sizeof(T));
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

    // The first ones of those that there is room for.
    template <class T>
    void first(const char* name, Zeros<T>& values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        save(name, values.data(), count * sizeof(T));
    }

private:
    void save(const char* name, const void* bytes, std::size_t count) {
        arrays_[prefix_ + name] = packed(bytes, count);
    }

    BytesByName& arrays_;
    const std::string prefix_;
};

using PackedByName = std::map<std::string, Unpacker>;

// Reads what it visits from arrays. The simulation is new: vectors keep their sizes, lists do not.
class Loader {
public:
    explicit Loader(const PackedByName& arrays, std::string prefix = "")
        : arrays_(arrays), prefix_(std::move(prefix)) {}

    template <class Part>
    void operator()(const char* name, Part& part) {
        if constexpr (std::is_trivially_copyable_v<Part>) {
            named(name).write(&part, sizeof(Part));
        } else {
            Loader within(arrays_, prefix_ + name + ".");
            part.saved(within);
        }
    }

    template <class T>
    void operator()(const char* name, std::vector<T>& values) {
        named(name).write(values.data(), values.size() * sizeof(T));
    }

    template <class T>
    void list(const char* name, std::vector<T>& values) {
        values.resize(named(name).count() / sizeof(T));
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
            Unpacker::require(lengths[place] <= static_cast<std::uint64_t>(values.end() - first));
            lists[place].assign(first, first + static_cast<std::ptrdiff_t>(lengths[place]));
            first += static_cast<std::ptrdiff_t>(lengths[place]);
        }
        Unpacker::require(first == values.end());
    }

    template <class T>
    void first(const char* name, Zeros<T>& values, std::size_t count) {
        Unpacker::require(count <= values.size());
        named(name).write(values.data(), count * sizeof(T));
    }

private:
    Unpacker named(const char* name) const {
        const auto found = arrays_.find(prefix_ + name);
        Unpacker::require(found != arrays_.end());
        return found->second;
    }

    const PackedByName& arrays_;
    const std::string prefix_;
};

}  // namespace topoctl
