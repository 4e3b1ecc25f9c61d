"""Imports point down only."""

import ast
import re
from pathlib import Path

import topoctl

PACKAGE = Path(topoctl.__file__).parent
VOCABULARY = (
    *("graph", "topology", "layout", "cable_limit", "errors", "files", "json_shapes", "memory"),
    *("definitions", "interruption", "streams", "fields", "options", "seeds", "version"),
)
LAYERS = [
    ("kernels",),
    VOCABULARY,
    ("floor",),
    ("formats",),
    ("families",),
    ("analysis",),
    ("wiring",),
    ("routing",),
    ("simulation",),
    ("economics",),
    ("simulation",),
    ("measures",),
    ("search",),
    ("engine",),
    ("study",),
    ("papers",),
    ("runs",),
    ("report",),
    ("api",),
    ("cli", "__main__"),
]
MEASURING = ("formats", "families", "analysis", "economics", "measures")
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def upward(module, imported):
    """Whether a module imports one of a higher layer."""
    room, target = module.split(".")[1], imported.split(".")[1]
    if room == "kernels" and target == "errors":
        return False
    return LEVEL[target] > LEVEL[room]


def imports():
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        if module == "topoctl":  # it names what every room gives to Python programs
            continue
        text = path.read_text()
        names = [
            name for line in re.findall(r"^ *import (.+)", text, re.MULTILINE) for name in line.split(", ")
        ]
        for source, taken in re.findall(r"^ *from (\S+) import (\([^)]*\)|.+)", text, re.MULTILINE):
            rooms = [f"topoctl.{word}" for word in re.findall(r"\w+", taken)]
            names += rooms if source == "topoctl" else [source]
        for name in names:
            if name.startswith("topoctl."):
                yield module, name


def test_the_rule_sees_an_import_that_points_up():
    assert upward("topoctl.kernels.backend", "topoctl.graph")
    assert upward("topoctl.study.runner", "topoctl.report.progress")
    assert not upward("topoctl.runs.rows", "topoctl.papers.presets")
    assert not upward("topoctl.kernels.backend", "topoctl.errors")


def test_imports_point_down():
    found = list(imports())
    assert len(found) > 20
    assert [pair for pair in found if upward(*pair)] == []


def measuring(source):
    """What the source of a module of report imports that measures: kernels, and functions of analysis.

    Pareto fronts compare numbers that were measured before.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("topoctl."):
            room = node.module.split(".")[1]
            for alias in node.names:
                measures = room in MEASURING and node.module != "topoctl.analysis.pareto"
                if room == "kernels" or (measures and not alias.name[0].isupper()):
                    yield f"{node.module}.{alias.name}"


def test_the_rule_sees_a_measurement_in_report():
    assert list(measuring("from topoctl.analysis.distances import Distances, measure")) == [
        "topoctl.analysis.distances.measure"
    ]
    assert list(measuring("def row():\n    from topoctl.kernels.bfs import Reach")) == [
        "topoctl.kernels.bfs.Reach"
    ]


def test_report_takes_records_and_measures_nothing():
    found = {path: list(measuring(path.read_text())) for path in (PACKAGE / "report").rglob("*.py")}
    assert len(found) > 20
    assert {path: names for path, names in found.items() if names} == {}
