#include "kernels.hpp"
#include "parallel.hpp"

namespace topoctl {

void bind_bfs(nb::module_& module) { (void)module; }

}  // namespace topoctl
