"""Every format: what was written is read back, and any text is read, or refused in one line."""

from dataclasses import replace
from io import BytesIO, StringIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.strategies import alike, graphs, placed, same
from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import FORMATS, read_topology, renderer
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph

each_format = pytest.mark.parametrize("candidate", FORMATS, ids=[one.name for one in FORMATS])


def outcome(function, *arguments):
    """What is returned and no message, or None and the message of a refusal."""
    try:
        return function(*arguments), ""
    except (FormatError, InvalidParameters) as refusal:
        return None, str(refusal)


@st.composite
def topologies(draw):
    return graph_topology(draw(graphs())) if draw(st.booleans()) else draw(placed())


def test_names_differ():
    assert len({one.name for one in FORMATS}) == len(FORMATS)
    assert all(suffix.startswith(".") and suffix.islower() for one in FORMATS for suffix in one.suffixes)


@each_format
@given(topology=topologies())
def test_what_was_written_is_read_back(candidate, topology):
    """Length limits may be left out, and layouts of routers without links refused; no more is lost."""
    text, refusal = outcome(candidate.render, topology)
    assert "\n" not in refusal
    if refusal:
        assert not candidate.suits(topology) or (topology.layout and not topology.graph.degrees.all())
        return
    assert next(one for one in FORMATS if one.recognises(text)) is candidate
    found = candidate.parse("graph", text)
    assert found.length_limit in (None, topology.length_limit)
    assert alike(replace(found, length_limit=topology.length_limit), topology)
    for stream in (StringIO(text), BytesIO(text.encode())):
        assert same(read_topology("-", stream, concentration=2).graph, topology.graph)


@each_format
@given(topology=topologies())
def test_every_suffix_writes_what_can_be_read(candidate, topology):
    for suffix in candidate.suffixes:
        text, refusal = outcome(renderer(f"a{suffix.upper()}"), topology)
        if refusal:
            continue
        found = read_topology("-", StringIO(text), concentration=2)
        assert found.endpoints == 2 * topology.graph.order
        assert same(found.graph, topology.graph)
        assert found.layout == topology.layout


def test_a_graph_without_a_layout_is_held_by_some_format():
    ring = graph_topology(Graph.from_links(3, [(0, 1), (1, 2), (2, 0)]))
    assert any(candidate.suits(ring) for candidate in FORMATS)
    assert all(candidate.render(ring) for candidate in FORMATS if candidate.suits(ring))


NEARLY = st.text(alphabet="0123 ,#{}\n\r\t-", max_size=40)


@each_format
@given(text=st.text() | NEARLY)
@example(text="0 1\n" + " " * 200_000 + "x")
@example(text="1" * 200_000)
@example(text="# \n" * 100_000 + "x")
def test_any_text_is_read_or_refused_with_its_path(candidate, text):
    candidate.recognises(text)
    topology, refusal = outcome(candidate.parse, "the path", text)
    assert "\n" not in refusal
    assert refusal.startswith("the path") or topology.graph.size >= 1
