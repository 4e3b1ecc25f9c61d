"""Measure the networks of a design as tasks: a spec or links go in, numbers come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from topoctl.analysis.assessment import assess
from topoctl.economics.prices import Prices
from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.engine.tasks import answers_in_order
from topoctl.errors import Damaged, TopoctlError, quoted
from topoctl.families import topology_from_spec
from topoctl.fields import FIELDS
from topoctl.fields.kinds import Kind
from topoctl.floor.floor import Floor
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.search.design.measurements import Numbers, design_numbers
from topoctl.search.design.objectives import missed, vector
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.ranking import distances_of
from topoctl.search.json_shapes import Shape, many, number, one_of, optional, record, text, whole
from topoctl.search.state import decoding
from topoctl.topology import Topology, uniform_endpoints

ALWAYS = record({"diameter": whole(), "endpoints": whole(1), "router_radix": whole(1)}, more=True)
"""Numbers that no answer lacks."""
SCALARS = {"integer": whole(), "number": number(), "string": text(), "boolean": one_of(False, True)}
"""Shapes of the types of fields."""


def measure_network(task: Task) -> Answer:
    """Build the network of a task, and measure it."""
    values, threads = task.values, task.values["threads"]
    if values["spec"] is None:
        graph = Graph.from_links(values["order"], task.arrays["links"])
        endpoints = uniform_endpoints(graph.order, values["concentration"])
        layout = Layout(*values["layout"]) if values["layout"] else None
        topology = Topology("graph", {}, graph, endpoints, layout=layout)
    else:
        topology = topology_from_spec(values["spec"])
    assessment = assess(topology, threads, distances=distances_of(topology, threads))
    floor, prices = Floor(**values["floor"]), Prices(**values["prices"])
    return Answer(design_numbers(assessment, values["measures"], values["asked"], floor, prices))


def measurement_task(topology: Topology | str, request: DesignRequest) -> Task:
    """Return the task of a network, or of its spec; the engine adds `threads`."""
    values: dict[str, Any] = {
        "spec": topology if isinstance(topology, str) else topology.spec,
        "measures": [*request.measures],
        "asked": request.asked,
        "floor": request.floor.model_dump(),
        "prices": request.prices.model_dump(mode="json"),
    }
    check = partial(_check_numbers, request)
    if isinstance(topology, str) or topology.spec is not None:
        return Task("measurement", values, check=check)
    graph, layout = topology.graph, topology.layout
    values |= {"order": graph.order, "concentration": topology.concentration}
    values["layout"] = layout and [layout.kind, layout.width, layout.height]
    return Task("measurement", values, {"links": graph.links()}, check)


def _check_numbers(request: DesignRequest, answer: Answer) -> None:
    """Refuse what are no numbers of a network, or none that designs can be compared by.

    Raises:
        Damaged: saying what is wrong.
    """
    ALWAYS(dict(answer.values), "the answer")
    for name, value in answer.values.items():
        if name not in FIELDS:
            raise Damaged(f"the answer has an unknown {quoted(name)}")
        optional(_shape_of(FIELDS[name].kind))(value, f"the answer.{name}")
    with decoding("the answer"):
        vector(answer.values, request.front)
        missed(request.asked, answer.values)


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
