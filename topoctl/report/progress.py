"""Progress on standard error: one live line on a terminal, else a plain line every few seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from topoctl.report.messages import legible, say
from topoctl.search.protocol import Status

PLAIN_SECONDS = 5.0


class Progress:
    """Shows how far a search is; a context manager, called with a status and the seconds so far.

    Args:
        quiet: show nothing.
    """

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.live: Any = None
        self.shown = time.monotonic()
        self.began: tuple[int, float] | None = None

    def __enter__(self) -> Self:
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self.live = Live(console=Console(stderr=True), transient=True, refresh_per_second=4)
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live:
            self.live.stop()

    def __call__(self, status: Status, seconds: float) -> None:
        """Show a search's status."""
        self.began = self.began or (status.evaluations, seconds)
        if not self.quiet:
            self.show(search_line(status, seconds, self.began))

    def measured(self, name: str, done: int, total: int) -> None:
        """Show how many sources of a measurement are done."""
        if not self.quiet:
            self.show(f"{name}: {done:,}/{total:,} sources ({100 * done / max(total, 1):.0f}%)")

    def certifying(self, rank: int, total: int) -> None:
        """Show which of the networks found is measured again."""
        if not self.quiet:
            self.show(f"measuring network {rank} of {total} again, on its whole graph")

    def show(self, line: str) -> None:
        """Replace the live line, or print a plain one if the last is old enough."""
        if self.live:
            from rich.text import Text

            self.live.update(Text(legible(line, sys.stderr.encoding), no_wrap=True, overflow="ellipsis"))
        elif time.monotonic() - self.shown >= PLAIN_SECONDS:
            say(line)
            self.shown = time.monotonic()


def search_line(status: Status, seconds: float, began: tuple[int, float]) -> str:
    """A search's status in a line.

    Args:
        status: between two epochs.
        seconds: spent so far, before a resume too.
        began: evaluations and seconds when it was started or resumed, from which the rate is taken.

    Example:
        >>> from topoctl.search.protocol import Candidate
        >>> best = Candidate("N14K6[-1,1,3,9](4)", 3, 160)
        >>> search_line(Status(3, None, 3000, 9000, best, 1.75, 1.5), 4.0, (1000, 2.0))
        '3,000/9,000 evaluations, 1,000/s, best D 3 ASPL 1.75000, gap 0.25000, 4.0/12.0 s'
    """
    evaluations, start = began
    rate = (status.evaluations - evaluations) / (seconds - start) if seconds > start else 0.0
    planned, length = "", ""
    if status.planned:
        planned = f"/{status.planned:,}"
        length = f"/{seconds * status.planned / max(status.evaluations, 1):.1f}"
    stage = f"{status.stage}: " if status.stage else ""
    return (
        f"{stage}{status.evaluations:,}{planned} evaluations, {rate:,.0f}/s, "
        f"best D {status.best.diameter} ASPL {status.best_aspl:.5f}, "
        f"gap {status.best_aspl - status.bound_aspl:.5f}, {status.remark}{', ' * bool(status.remark)}"
        f"{seconds:.1f}{length} s"
    )
