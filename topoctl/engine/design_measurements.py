"""Measure and simulate the networks of a design as tasks: a spec or links go in, numbers come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from time import monotonic
from typing import Any

from topoctl.analysis.assessment import assess
from topoctl.economics.prices import Prices
from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.engine.tasks import SideBySide, answers_in_order
from topoctl.errors import Damaged, TopoctlError, quoted
from topoctl.families import topology_from_spec
from topoctl.fields import FIELDS
from topoctl.fields.kinds import Kind
from topoctl.floor.floor import Floor
from topoctl.graph import Graph
from topoctl.interruption import require_wanted
from topoctl.json_shapes import Shape, anything, many, number, one_of, optional, record, text, whole
from topoctl.layout import Layout
from topoctl.measures.traffic import SIMULATED, simulated_numbers
from topoctl.search.design.measurements import Numbers, design_numbers
from topoctl.search.design.objectives import missed, vector
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.ranking import distances_of
from topoctl.search.state import decoding
from topoctl.topology import Topology, uniform_endpoints

ALWAYS = record({"diameter": whole(), "endpoints": whole(1), "router_radix": whole(1)}, more=True)
"""Numbers that no answer lacks."""
ALL_SIMULATED = record(dict.fromkeys(SIMULATED, anything))
SCALARS = {"integer": whole(), "number": number(), "string": text(), "boolean": one_of(False, True)}
"""Shapes of the types of fields."""


def measure_network(task: Task) -> Answer:
    """Build the network of a task, and measure it."""
    values, threads = task.values, task.values["threads"]
    topology = _network_of(task)
    assessment = assess(topology, threads, distances=distances_of(topology, threads))
    floor, prices = Floor(**values["floor"]), Prices(**values["prices"])
    asked = values["measures"], values["asked"], floor, prices, values["planes"], values["seconds"]
    return Answer(design_numbers(assessment, *asked))


def simulate_network(task: Task) -> Answer:
    """Build the network of a task, and simulate uniform traffic on it, until nobody waits for that."""
    values = task.values
    routing, throughput, seed = (values[name] for name in ("own_routing", "own_throughput", "seed"))
    require_wanted()
    numbers = simulated_numbers(_network_of(task), routing, throughput, seed, lambda *_: require_wanted())
    return Answer(numbers)


def _network_of(task: Task) -> Topology:
    """Build the network of a task."""
    values = task.values
    if values["spec"] is not None:
        return topology_from_spec(values["spec"])
    graph = Graph.from_links(values["order"], task.arrays["links"])
    endpoints = uniform_endpoints(graph.order, values["concentration"])
    layout = Layout(*values["layout"]) if values["layout"] else None
    return Topology("graph", {}, graph, endpoints, layout=layout)


def measurement_task(topology: Topology | str, request: DesignRequest, planes: int = 1) -> Task:
    """Return the task of a network in so many planes, or of its spec; the engine adds `threads`."""
    values: dict[str, Any] = {
        "planes": planes,
        "measures": [*request.measures],
        "asked": request.asked,
        "seconds": request.seconds,
        "floor": request.floor.model_dump(),
        "prices": request.prices.model_dump(mode="json"),
    }
    return _task_of("measurement", topology, values, partial(_check_numbers, request))


def simulation_task(topology: Topology, known: Mapping[str, Any], seed: int) -> Task:
    """Return the task of a network whose numbers in `known` are measured."""
    values = {name: known[name] for name in ("own_routing", "own_throughput")} | {"seed": seed}
    return _task_of("simulation", topology, values, _check_simulated)


def _task_of(
    function: str, topology: Topology | str, values: Mapping[str, Any], check: Callable[[Answer], object]
) -> Task:
    spec = topology if isinstance(topology, str) else topology.spec
    if isinstance(topology, str) or spec is not None:
        return Task(function, {**values, "spec": spec}, check=check)
    graph, layout = topology.graph, topology.layout
    network = {
        "spec": None,
        "order": graph.order,
        "concentration": topology.concentration,
        "layout": layout and [layout.kind, layout.width, layout.height],
    }
    return Task(function, {**values, **network}, {"links": graph.links()}, check)


def _check_numbers(request: DesignRequest, answer: Answer) -> None:
    """Refuse what are no numbers of a network, or none that designs can be compared by.

    Raises:
        Damaged: saying what is wrong.
    """
    ALWAYS(dict(answer.values), "the answer")
    _check_fields(answer)
    with decoding("the answer"):
        vector(answer.values, request.front)
        missed(request.asked, answer.values)


def _check_simulated(answer: Answer) -> None:
    """Refuse what are no numbers of a simulation."""
    ALL_SIMULATED(dict(answer.values), "the answer")
    _check_fields(answer)


def _check_fields(answer: Answer) -> None:
    """Refuse what are no numbers of a network."""
    for name, value in answer.values.items():
        if name not in FIELDS:
            raise Damaged(f"the answer has an unknown {quoted(name)}")
        optional(_shape_of(FIELDS[name].kind))(value, f"the answer.{name}")


def _shape_of(kind: Kind) -> Shape:
    """Return the shape of the values that a JSON Schema of a field allows."""
    match kind:
        case {"enum": values}:
            return one_of(*values)
        case {"type": "array", "items": items}:
            return many(_shape_of(items))
        case {"type": "object", "properties": properties}:
            lacking = {*properties}.difference(kind["required"])
            return record({name: _shape_of(one) for name, one in properties.items()}, lacking)
        case {"type": [name, "null"]}:
            return optional(SCALARS[name])
    return SCALARS[kind["type"]]


def measure_networks(
    engine: Engine, tasks: Sequence[Task], on_done: Callable[[int], None]
) -> list[Numbers | str]:
    """Measure networks on an engine.

    Args:
        engine: where they run.
        tasks: of :func:`measurement_task`.
        on_done: called with how many are done.

    Returns:
        The numbers of every network in the order of the tasks, or why it could not be measured.
    """
    return [_numbers_in(answer) for answer in answers_in_order(engine, tasks, on_done)]


def simulate_networks(
    tasks: Sequence[Task], threads: int, until: float, on_done: Callable[[int], None]
) -> list[Numbers | None]:
    """Simulate networks side by side in this process, as far as there is time.

    Args:
        tasks: of :func:`simulation_task`.
        threads: networks at once; no result depends on it.
        until: when to stop, by the clock.
        on_done: called with how many are done.

    Returns:
        What was found of each; None where there was no time.
    """

    def told(done: int) -> None:
        on_done(done)
        if monotonic() > until:
            raise _Late

    found: list[Numbers | None] = [None] * len(tasks)
    with closing(SideBySide(threads)) as engine, suppress(_Late):
        for place, answer in enumerate(answers_in_order(engine, tasks, told)):
            if isinstance(answer, Exception):
                raise answer
            found[place] = dict(answer.values)
    return found


class _Late(Exception):  # noqa: N818 - nothing is wrong
    """There is no more time."""


def _numbers_in(answer: Answer | Exception) -> Numbers | str:
    """Return the numbers of an answer, or why there are none.

    Raises:
        Exception: the answer is an error that no network may cause.
    """
    if isinstance(answer, TopoctlError):
        return str(answer)
    if isinstance(answer, Exception):
        raise answer
    return dict(answer.values)
