"""Pacing: planned times hold on a machine whose load changes, because the work is corrected between epochs.

The number of epochs stays as planned, and with it every temperature that depends on it; the moves of an epoch
are scaled. The corrections are part of the state, so that a run that repeats them has the same result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, replace

from topoctl.search.protocol import FULL, MOST_SCALE, Corrections, Json, Search, SearchState, TimedWork

AIM, LATEST = 0.96, 1.04
"""Parts of the planned seconds: where the last epoch should end, and beyond which no epoch may end."""
WINDOW, INTERVAL = 1 / 8, 1 / 64
"""Parts of the planned seconds: over which the rate is averaged; and between two corrections, also as a part
of the moves."""
TICK = 1e-6
"""Seconds that an epoch takes at least, however coarse the clock is."""
TOLERANCE = 1 / 16  # a smaller correction is not worth recording
"""The least change of the scale, as a part of it."""
MOST_GROWTH = 2  # the cost of more moves is not known yet
"""The largest factor by which a correction raises the scale."""
REMEMBERED = ("began", "decided", "last", "looked", "moves", "spent", "newly", "since")


def measured_rate(trial: Callable[[int], tuple[float, float]], work: int, enough: float) -> float:
    """Return the work done per second, by trials that double the work until one takes long.

    Args:
        trial: makes a trial of so much work; returns what was done, and the seconds that it took.
        work: of the first trial.
        enough: seconds of a trial that tells the rate.
    """
    while True:
        done, seconds = trial(work)
        if seconds > enough:
            return done / seconds
        work *= 2


class Pacer:
    """Corrects the work of a search after its epochs: by the clock, or as in the run that it repeats.

    Args:
        search: the search.
        seconds: spent on it before, including planning.
        memory: of the pacer that did this before; None for a run that is new or resumed.
    """

    def __init__(self, search: Search, seconds: float, memory: Json = None) -> None:
        self.search = search
        self.recorded = None if search.recorded is None else dict(search.recorded)
        self.work: TimedWork | None = None
        self.began = self.decided = self.last = seconds
        self.looked = 0
        self.moves = self.spent = self.newly = self.since = 0.0
        if memory is not None:
            work, numbers = memory
            self.work = None if work is None else TimedWork(**work)
            for name, value in zip(REMEMBERED, numbers, strict=True):
                setattr(self, name, value)

    @property
    def memory(self) -> Json:
        """All that another pacer needs to continue, as JSON values."""
        work = None if self.work is None else asdict(self.work)
        return [work, [getattr(self, name) for name in REMEMBERED]]

    def corrected(self, state: SearchState, corrections: Corrections, seconds: float) -> SearchState:
        """Return a state with its corrections, and one more if it is due.

        Args:
            state: after an epoch, or the first one.
            corrections: before that epoch.
            seconds: spent on the search.
        """
        state = replace(state, corrections=corrections)
        if self.recorded is not None:
            scale = self.recorded.get(state.epoch, state.scale)
        else:
            scale = self._scale(state, seconds)
        if scale == state.scale:
            return state
        return replace(state, corrections=(*corrections, (state.epoch, scale)))

    def _scale(self, state: SearchState, seconds: float) -> int:
        """Return the scale from this epoch on."""
        work, former = self.search.timed_work(state), self.work
        elapsed, self.last, self.work = seconds - self.last, seconds, work
        if work is None:
            return FULL
        if former is None or former.number != work.number:
            self._begin(work, seconds - elapsed)
            return state.scale
        if not work.typical:
            return 0 if seconds - self.began > LATEST * work.seconds else state.scale
        fading = math.exp(-elapsed / (WINDOW * work.seconds))
        made = max(0, former.left - work.left) * state.scale / FULL
        self.moves, self.spent = fading * self.moves + made, fading * self.spent + elapsed
        self.newly, self.since = self.newly + made, self.since + elapsed
        if not work.left:
            return state.scale
        scale = self._wanted(work, state.scale, seconds)
        following = elapsed * scale / max(1, state.scale)
        return 0 if seconds - self.began + following > LATEST * work.seconds else scale

    def _wanted(self, work: TimedWork, scale: int, seconds: float) -> int:
        """Return the scale at which the work left takes the time left, if a correction is due."""
        soon = seconds - self.decided < INTERVAL * work.seconds
        if (soon and self.looked - work.left < INTERVAL * work.total) or not self.newly:
            return scale
        # The faster of both rates: after a slow epoch the others must not be so short that they end at once.
        rate = max(self.moves / max(self.spent, TICK), self.newly / max(self.since, TICK))
        self.decided, self.looked, self.newly, self.since = seconds, work.left, 0.0, 0.0
        left = max(0.0, AIM * work.seconds - (seconds - self.began))
        wanted = FULL * left * rate / work.left
        found = max(1, round(min(wanted, MOST_GROWTH * scale, MOST_SCALE)))
        return found if abs(found - scale) > TOLERANCE * scale else scale

    def _begin(self, work: TimedWork, seconds: float) -> None:
        """Begin a work; a resumed one counts as having taken its share of the planned time."""
        if work.number:
            self.began = seconds - work.seconds * (1 - work.left / max(1, work.total))
        else:
            self.began = 0.0
        self.decided, self.looked = seconds, work.left
        self.moves = self.spent = self.newly = self.since = 0.0
