// The compiled backend. Every function here has a twin of the same name in topoctl.kernels.fallback;
// arguments are validated in Python before they come here.
#include "kernels.hpp"

NB_MODULE(_native, module) {
    topoctl::bind_bfs(module);
    topoctl::bind_equality(module);
    topoctl::bind_hop_annealing(module);
    topoctl::bind_link_annealing(module);
    topoctl::bind_latency(module);
}
