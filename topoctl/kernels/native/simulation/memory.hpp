// Memory of zeros that the system hands out page by page as it is touched: room for the most that may ever be in use
// costs nothing until it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace topoctl {

// Begins on a cache line.
template <class T>
class Zeros {
public:
    explicit Zeros(std::size_t count) : block_(std::calloc(count * sizeof(T) + kLine, 1)), size_(count) {
        if (!block_) throw std::bad_alloc();
        const auto address = reinterpret_cast<std::uintptr_t>(block_);
        data_ = reinterpret_cast<T*>((address + kLine - 1) / kLine * kLine);
    }
    ~Zeros() { std::free(block_); }
    Zeros(const Zeros&) = delete;
    Zeros& operator=(const Zeros&) = delete;

    T& operator[](std::size_t place) { return data_[place]; }
    const T& operator[](std::size_t place) const { return data_[place]; }
    T* data() { return data_; }
    std::size_t size() const { return size_; }

private:
    static constexpr std::size_t kLine = 64;

    void* block_;
    T* data_;
    std::size_t size_;
};

}  // namespace topoctl
