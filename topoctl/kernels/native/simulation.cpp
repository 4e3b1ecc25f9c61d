// A cycle-level simulation of routers with virtual channels and credits, as an object that goes on where it stopped.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "dispatch.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "simulation/simulator.hpp"

namespace topoctl {
namespace {

// A simulation goes on for long: what was freed as its plan was made, or as its last state was kept, is not held on to.
void give_back_freed_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

Simulation* simulator_of(nb::handle record) {
    give_back_freed_memory();
    auto plan = std::make_unique<Plan>(record);
    std::size_t lines = plan->ports;
    for (std::size_t width = 1; width < plan->channels; width *= 2) lines *= 2;
    const std::size_t words = (lines + kWordBits - 1) / kWordBits;
    const std::size_t room = words <= 1 ? 1 : words <= 2 ? 2 : words <= 4 ? 4 : words <= 16 ? 16 : 64;
    return dispatch<1, 2, 4, 16, 64>(room,
                                     [&](auto known) -> Simulation* { return new Simulator<known>(std::move(plan)); });
}

nb::ndarray<nb::numpy, std::int64_t> rows(std::vector<std::int64_t> numbers, std::size_t columns) {
    const std::size_t count = numbers.size() / columns;
    return to_numpy(std::move(numbers), {count, columns});
}

template <class Counts>
nb::ndarray<nb::numpy, std::int64_t> counted(const Counts& counts) {
    return to_numpy(std::vector<std::int64_t>(counts.begin(), counts.end()), {counts.size()});
}

std::int64_t run(Simulation& simulation, std::int64_t until, bool counting, std::int64_t last, bool drain) {
    std::int64_t reached = 0;
    parallel_for(1, 1, [&](std::size_t, std::size_t, Stop& stop) {
        reached = simulation.run(until, counting, last, drain, stop);
    });
    return reached;
}

nb::dict state_of(Simulation& simulation) {
    give_back_freed_memory();
    BytesByName arrays;
    simulation.save(Saver(arrays));
    nb::dict found;
    for (auto& [name, bytes] : arrays) {
        const std::size_t size = bytes.size();
        found[name.c_str()] = to_numpy(std::move(bytes), {size});
    }
    return found;
}

void restore(Simulation& simulation, const nb::dict& state) {
    PackedByName arrays;
    for (auto [name, array] : state) {
        const auto bytes = nb::cast<Array<std::uint8_t>>(array);
        arrays.emplace(nb::str(name).c_str(), Unpacker(bytes.data(), bytes.size()));
    }
    simulation.load(Loader(arrays));
}

const Kernel kernel([](nb::module_& module) {
    nb::class_<Simulation>(module, "Simulator")
        .def("run", &run, nb::arg("until"), nb::arg("counting"), nb::arg("last"), nb::arg("drain"))
        .def("clear", &Simulation::clear)
        .def("state", &state_of)
        .def("restore", &restore, nb::arg("state"))
        .def("forget", &Simulation::forget)
        .def("sums", [](const Simulation& simulation) { return counted(simulation.statistics.sums); })
        .def("sent", [](const Simulation& simulation) { return counted(simulation.statistics.sent); })
        .def("taken", [](const Simulation& simulation) { return counted(simulation.statistics.taken); })
        .def("carried", [](Simulation& simulation) { return counted(simulation.carried()); })
        .def("reached", [](const Simulation& simulation) { return counted(simulation.reached()); })
        .def("histogram", [](const Simulation& simulation) { return counted(simulation.statistics.histogram); })
        .def("live",
             [](const Simulation& simulation) {
                 return nb::make_tuple(simulation.statistics.live_flits, simulation.statistics.live_made);
             })
        .def("moved", &Simulation::moved)
        .def("waiting", [](Simulation& simulation) { return rows(simulation.waiting(), 8); })
        .def("unfinished", [](const Simulation& simulation) { return rows(simulation.unfinished(), 6); })
        .def("messages", [](const Simulation& simulation) { return rows(simulation.messages(), 2); })
        .def("left", &Simulation::left)
        .def("packets", [](Simulation& simulation) { return rows(std::exchange(simulation.statistics.log, {}), 6); });
    module.def("simulator_of", &simulator_of, nb::rv_policy::take_ownership, nb::arg("plan"));
});

}  // namespace
}  // namespace topoctl
