"""What a design measures of a network, as tasks: a spec or links go in, numbers come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from topoctl.analysis.assessment import assess
from topoctl.economics.prices import Prices
from topoctl.engine.in_order import in_order
from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.errors import TopoctlError
from topoctl.families import topology_from_spec
from topoctl.floor.floor import Floor
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.search.design.appraisal import Numbers, appraise
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.ranking import distances_of
from topoctl.topology import Topology, uniform_endpoints


def appraised(task: Task) -> Answer:
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
    return Answer(appraise(assessment, values["measures"], values["asked"], floor, prices))


def appraising(topology: Topology | str, request: DesignRequest) -> Task:
    """The task of a network, or of its spec; `threads` is the engine's to add."""
    values: dict[str, Any] = {
        "spec": topology if isinstance(topology, str) else topology.spec,
        "measures": [*request.measures],
        "asked": request.asked,
        "floor": request.floor.model_dump(),
        "prices": request.prices.model_dump(mode="json"),
    }
    if isinstance(topology, str) or topology.spec is not None:
        return Task("appraise", values)
    graph, layout = topology.graph, topology.layout
    values |= {"order": graph.order, "concentration": topology.concentration}
    values["layout"] = layout and [layout.kind, layout.width, layout.height]
    return Task("appraise", values, {"links": graph.links()})


def answers(engine: Engine, tasks: Sequence[Task], on_done: Callable[[int], None]) -> list[Numbers | str]:
    """Run tasks on an engine.

    Args:
        engine: where they run.
        tasks: of :func:`appraising`.
        on_done: called with how many are done.

    Returns:
        The numbers of every network in the order of the tasks, or why it could not be measured.
    """
    return [numbers_in(answer) for answer in in_order(engine, tasks, on_done)]


def numbers_in(answer: Answer | Exception) -> Numbers | str:
    """What an answer tells: numbers, or why there are none.

    Raises:
        Exception: an answer that no network may give.
    """
    if isinstance(answer, TopoctlError):
        return str(answer)
    if isinstance(answer, Exception):
        raise answer
    return dict(answer.values)
