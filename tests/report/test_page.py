"""The page of results: what is on it, what is escaped, how large it gets."""

import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import call
from commands import document as document_of
from topoctl.fields import COLUMNS
from topoctl.report.notes import name_of
from topoctl.report.page import Page, Provenance, html_page
from topoctl.report.page.scatter import Axis
from topoctl.runs.document import document
from topoctl.search.design.objectives import vector

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


@given(
    st.lists(st.floats(1, 1e6, width=32), min_size=2, max_size=5, unique=True),
    st.lists(st.floats(-1e9, 1e9, width=32), max_size=5),
)
def test_the_front_fills_half_of_an_axis_however_far_others_are(front, others):
    rows = [{"aspl": number} for number in (*front, *others)]
    axis = Axis.of(COLUMNS["aspl"], rows, rows[: len(front)])
    places = [axis.at(number) for number in front]
    assert all(0 < place < 1 for place in places)
    assert max(places) - min(places) > 0.4
    assert all(-1e-9 < axis.at(tick) < 1 + 1e-9 for tick in axis.ticks())


def test_a_network_beyond_the_edge_is_an_arrow_there():
    rows = [row(rank, order=order, aspl=aspl, pareto=rank < 3) for rank, (order, aspl) in enumerate(FAR, 1)]
    text = html_page(page_of(rows))
    points = re.findall(r'<g class="point ([^"]*)" transform="([^"]*)" data-n="(\d)"', text)
    arrows = {int(number): place for classes, place, number in points if "out" in classes.split()}
    assert [*arrows] == [2, 3]
    assert arrows[2].endswith(" 40.0) rotate(-90)"), "above"
    assert arrows[3] == "translate(700.0 40.0) rotate(-45)", "above, and to the right"
    assert text.count('class="arrow"') == 2


FAR = [(100, 2.0), (110, 1.8), (900, 1.9), (5000, 9.0)]


def test_no_rule_of_the_page_keeps_words_from_wrapping_or_a_part_from_shrinking():
    rules = re.findall(
        r"([^{}]+)\{([^{}]*)\}", resources.files("topoctl.report.page").joinpath("page.css").read_text()
    )
    assert any(who.split() == ["body"] and "overflow-wrap: anywhere" in what for who, what in rules)
    assert [who.strip() for who, what in rules if "nowrap" in what] == [".number"]
    least = [float(width) for _, what in rules for width in re.findall(r"min-width: ([\d.]+)rem", what)]
    assert max(least) * 15 < 390
    text = html_page(page_of([row(1, order=9, aspl=1.5), row(2, order=8, aspl=2.0)]))
    cells = re.findall("<td[^>]*>", re.search('<table id="networks">(.*?)</table>', text, re.DOTALL)[1])
    assert cells
    assert all("data-h=" in cell for cell in cells), "on a phone a cell has its heading beside it"


def test_the_heading_says_what_was_asked(folder):
    call("evaluate", "torus(dims=4x4)", "mesh(dims=4x4)", "--report", "page.html", "-q")
    assert "<h1>torus(dims=4x4) and mesh(dims=4x4)</h1>" in (folder / "page.html").read_text()
    call("enumerate", "slimfly", "--order", "..60", "--diameter", "2", "--report", "page.html", "-q")
    assert (
        "<h1>Networks of slimfly: routers N at most 60, diameter D 2</h1>"
        in (folder / "page.html").read_text()
    )
    call("enumerate", "slimfly", "--order", "..60", "--report", "page.html", "--title", "Small <ones>", "-q")
    assert "<h1>Small &lt;ones&gt;</h1>" in (folder / "page.html").read_text()


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
    words = ["slimfly", "torus", "grid", "--endpoints", "30", "--router-radix", "6"]
    files = ["--report", "page.html", "--plot", "cost_per_endpoint,θ", "--picture", "points.svg"]
    found = document_of("design", *words, "--evaluations", "20", "--no-study", *files)
    text = (folder / "page.html").read_text()
    front = [place for place, row in enumerate(found["results"]) if row["pareto"]]
    assert re.findall(r'<tr id="n(\d+)" data-n="\d+" class="front">', text) == [*map(str, front)]
    assert any(found["results"][place]["spec"] is None for place in front)
    assert text.count('class="floor"') == min(12, len(front))
    assert "its best by these two" in (folder / "points.svg").read_text()


def test_a_design_begins_with_the_answer_and_why_it_is_no_other_family(folder):
    words = ["slimfly", "torus", "fattree", "mesh", "grid", "--endpoints", "60", "--router-radix", "9"]
    words += ["--throughput", "0.9", "--evaluations", "5", "--no-study"]
    found = document_of("design", *words, "--report", "page.html")
    rows, text = found["results"], (folder / "page.html").read_text()
    own = "uniform throughput by its own routing"
    asked = f"60 to 66 endpoints, ports per router k at most 9, {own} at least 0.9"
    assert f"<h1>Network of slimfly, torus, fattree and 2 others for {asked}</h1>" in text
    front = [vector(row, found["parameters"]["front"]) for row in rows if row["pareto"]]
    best = [abs(min(column)) for column in zip(*front, strict=True)]
    chosen = min(front, key=lambda one: sum(x / unit for x, unit in zip(one, best, strict=True)))
    answer = re.search('<section id="answer">(.*?)</section>', text, re.DOTALL)[1]
    place = front.index(chosen)
    assert f'Recommended: <a href="#c{place}">{name_of(rows[place])}</a>' in answer
    assert f"{rows[place]['cost_per_endpoint']:.1f} $" in answer
    told = {
        cells[0]: cells[1:]
        for cells in re.findall("<tr><th scope=.row.>(.*?)</th><td>(.*?)</td><td>(.*?)</td>", answer)
    }
    titles = {
        "slimfly": "Slim Fly",
        "torus": "Torus",
        "fattree": "Fat tree",
        "mesh": "Mesh",
        "grid": "Networks on a grid",
    }
    assert {*told} == {titles[row["family"]] for row in rows} - {titles[rows[place]["family"]]}
    for row in rows:
        network, why = told.get(titles[row["family"]], ("", ""))
        if row["pareto"] or row["family"] == rows[place]["family"]:
            continue
        assert f">{row['spec']}</a>" in network
        if row["remark"].startswith("throughput"):
            assert why == f"{own} {row['own_throughput']:.3f}; at least 0.9 is asked for"
        else:
            better = row["remark"].rsplit(maxsplit=1)[1]
            assert f">rank {better}</a>" in why
            assert f"{row['cost_per_endpoint']:.1f} $" in why


def test_what_is_not_known_of_a_design_is_said():
    known = {"network_radix": 4, "concentration": 1, "endpoints": 9, "diameter": 2, "family": "later"}
    rows = [
        row(1, order=9, cost_per_endpoint=10.0, worst_case_throughput=None, pareto=True) | known,
        row(2, order=9, cost_per_endpoint=11.0, worst_case_throughput=0.5, pareto=True) | known,
        row(3, order=9, cost_per_endpoint=11.0, worst_case_throughput=0.5, pareto=False)
        | known
        | {"family": "grid"},
        row(4, order=9, cost_per_endpoint=12.0, worst_case_throughput=None, pareto=False)
        | known
        | {"family": "mesh"},
    ]
    asked = {"front": ["cost", "worst-case"], "windows": {"endpoints": "9..10"}}
    made = Provenance(["topoctl"], "topoctl 0", "2026", {})
    page = Page(document("design", asked, rows), ("rank", "spec"), made)
    assert page.recommended == 1, "what is not known is worse than any number"
    text = html_page(page)
    assert "<td>equal to the recommended one, " in text
    assert "cost per endpoint 12.0 $, 20% more" in text
    none = html_page(Page(document("design", asked, rows[:1]), ("rank", "spec"), made))
    assert "<dd>not known</dd>" in none


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
