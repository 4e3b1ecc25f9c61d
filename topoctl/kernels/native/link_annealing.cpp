// Annealed exchange of links, many walkers per call: see link_annealing/link_walker.hpp.
#include <nanobind/stl/string.h>

#include "kernels.hpp"
#include "link_annealing/lift_walker.hpp"
#include "link_annealing/link_walker.hpp"

namespace topoctl {
namespace {

using link_annealing::kScoreColumns;
using link_annealing::LiftWalker;
using link_annealing::LinkWalk;
using link_annealing::LinkWalker;
using link_annealing::Neighborhood;
using link_annealing::Router;
using link_annealing::Score;
using link_annealing::Walker;

link_annealing::Method method_of(nb::handle name) {
    const std::string method = nb::cast<std::string>(name);
    return method == "toggle"     ? link_annealing::kToggle
           : method == "affected" ? link_annealing::kAffected
           : method == "delta"    ? link_annealing::kDelta
                                  : link_annealing::kFull;
}

LinkWalk walk_of(nb::handle walk) {
    const Fields fields(walk);
    LinkWalk found;
    found.rotation_order = fields["rotation_order"];
    found.second_order = fields["second_order"];
    found.target = fields["target"];
    found.weight = fields["weight"];
    found.slack = fields["slack"];
    found.method = method_of(walk.attr("method"));
    found.focus = fields["focus"];
    found.moves = fields["moves"];
    found.aim = fields["aim"];
    found.goal_diameter = fields["goal_diameter"];
    found.goal_sum = fields["goal_sum"];
    found.lifted = fields["lifted"];
    if (const nb::object cables = walk.attr("cables"); !cables.is_none()) {
        const Fields weights(cables);
        found.cables.across = weights["across"];
        found.cables.along = weights["along"];
        found.cables.constant = weights["constant"];
        found.cables.electric = weights["electric"];
        found.cables.price = weights["price"];
    }
    if (const nb::object standing = walk.attr("standing"); !standing.is_none()) {
        const auto slots = nb::cast<Table<Router>>(standing.attr("slots"));  // which the walk keeps alive
        found.standing = {slots.data(), slots.shape(0), slots.shape(1), Fields(standing)["most_missing"]};
    }
    if (const nb::object hosts = walk.attr("hosts"); !hosts.is_none())
        found.hosts = {nb::cast<Array<Router>>(hosts.attr("counts")).data(),
                       static_cast<Router>(Fields(hosts)["ports"])};
    return found;
}

std::unique_ptr<Walker> walker_of(const Neighborhood& neighborhood, const LinkWalk& walk, const Router* slots,
                                  const Router* generators, std::uint64_t seed) {
    if (walk.lifted) return std::make_unique<LiftWalker>(neighborhood, walk, slots, generators, seed);
    return std::make_unique<LinkWalker>(neighborhood, walk, slots, generators, seed);
}

nb::tuple anneal_links(std::size_t radix, Table<Router> slots, Table<Router> generators,
                       Array<std::int64_t> near_offsets, Array<Router> near, Table<std::int32_t> diagonals,
                       std::int32_t limit, nb::sequence walks, Array<std::uint64_t> seeds,
                       Table<std::int64_t> temperatures, Array<std::int64_t> thresholds, std::size_t threads) {
    const std::size_t walkers = slots.shape(0), steps = temperatures.shape(1);
    const std::vector<LinkWalk> given = walks_of(walks, walk_of);
    const std::int64_t* offsets = near_offsets.size() ? near_offsets.data() : nullptr;
    const Neighborhood neighborhood{diagonals.shape(0), radix, offsets, near.data(), diagonals.data(), limit};
    const std::size_t order = neighborhood.order;
    std::vector<Router> last(slots.size()), best(slots.size()), hosts(walkers * 2 * order);
    std::vector<std::int64_t> scores(walkers * 2 * kScoreColumns), moves(walkers), accepted(walkers * steps);
    parallel_for(walkers, threads, [&](std::size_t, std::size_t walker, Stop& stop) {
        const LinkWalk& walk = given[walker];
        const std::size_t size = slots.shape(1);
        const std::unique_ptr<Walker> annealed =
            walker_of(neighborhood, walk, slots.data() + walker * size,
                      generators.data() + walker * generators.shape(1), seeds.data()[walker]);
        const Cooling cooling{temperatures.data() + walker * steps, steps, thresholds.data(),
                              static_cast<std::uint64_t>(walk.moves)};
        annealed->run(cooling, accepted.data() + walker * steps, stop);
        annealed->write_last(last.data() + walker * size);
        annealed->write_best(best.data() + walker * size);
        Router* counts = hosts.data() + walker * 2 * order;
        std::copy(annealed->last_hosts().begin(), annealed->last_hosts().end(), counts);
        std::copy(annealed->best_hosts().begin(), annealed->best_hosts().end(), counts + order);
        const Score both[]{annealed->score(), annealed->best()};
        std::memcpy(scores.data() + walker * 2 * kScoreColumns, both, sizeof both);
        moves[walker] = annealed->moves();
    });
    return nb::make_tuple(
        to_numpy(std::move(last), {walkers, slots.shape(1)}), to_numpy(std::move(best), {walkers, slots.shape(1)}),
        to_numpy(std::move(hosts), {walkers, 2, order}), to_numpy(std::move(scores), {walkers, 2, kScoreColumns}),
        to_numpy(std::move(moves), {walkers}), to_numpy(std::move(accepted), {walkers, steps}));
}

const Kernel kernel([](nb::module_& module) {
    module.def("anneal_links", &anneal_links, nb::arg("radix"), nb::arg("slots"), nb::arg("generators"),
               nb::arg("near_offsets"), nb::arg("near"), nb::arg("diagonals"), nb::arg("limit"), nb::arg("walks"),
               nb::arg("seeds"), nb::arg("temperatures"), nb::arg("thresholds"), nb::arg("threads"));
});

}  // namespace
}  // namespace topoctl
