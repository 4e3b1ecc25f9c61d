"""The console blocks of the README and the docs show what their commands print."""

import pytest

from docs.console import PAGES, PROGRESS, name_of, run, steps, without_times
from kernels.backends import needs_native
from topoctl.report.progress import ProgressDisplay

pytestmark = pytest.mark.once
SHOWING = [page for page in PAGES if steps(page.read_text())]


@needs_native
@pytest.mark.parametrize("page", SHOWING, ids=name_of)
def test_what_is_shown_is_printed(page, tmp_path):
    for step in steps(page.read_text()):
        shown = without_times(step.printed)
        assert without_times(run(step.command, tmp_path)) == shown, (step.line, step.command)


def test_a_search_that_is_shown_has_no_limit_of_time():
    for page in PAGES:
        for step in steps(page.read_text()):
            assert "--seconds" not in step.command, (name_of(page), step.line)


def test_every_prompt_is_in_a_console_block():
    for page in PAGES:
        text = page.read_text()
        assert text.count("\n$ ") == len(steps(text)), name_of(page)


def test_only_times_are_left_out():
    lines = [
        "run  started                    N  seconds",
        "  1  2026-11-21T09:46:23+00:00  5     16.4",
        "5 networks, 12.5 s; all",
        "two  columns",
    ]
    assert without_times(lines) == [
        "run  started  N  seconds",
        "1  …  5  …",
        "5 networks, … s; all",
        "two  columns",
    ]


def test_lines_of_progress_are_left_out():
    display = ProgressDisplay(quiet=True)
    simulated = (
        "counted",
        "1 of 3 points done; torus(dims=4x4), dor, uniform, load 0.2",
        250,
        3000,
        "cycles",
    )
    said = [("listed", "hyperx", 2500, 100), ("ranking", 17), ("reading", "torus(dims=4x4)")]
    for name, *told in [*said, ("measured", "floor.edges", 64, 900), simulated, ("certifying", 1, 3)]:
        getattr(display, name)(*told)
        assert PROGRESS.match(display.line), display.line
    planning = ("planning the search", "planning search 1/4 of round 2: graph N 9", "planning cell 1/2 k=3")
    designing = (
        "listing slimfly",
        "measured 1,024 networks",
        "round 1, search 1/2: graph N 9: 0.3 s, best D 3",
    )
    running = ("4.0/11.0 s, best D 3 ASPL 1.75000", "settling: 4.0 s")
    for line in (*running, *planning, *designing):
        assert PROGRESS.match(line)
    assert not PROGRESS.match("17 networks fit, 8 printed, 1.3 s; --top 0 prints all")
