"""The page of results: what is on it, what is escaped, how large it gets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import call
from commands import document as document_of
from topoctl.fields import COLUMNS
from topoctl.report.page import Page, Provenance, html_page
from topoctl.report.page.scatter import Axis
from topoctl.runs.document import document

pytestmark = pytest.mark.once

HOSTILE = "<script>window.hurt=1</script>\"'&\x1b\udc80\u202e"


def page_of(rows, columns=("rank", "spec", "file", "order", "router_radix", "endpoints", "aspl"), **more):
    made = Provenance(["topoctl", "evaluate", HOSTILE], "topoctl 0", "2026-01-01 00:00 UTC", {"cores": 2})
    return Page(document("evaluate", {"networks": [HOSTILE]}, rows, **more), columns, made)


def row(rank, **numbers):
    return {"rank": rank, "spec": f"torus(dims={rank}x9)", "family": "torus", **numbers}


def test_no_text_of_a_document_is_markup():
    hostile = dict.fromkeys(("spec", "family", "file", "remark", "note"), HOSTILE)
    rows = [row(1, order=9, aspl=1.5, parameters={HOSTILE: HOSTILE}) | hostile, row(2, order=8, aspl=2.0)]
    text = html_page(page_of(rows, notes=[HOSTILE]))
    assert text.count("<script") == 1
    assert "window.hurt=1</script>" not in text
    assert text.count("&lt;script&gt;window.hurt=1&lt;/script&gt;&quot;&#x27;&amp;\\x1b\\x80\\u202e") > 8
    assert text.encode()


def test_the_page_needs_nothing_else():
    text = html_page(page_of([row(1, order=9, aspl=1.5), row(2, order=8, aspl=2.0)]))
    assert "default-src 'none'" in re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace(
        "&#x27;", "'"
    )
    assert set(re.findall(r'\bhref="(.)', text)) == {"#"}
    assert not re.findall(r"\bsrc=|url\(|@import|https?://", text)


def test_every_link_leads_to_a_part_of_the_page():
    text = html_page(page_of([row(rank, order=rank, aspl=1 / rank) for rank in range(1, 80)]))
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(set(ids)) == len(ids)
    assert {*re.findall(r'href="#([^"]*)', text)} <= {*ids}


def test_the_front_is_what_the_document_says_or_what_none_beats():
    rows = [
        row(1, endpoints=8, router_radix=5, aspl=2.0),
        row(2, endpoints=8, router_radix=5, aspl=2.5),
        row(3, endpoints=9, router_radix=6, aspl=2.5),
        row(4, endpoints=9),
    ]
    page = page_of(rows)
    assert (page.compared, page.front) == (("endpoints", "router_radix", "aspl"), [0, 2])
    dear = [
        one | {"cost_per_endpoint": 5.0 - place, "uniform_throughput": 1.0} for place, one in enumerate(rows)
    ]
    assert page_of(dear).front == [0, 2], "one that differs is not enough"
    for place, one in enumerate(dear):
        one["uniform_throughput"] = place / 4
    assert page_of(dear).front == [3], "cheap, and the more throughput the better"
    assert page_of([one | {"pareto": one["rank"] == 2} for one in dear]).front == [1]


@pytest.mark.parametrize("rows", [[row(1)], [row(1, order=4, aspl=None), row(2, order=4, aspl=None)]])
def test_a_page_of_networks_that_do_not_differ_has_no_points(rows):
    text = html_page(page_of(rows))
    assert 'id="scatter"' not in text
    assert text.count("<article") == len(rows)


def test_thousands_of_networks_are_cut_to_the_front_and_the_first_others():
    rows = [row(rank, order=rank, endpoints=10_000, router_radix=3, aspl=9.0) for rank in range(1, 5000)]
    rows[-1] |= {"aspl": 1.0}
    rows[-2] |= {"endpoints": 20_000}
    page = page_of(rows)
    text = html_page(page)
    assert page.front == [4997, 4998]
    assert page.shown == [*range(1998), 4997, 4998]
    assert "2,000 of 4,999 networks" in text
    assert (text.count("<article"), text.count("<tr id=")) == (50, 2000)
    assert len(text) < 3_000_000


@given(st.lists(st.floats(-1e9, 1e9, width=32), min_size=2, max_size=5, unique=True))
def test_all_numbers_and_some_ticks_are_on_their_axis(numbers):
    axis = Axis.of(COLUMNS["aspl"], [{"aspl": number} for number in numbers])
    assert all(0 < axis.at(number) < 1 for number in numbers)
    places = [axis.at(tick) for tick in axis.ticks()]
    assert sorted(places) == places
    assert 1 <= len(places) <= 60
    assert all(-1e-9 < place < 1 + 1e-9 for place in places)


def test_evaluate_and_enumerate_write_a_page_with_floors(folder):
    (folder / "ring.edges").write_text("0 1\n1 2\n2 3\n3 0\n")
    specs = ["slimfly(q=5,p=4)", "hyperx(dims=4x4,p=2)", "ring.edges"]
    said = call("evaluate", *specs, "--report", "page.html", "--json").stderr
    assert "wrote page.html" in said
    text = (folder / "page.html").read_text()
    for spec in specs:
        assert f">{spec}</a>" in text
    assert "topoctl evaluate &#x27;slimfly(q=5,p=4)&#x27;" in text, "the command line"
    assert text.count('class="floor"') == 3
    call("enumerate", "slimfly", "--order", "..60", "--report", "found.html", "-q")
    assert "topoctl enumerate slimfly --order ..60 --report found.html" in (folder / "found.html").read_text()


def test_a_design_has_its_own_front_and_the_floors_of_searched_networks(folder):
    words = ["slimfly", "torus", "graph", "--endpoints", "40", "--router-radix", "8"]
    files = ["--report", "page.html", "--plot", "cost_per_endpoint,θ", "--picture", "points.svg"]
    found = document_of("design", *words, "--evaluations", "100", "--no-study", *files)
    text = (folder / "page.html").read_text()
    front = [place for place, row in enumerate(found["results"]) if row["pareto"]]
    assert re.findall(r'<tr id="n(\d+)" data-n="\d+" class="front">', text) == [*map(str, front)]
    assert any(found["results"][place]["spec"] is None for place in front)
    assert text.count('class="floor"') == min(12, len(front))
    assert "its best by these two" in (folder / "points.svg").read_text()


def test_a_file_that_is_read_is_not_replaced(folder):
    (folder / "ring.html").write_text("0 1\n1 2\n2 3\n3 0\n")
    assert "ring.html, which is read" in call("evaluate", "ring.html", "--report", "ring.html", code=2).stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--report", "page.pdf"], 2, "expected a name that ends in .html"),
        (["--report", "missing/page.html"], 4, "missing"),
        (["--report", "folder.html"], 2, "is a directory"),
        (["--report", "a.html", "--picture", "a.svg"], 2, "--plot and --picture go together"),
        (["--curves"], 2, "--curves goes with --plot"),
        (["--plot", "spec,aspl", "--picture", "a.svg"], 2, "unknown quantity 'spec'"),
    ],
)
def test_wrong_files_are_refused_before_any_work(words, code, said, folder):
    (folder / "folder.html").mkdir()
    result = call("evaluate", "torus(dims=4x4)", *words, code=code)
    assert said in result.stderr
    assert result.stdout == ""
    assert [path.name for path in folder.iterdir()] == ["folder.html"]


def test_what_cannot_be_drawn_is_still_printed(folder):
    words = ["--plot", "order,average_latency_ns", "--picture", "a.svg"]
    result = call("evaluate", "torus(dims=4x4)", *words, code=2)
    assert "no network has order and average_latency_ns" in result.stderr
    assert "torus(dims=4x4" in result.stdout
    assert not (folder / "a.svg").exists()
