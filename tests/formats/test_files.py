"""Graphs in files: those of other tools, suffixes, and faults of the file system."""

import os
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.strategies import same
from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import read_topology, write_topology
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph

pytestmark = pytest.mark.once


def test_faults_of_the_file_system_are_format_errors(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_topology(tmp_path / "absent.edges")
    with pytest.raises(FormatError, match="is a directory, expected a file"):
        read_topology(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_topology("nul\0byte")
    with pytest.raises(FormatError, match="cannot be read"):
        read_topology("n" * 5000)
    binary = tmp_path / "binary.edges"
    binary.write_bytes(b"0 1\n1 \xff\n")
    with pytest.raises(FormatError, match="line 2: byte 0xff is not UTF-8 text"):
        read_topology(binary)


def test_a_file_without_an_end_is_a_format_error(monkeypatch):
    monkeypatch.setattr("topoctl.formats.files.MOST_BYTES", 2**23)
    with pytest.raises(FormatError, match="/dev/zero: more than 8 MiB: expected a smaller file"):
        read_topology("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_a_format_error(tmp_path):
    file = tmp_path / "locked.edges"
    file.touch(mode=0)
    with pytest.raises(FormatError, match="cannot be read: Permission denied"):
        read_topology(file)


def test_graphs_are_written_by_suffix_and_replace_the_old_file(tmp_path):
    graph = Graph.from_links(3, [(0, 1), (1, 2)])
    file = tmp_path / "graph.EDGES"
    file.write_text("old")
    write_topology(graph_topology(graph), file)
    assert same(read_topology(file).graph, graph)
    assert [entry.name for entry in tmp_path.iterdir()] == ["graph.EDGES"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("net.hsgrpah", r"'a b', expected two router numbers .*; unknown suffix; did you mean \.hsgraph\?$"),
        ("net.docx", r"'a b', expected two router numbers .*; unknown suffix; expected one of \.edges, "),
        ("net.edges", r"'a b', expected two router numbers from 0, as in '0 1'$"),
        ("net", r"'a b', expected two router numbers from 0, as in '0 1'$"),
    ],
)
def test_of_what_no_format_reads_an_unknown_suffix_is_named(name, said, tmp_path):
    (tmp_path / name).write_text("a b\n")
    with pytest.raises(FormatError, match=said):
        read_topology(tmp_path / name)


def test_wrong_targets_are_refused(tmp_path):
    graph = Graph.from_links(2, [(0, 1)])
    with pytest.raises(InvalidParameters, match=r"unknown suffix; expected one of \.edges"):
        write_topology(graph_topology(graph), tmp_path / "graph.xyz")
    with pytest.raises(FormatError, match="does not exist"):
        write_topology(graph_topology(graph), tmp_path / "absent" / "graph.edges")
    (tmp_path / "folder.edges").mkdir()
    with pytest.raises(FormatError, match="is a directory"):
        write_topology(graph_topology(graph), tmp_path / "folder.edges")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.edges"]


@given(st.binary())
def test_any_content_is_read_or_refused(content):
    try:
        graph = read_topology("-", BytesIO(content)).graph
    except FormatError as error:
        message = str(error)
    else:
        message = ""
        assert graph.size >= 1
    assert "\n" not in message
