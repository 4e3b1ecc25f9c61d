// What the kernels share: types of arrays, and how a kernel gets into the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "links.hpp"

namespace topoctl {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Cube = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

inline Links links_of(const Array<std::int32_t>& offsets, const Array<std::int32_t>& neighbors) {
    return {offsets.data(), neighbors.data(), offsets.size() - 1};
}

// A numpy array that owns the vector's memory.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// The integers of a dataclass of Python's by their names, so that no order of them is told twice.
class Fields {
public:
    explicit Fields(nb::handle record) : record_(record) {}

    std::int64_t operator[](const char* name) const { return nb::cast<std::int64_t>(record_.attr(name)); }

private:
    nb::handle record_;
};

// One walk for every walker, as `read` finds it in its dataclass.
template <class Walk>
std::vector<Walk> walks_of(const nb::sequence& walks, Walk (*read)(nb::handle walk)) {
    std::vector<Walk> found;
    for (nb::handle walk : walks) found.push_back(read(walk));
    return found;
}

// The functions that put kernels into the module when it is imported.
inline std::vector<void (*)(nb::module_&)>& bindings() {
    static std::vector<void (*)(nb::module_&)> all;
    return all;
}

// A kernel registers itself: its file declares one of these with the function that binds it.
struct Kernel {
    explicit Kernel(void (*bind)(nb::module_&)) { bindings().push_back(bind); }
};

}  // namespace topoctl
