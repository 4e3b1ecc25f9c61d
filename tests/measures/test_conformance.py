"""Every measure: its fields, the same with any threads; refusals in a line; networks that are in parts."""

from math import isfinite

import pytest

from topoctl.analysis.assessment import assess
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.fields import COLUMNS, FIELDS
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.measures import MEASURES, Asked, measured, measuring
from topoctl.topology import Topology, uniform_endpoints

each_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
PLACED = topology_from_spec("slimfly(q=3,p=1)")
"""A network that has every measure."""


def of_links(layout, links, concentration):
    graph = Graph.from_links(layout.order, links)
    endpoints = uniform_endpoints(layout.order, concentration)
    return Topology("graph", {}, graph, endpoints, layout=layout)


@each_measure
def test_a_record_is_described(measure):
    assert MEASURES[measure.name] is measure
    assert {*measure.fields} <= {*FIELDS}
    assert len({*measure.fields}) == len(measure.fields)
    assert {*measure.columns} <= {*COLUMNS}
    assert not {*measure.fields} & {*assess(PLACED).numbers()}


@each_measure
def test_its_fields_are_measured_and_threads_change_none(measure):
    seen, assessment = [], assess(PLACED)
    assert measuring(PLACED, [measure], Asked(), None) == (measure,)
    first, again = (
        measured(
            assessment, [measure], Asked(threads=threads, trials=20), lambda *counted: seen.append(counted)
        )
        for threads in (1, 3)
    )
    assert {*first} == {*measure.fields}
    assert first == again
    for name in measure.columns:
        assert isfinite(first[name])
    assert {one.name for one, _, _ in seen} == {measure.name}
    assert seen[-1][1] == seen[-1][2]


@each_measure
@pytest.mark.parametrize("links", [[(0, 1), (2, 3)], []], ids=["two parts", "no links"])
def test_a_network_in_parts_has_its_fields_too(measure, links):
    apart = of_links(Layout("grid", 2, 2), links, 3)
    assert {*measured(assess(apart), [measure], Asked())} == {*measure.fields}


@each_measure
def test_a_single_router_is_measured_or_refused(measure):
    alone = of_links(Layout("grid", 1, 1), [], 2)
    for one in measuring(alone, [measure], Asked(), lambda *_: None):
        assert {*measured(assess(alone), [one], Asked())} == {*measure.fields}


@each_measure
def test_what_a_network_lacks_is_said_in_a_line(measure):
    bare, reasons = Topology("graph", {}, Graph.from_links(3, [(0, 1), (1, 2)]), uniform_endpoints(3, 0)), []
    found = measuring(bare, [measure], Asked(), lambda one, reason: reasons.append((one, reason)))
    if found:
        assert {*measured(assess(bare), found, Asked())} == {*measure.fields}
    else:
        [(one, reason)] = reasons
        assert one is measure
        assert "\n" not in reason
        with pytest.raises(InvalidParameters):
            measuring(bare, [measure], Asked(), None)
