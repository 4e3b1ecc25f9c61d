"""Progress on standard error: one live line on a terminal, else a plain line every few seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable
from types import TracebackType
from typing import Any, Self

from topoctl.interruption import do_at_the_end, forget, write_last
from topoctl.report.messages import legible, say
from topoctl.report.notes import counted
from topoctl.runs.session import Progress
from topoctl.search.protocol import Status

PLAIN_SECONDS = 5.0


class ProgressDisplay(Progress):
    """Shows how far a search is; a context manager, called with a status and the seconds so far.

    Args:
        quiet: show nothing.
    """

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.live: Any = None
        self.line = ""
        self.ended = threading.Event()
        self.began: dict[Hashable, tuple[Status, float]] = {}

    def __enter__(self) -> Self:
        if self.quiet:
            return self
        if sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self.live = Live(console=Console(stderr=True), transient=True, refresh_per_second=4)
            do_at_the_end(restore_terminal)
            self.live.start()
        else:
            threading.Thread(target=self.say_lines, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        if self.live:
            self.live.stop()
            forget(restore_terminal)

    def say_lines(self) -> None:
        """Print the newest line every few seconds, each line once; the main thread may be in a long step."""
        while not self.ended.wait(PLAIN_SECONDS):
            line, self.line = self.line, ""
            if line:
                say(line)

    def __call__(self, status: Status, seconds: float, of: Hashable = None) -> None:
        """Show the status of a search; `of` tells several searches apart, each with its own rate."""
        began = self.began.setdefault(of, (status, seconds))
        columns = self.live.console.width if self.live else None
        self.show(search_line(status, seconds, began, columns))

    def listed(self, family: str, looked: int, networks: int) -> None:
        """Show how far a listing is: structures of a family looked at, networks of all families found."""
        self.show(f"{family}: {looked:,} structures looked at, {networks:,} networks listed so far")

    def ranking(self, networks: int) -> None:
        """Show that an enumeration has listed all and ranks them."""
        self.show(f"ranking {counted(networks, 'network')}")

    def reading(self, name: str) -> None:
        """Show which network is built or read."""
        self.show(f"{name}: building its graph")

    def measured(self, name: str, done: int, total: int) -> None:
        """Show how many sources of a measurement are done."""
        self.show(f"{name}: {done:,}/{total:,} sources ({100 * done / max(total, 1):.0f}%)")

    def counted(self, name: str, done: int, total: int, things: str) -> None:
        """Show how many things of a measure, such as trials, are done."""
        self.show(f"{name}: {done:,}/{total:,} {things} ({100 * done / max(total, 1):.0f}%)")

    def elsewhere(self, name: str, networks: int) -> None:
        """Show what a cluster measures: a network, and how many at once."""
        self.show(f"{name}: measured on the cluster, with {networks - 1:,} more")

    def comparing(self, spec: str, number: int, total: int) -> None:
        """Show which network of a paper's table or figure is measured."""
        self.show(f"network {number} of {total}: {spec[:30]}")

    def certifying(self, rank: int, total: int) -> None:
        """Show which of the networks found is measured again."""
        self.show(f"measuring network {rank} of {total} again, on its whole graph")

    def show(self, line: str) -> None:
        """Replace the live line, or the plain one that is printed next."""
        if self.live:
            from rich.text import Text

            self.live.update(Text(legible(line, sys.stderr.encoding), overflow="fold"))
        else:
            self.line = line


def restore_terminal() -> None:
    """Clear the live line and show the cursor again, where there is no time to stop it."""
    write_last(b"\r\x1b[2K\x1b[?25h")


def search_line(
    status: Status, seconds: float, began: tuple[Status, float], columns: int | None = None
) -> str:
    """A search's status in a line: how long it has taken, of how long, and the best; then what else fits.

    The time and the best are in it at any width; what does not fit is left out from its end on.

    Args:
        status: between two epochs.
        seconds: spent so far, before a resume too.
        began: the status and the seconds when it was started or resumed, from which rates are taken.
        columns: of the terminal, or None for a line of any length.

    Example:
        >>> from topoctl.search.protocol import Candidate
        >>> best = Candidate("N14K6[-1,1,3,9](4)", 3, 160)
        >>> first, now = (Status(3, None, 1000 * n, 9000, best, 1.75, 1.5, done=0.1 * n) for n in (1, 3))
        >>> search_line(now, 4.0, (first, 2.0))
        '4.0/11.0 s, best D 3 ASPL 1.75000, gap 0.25000, 3,000/9,000 evaluations, 1,000/s'
        >>> search_line(now, 4.0, (first, 2.0), columns=50)
        '4.0/11.0 s, best D 3 ASPL 1.75000, gap 0.25000'
    """
    elapsed = seconds - began[1]
    rate = (status.evaluations - began[0].evaluations) / elapsed if elapsed > 0 else 0.0
    planned = f"/{status.planned:,}" if status.planned else ""
    met = status.best.diameter > 0
    time = f"{seconds:.1f}{planned_length(status, seconds, began)} s"
    best = f"best D {status.best.diameter} ASPL {status.best_aspl:.5f}"
    others = [
        (status.remark, bool(status.remark)),
        (f"{status.gap} {status.best_aspl - status.bound_aspl:.5f}", met),
        (f"{status.evaluations:,}{planned} evaluations", met or not status.remark),
        (f"{rate:,.0f}/s", rate > 0 and (met or not status.remark)),
    ]
    line = f"{time}, {best}" if met else time
    staged = f"{status.stage}: {line}"
    if status.stage and (columns is None or len(staged) <= columns):
        line = staged
    for other in (part for part, said in others if said):
        if columns is not None and len(line) + len(other) + 2 > columns:
            break
        line += f", {other}"
    return line


def planned_length(status: Status, seconds: float, began: tuple[Status, float]) -> str:
    """What a search takes in all: the time that was planned, or what its work takes at its rate so far."""
    if status.seconds is not None:
        return f"/{status.seconds:.1f}"
    share = (status.done or 0.0) - (began[0].done or 0.0)
    if status.done is None or share <= 0:
        return ""
    return f"/{seconds + (1 - status.done) * (seconds - began[1]) / share:.1f}"
