"""topoctl: explore, certify and rank interconnection-network topologies."""

from __future__ import annotations

from importlib import import_module

from topoctl.version import __version__ as __version__

TYPE_CHECKING = False  # typing takes longer to import than all that is here
if TYPE_CHECKING:
    from typing import Any

    from topoctl.analysis.assessment import Assessment
    from topoctl.analysis.failures import Failures
    from topoctl.api.bounds import bounds
    from topoctl.api.cable import cable, named
    from topoctl.api.check import check
    from topoctl.api.design import design
    from topoctl.api.enumerate import enumerate  # noqa: A004 - the command's word
    from topoctl.api.evaluate import evaluate
    from topoctl.api.grow import grow, work_plan
    from topoctl.api.networks import build, list_families, measure, presets, read, write
    from topoctl.api.plot import plot
    from topoctl.api.results import Results
    from topoctl.api.route import route
    from topoctl.api.searches import (
        optimize_graph,
        optimize_grid,
        optimize_hosts,
        search_cayley,
        search_equality,
    )
    from topoctl.api.simulate import simulate
    from topoctl.api.sweep import sweep
    from topoctl.errors import FormatError, Infeasible, InvalidParameters, StudyError, TopoctlError
    from topoctl.graph import Graph
    from topoctl.layout import Layout
    from topoctl.routing.disjoint_paths import disjoint_paths, fault_free_path, vertex_connectivity
    from topoctl.topology import Topology

__all__ = [
    "Assessment",
    "Failures",
    "FormatError",
    "Graph",
    "Infeasible",
    "InvalidParameters",
    "Layout",
    "Results",
    "StudyError",
    "TopoctlError",
    "Topology",
    "bounds",
    "build",
    "cable",
    "check",
    "design",
    "disjoint_paths",
    "enumerate",
    "evaluate",
    "fault_free_path",
    "grow",
    "list_families",
    "measure",
    "named",
    "optimize_graph",
    "optimize_grid",
    "optimize_hosts",
    "plot",
    "presets",
    "read",
    "route",
    "search_cayley",
    "search_equality",
    "simulate",
    "sweep",
    "vertex_connectivity",
    "work_plan",
    "write",
]

_PLACES = {
    "analysis.assessment": ("Assessment",),
    "analysis.failures": ("Failures",),
    "api.cable": ("cable", "named"),
    "api.check": ("check",),
    "api.design": ("design",),
    "api.evaluate": ("evaluate",),
    "api.grow": ("grow", "work_plan"),
    "api.bounds": ("bounds",),
    "api.enumerate": ("enumerate",),
    "api.networks": ("build", "list_families", "measure", "presets", "read", "write"),
    "api.plot": ("plot",),
    "api.results": ("Results",),
    "api.route": ("route",),
    "api.simulate": ("simulate",),
    "api.sweep": ("sweep",),
    "api.searches": (
        *("optimize_graph", "optimize_grid", "optimize_hosts", "search_cayley", "search_equality"),
    ),
    "errors": ("FormatError", "Infeasible", "InvalidParameters", "StudyError", "TopoctlError"),
    "graph": ("Graph",),
    "layout": ("Layout",),
    "routing.disjoint_paths": ("disjoint_paths", "fault_free_path", "vertex_connectivity"),
    "topology": ("Topology",),
}
"""Where each name is; a module is imported when one of its names is asked for."""


def __getattr__(name: str) -> Any:
    for place, names in _PLACES.items():
        if name in names:
            found = getattr(import_module(f"{__name__}.{place}"), name)
            if not isinstance(found, type):
                from topoctl.api.calls import said_plainly

                found = said_plainly(found)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
