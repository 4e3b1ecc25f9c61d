"""Every format: what was written reads back as the same network, any bytes are read or refused in a line."""

import dataclasses
from functools import cache
from io import BytesIO

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.strategies import networks, same
from properties import few, rest_thorough
from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.formats import FORMATS, format_for, format_named, formats_for, read_topology, write_topology
from topoctl.formats.record import ENDPOINTS, LAYOUT, LENGTH_LIMIT, NAMES, Content
from topoctl.layout import Layout

pytestmark = pytest.mark.once

each_format = pytest.mark.parametrize("known", FORMATS.values(), ids=list(FORMATS))
READ = [known for known in FORMATS.values() if known.is_read]
each_reader = pytest.mark.parametrize("known", READ, ids=[known.name for known in READ])
SPECS = [spec for family in FAMILIES.values() for spec in family.examples]
SMALL = [
    spec
    for family in FAMILIES.values()
    for spec in family.examples
    if family.claims(family.parse(spec)).order < 1000
]
FIRST = [
    family.examples[0]
    for family in FAMILIES.values()
    if family.claims(family.parse(family.examples[0])).order < 100
]


@cache
def built(spec):
    return topology_from_spec(spec)


@cache
def placed():
    """Two networks with layouts."""
    return [
        dataclasses.replace(built("mesh(dims=4x5)"), layout=Layout("grid", 4, 5), length_limit=2),
        dataclasses.replace(built("torus(dims=4x5)"), layout=Layout("diagrid", 2, 10)),
    ]


@cache
def accepted(known):
    """What a format writes of the family examples, and of the placed ones, that it takes."""
    found = []
    for topology in (*map(built, SMALL), *placed()):
        try:
            found.append(known.write(topology))
        except InvalidParameters:
            continue
    return found


def held(topology, known):
    """What a format holds beside the links, as it should be read back."""
    endpoints = (
        topology.endpoints_per_router if ENDPOINTS in known.holds else 0 * topology.endpoints_per_router
    )
    layout = topology.layout if LAYOUT in known.holds else None
    return endpoints.tolist(), layout, topology.length_limit if LENGTH_LIMIT in known.holds else None


def read(known, files, path="-"):
    return known.read(Content(path, files))


def one_line_or(function, argument, refusal):
    """What a function returns; None where it raises the error that it may raise, of one short line."""
    message = ""
    try:
        return function(argument)
    except refusal as error:
        message = str(error)
    assert "\n" not in message
    assert 0 < len(message) < 500
    assert refusal is not FormatError or message.startswith(getattr(argument, "path", "-"))
    return None


@each_format
def test_record_is_complete(known):
    assert format_named(known.name.upper()) is FORMATS[known.name] is known
    assert known.title
    assert known.remark.endswith(".")
    assert known.suffixes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in known.suffixes)
    assert known.holds <= {ENDPOINTS, LAYOUT, LENGTH_LIMIT, NAMES}
    assert set(known.parts) <= set(known.suffixes)


def test_a_suffix_belongs_to_one_format_whatever_the_topology():
    free = built("slimfly(q=5)")
    placed = dataclasses.replace(free, layout=Layout("grid", 5, 10))
    for known in FORMATS.values():
        for suffix in known.suffixes:
            owners = formats_for(f"x{suffix}")
            assert len([one for one in owners if not one.needs_layout]) <= 1
            assert format_for(placed, f"X{suffix.upper()}") is owners[0]
            assert format_for(free, f"x{suffix}") is owners[-1]


def test_names_are_told_when_they_are_wrong():
    with pytest.raises(InvalidParameters, match=r"format 'graphm' is unknown; did you mean graphml\?"):
        format_named("graphm")
    with pytest.raises(
        InvalidParameters, match=r"format '.{1,250}' is unknown; expected one of grid, edges, "
    ):
        format_named("\x1b" * 9999)
    with pytest.raises(InvalidParameters, match="did you mean dot"):
        formats_for("x.gv", "dott")


@each_reader
@few(0.5)
@given(topology=networks())
def test_what_was_written_is_read_back(known, topology):
    files = one_line_or(known.write, topology, InvalidParameters)
    if files is None:
        return
    found = read(known, files)
    assert same(found.graph, topology.graph)
    assert (found.endpoints_per_router.tolist(), found.layout, found.length_limit) == held(topology, known)
    if not known.parts:
        for name in (None, known.name):
            chosen = read_topology("-", BytesIO(files[0]), name=name)
            assert same(chosen.graph, topology.graph)
            assert held(chosen, known) == held(topology, known)


@each_format
@few(0.3)
@given(topology=networks())
def test_what_does_not_travel_is_said(known, topology):
    said = known.left_out(topology)
    lost = held(topology, known) != (
        topology.endpoints_per_router.tolist(),
        topology.layout,
        topology.length_limit,
    )
    assert (said is not None) == lost
    assert "\n" not in (said or "")


@pytest.mark.parametrize("spec", rest_thorough(SPECS, FIRST))
def test_networks_of_families_travel_in_every_format(spec, tmp_path):
    topology = built(spec)
    for known in READ:
        for suffix in known.suffixes:
            path = tmp_path / f"network{suffix}"
            try:
                said = write_topology(topology, path, known.name)
            except InvalidParameters:
                assert not path.exists()
                continue
            assert said == known.left_out(topology)
            found = read_topology(path)
            assert same(found.graph, topology.graph)
            assert held(found, known) == held(topology, known)
    assert {path.name.split(".", 1)[0] for path in tmp_path.iterdir()} == {"network"}


@each_format
def test_most_families_have_examples_that_a_format_takes(known):
    peculiar = {"grid": len(placed()), "codes": 3}
    assert len(accepted(known)) >= peculiar.get(known.name, len(SMALL))


def mutated(files):
    """Files with a few bytes taken out, put in, doubled, or changed."""
    bits = st.binary(max_size=4) | st.sampled_from(
        [
            b"9999999999",
            b"-1",
            b" ",
            b"\n",
            b"\n\n",
            b"0",
            b"1",
            b"\x00",
            b"\xff",
            b"1e9",
            b"99999999999999999999",
            b'"',
        ]
    )
    change = st.tuples(
        st.integers(0, len(files) - 1), st.floats(0, 1), st.integers(0, 6), bits, st.booleans()
    )

    def apply(changes):
        contents = [bytes(content) for content in files]
        for which, place, length, new, double in changes:
            content = contents[which]
            start = int(place * len(content))
            old = content[start : start + length]
            contents[which] = content[:start] + (old + old if double else new) + content[start + length :]
        return tuple(contents)

    return st.lists(change, min_size=1, max_size=4).map(apply)


def is_read_or_refused(known, files):
    topology = one_line_or(known.read, Content("the file", files), FormatError)
    if topology is not None:
        assert topology.graph.order >= 1
        assert topology.graph.links().size == 2 * topology.graph.size


@each_reader
@few(0.5)
@given(data=st.data())
def test_mutated_files_are_read_or_refused(known, data):
    small = [files for files in accepted(known) if sum(map(len, files)) < 20_000]
    files = data.draw(st.sampled_from(small))
    is_read_or_refused(known, data.draw(mutated(files)))


@each_reader
@few(0.4)
@given(content=st.binary() | st.text().map(lambda text: text.encode(errors="replace")))
@example(content=b"")
@example(content=b"\n" * 40_000)
@example(content=b" " * 40_000 + b"x")
@example(content=b"1" * 40_000)
@example(content=b"1 " * 40_000)
@example(content=b"[" * 40_000)
@example(content=b'{"nodes":' * 20_000)
@example(content=b"<a>" * 40_000)
@example(content=b"0 1\n" * 20_000 + b"x")
@example(content=b"c\n" * 40_000 + b"x")
@example(content=b"% " * 40_000)
@example(content=b"PK\x03\x04" * 20_000)
def test_any_content_is_read_or_refused(known, content):
    is_read_or_refused(known, (content,) * max(len(known.parts), 1))
    if not known.parts:
        one_line_or(lambda stream: read_topology("-", stream), BytesIO(content), FormatError)


@each_reader
def test_a_suffix_names_the_format_of_a_file_that_nothing_else_tells(known, tmp_path):
    for suffix in known.suffixes:
        for part in known.parts or (suffix,):
            (tmp_path / f"empty{part}").write_bytes(b"")
        with pytest.raises(FormatError) as raised:
            read_topology(tmp_path / f"empty{suffix}")
        expected = formats_for(f"x{suffix}")[-1]
        with pytest.raises(FormatError) as named:
            read_topology(tmp_path / f"empty{suffix}", name=expected.name)
        assert str(raised.value) == str(named.value)


def test_endpoints_that_are_asked_for_replace_those_of_the_file(tmp_path):
    topology = dataclasses.replace(built("slimfly(q=5)"), endpoints_per_router=np.arange(50, dtype=np.int32))
    write_topology(topology, tmp_path / "a.anynet")
    assert read_topology(tmp_path / "a.anynet").endpoints == 49 * 25
    assert read_topology(tmp_path / "a.anynet", concentration=2).endpoints == 100
    assert read_topology(tmp_path / "a.anynet", concentration=0).endpoints == 0
