#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {

void bind_equality(nb::module_& module) { (void)module; }

}  // namespace topoctl
