// The compiled backend. Every function here has a twin of the same name in topoctl.kernels.fallback;
// arguments are validated in Python before they come here.
#include "kernels.hpp"

NB_MODULE(_native, module) {
    for (const auto bind : topoctl::bindings()) bind(module);
}
