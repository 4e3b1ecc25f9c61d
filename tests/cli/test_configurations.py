"""``topoctl simulate FILE.cfg``: configurations of BookSim."""

import gzip
import json
from pathlib import Path

import pytest

from commands import call, document

DATA = Path(__file__).parent.parent / "data" / "simulation"
MESH = "topology = mesh; k = 4; n = 2; routing_function = dim_order; num_vcs = 2; vc_buf_size = 4;\n"
RUN = "traffic = uniform; injection_rate = 0.2; sample_period = 200; warmup_periods = 1; max_samples = 3;\n"


def written(name, text):
    Path(name).write_text(text)
    return name


def rows_of(path):
    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if str(path).endswith(".gz") else data).decode()
    return sorted(line for line in text.splitlines() if "-" not in line.split("\t"))


@pytest.mark.parametrize("name", ["mesh8x8_dim_order", "equality14_speedup2", "two_routers_saturated"])
def test_packets_of_booksim_arrive_as_booksim_says(folder, name):
    listed = DATA / f"{name}.tsv.gz"
    call("simulate", str(DATA / f"{name}.cfg"), "--replay", str(listed), "--packets", "out.tsv")
    theirs = rows_of(listed)
    assert len(theirs) > 1000
    assert set(theirs) <= set(rows_of("out.tsv"))


def test_what_is_printed_has_the_words_of_booksim_and_json_the_same_numbers(folder):
    name = written("mesh.cfg", MESH + RUN)
    shown = call("simulate", name).stdout
    [row] = document("simulate", name)["results"]
    assert f"Packet latency average = {row['latency']:g} (1 samples)" in shown
    assert f"Hops average = {row['hops']:g} (1 samples)" in shown
    assert row["hops"] == row["mean_hops"] + 1
    assert row["proven"]
    assert document("simulate", name, "--seed", "7")["results"] != [row]


def test_a_configuration_that_may_deadlock_runs_with_a_warning_that_says_where(folder):
    ring = "".join(f"router {here} node {here} router {(here + 1) % 5}\n" for here in range(5))
    written("ring.anynet", ring)
    name = written(
        "ring.cfg",
        "topology = anynet; network_file = ring.anynet; routing_function = min; num_vcs = 1;\n" + RUN,
    )
    result = call("simulate", name, "--json")
    assert "packets may deadlock" in result.stderr
    assert "0-1 -> 1-2" in result.stderr
    assert not json.loads(result.stdout)["results"][0]["proven"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MESH + RUN + "speculative = 1;", "speculative"),
        (MESH + RUN + "no_such_key = 1;", "no_such_key"),
        (MESH.replace("mesh", "cube") + RUN, "cube"),
        ("topology mesh;", "topology"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(folder, text, said):
    result = call("simulate", written("bad.cfg", text), code=4)
    [line] = result.stderr.splitlines()
    assert said in line
    assert "bad.cfg" in line


def test_options_that_the_configuration_decides_are_refused(folder):
    name = written("mesh.cfg", MESH + RUN)
    assert "--load" in call("simulate", name, "--load", "0.5", code=2).stderr
    assert "missing.cfg" in call("simulate", "missing.cfg", code=4).stderr
