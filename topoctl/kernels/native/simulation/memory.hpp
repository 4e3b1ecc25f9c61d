// Memory of zeros that the system hands out page by page as it is touched: room for the most that may ever be in use
// costs nothing until it is.
#pragma once

#include <cstdlib>
#include <new>

namespace topoctl {

template <class T>
class Zeros {
public:
    explicit Zeros(std::size_t count)
        : data_(static_cast<T*>(std::calloc(count ? count : 1, sizeof(T)))), size_(count) {
        if (!data_) throw std::bad_alloc();
    }
    ~Zeros() { std::free(data_); }
    Zeros(const Zeros&) = delete;
    Zeros& operator=(const Zeros&) = delete;

    T& operator[](std::size_t place) { return data_[place]; }
    const T& operator[](std::size_t place) const { return data_[place]; }
    T* data() { return data_; }
    std::size_t size() const { return size_; }

private:
    T* data_;
    std::size_t size_;
};

}  // namespace topoctl
