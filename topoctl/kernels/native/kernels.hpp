// What the kernels share: types of arrays, and how a kernel gets into the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace topoctl {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A numpy array that owns the vector's memory.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// Rows of several lengths as a table; a short row goes on with its last value. None is empty.
inline nb::ndarray<nb::numpy, std::int32_t> padded(const std::vector<std::vector<std::int32_t>>& rows) {
    std::size_t longest = 1;
    for (const auto& row : rows) longest = std::max(longest, row.size());
    std::vector<std::int32_t> table(rows.size() * longest);
    for (std::size_t place = 0; place < rows.size(); ++place)
        for (std::size_t column = 0; column < longest; ++column)
            table[place * longest + column] = rows[place][std::min(column, rows[place].size() - 1)];
    return to_numpy(std::move(table), {rows.size(), longest});
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
