"""Planned times hold on a machine whose load changes: the work is corrected at the boundaries of epochs.

The number of epochs stays as it was planned, and with it every temperature that depends on it; how many moves
an epoch makes is scaled. The corrections are a part of the state, so a run that repeats them is the same run.
"""

from __future__ import annotations

import math
from dataclasses import asdict, replace

from topoctl.search.protocol import FULL, MOST_SCALE, Corrections, Json, Search, SearchState, TimedWork

AIM, LATEST = 0.96, 1.04
"""Parts of the planned seconds: where the last epoch should end, and beyond which none may be expected to."""
WINDOW, INTERVAL = 1 / 8, 1 / 64
"""Parts of the planned seconds: over which the rate is averaged, and between two looks at it; there is one
after such a part of the moves, too."""
TICK = 1e-6
"""Seconds that an epoch takes at least, however coarse the clock is."""
TOLERANCE = 1 / 16
"""A correction of less is not worth recording."""
MOST_GROWTH = 2
"""How many times as many moves a correction may give at once, before their cost is known."""
REMEMBERED = ("began", "decided", "last", "looked", "moves", "spent", "newly", "since")


class Pacer:
    """Corrects the work of a search after its epochs: by the clock, or as another run's was.

    Args:
        search: that is run.
        seconds: spent on it before, planning included.
        memory: of the pacer that did so up to now; None for a run that is new, or was interrupted.
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
        """What another pacer needs to go on, as JSON values."""
        work = None if self.work is None else asdict(self.work)
        return [work, [getattr(self, name) for name in REMEMBERED]]

    def corrected(self, state: SearchState, corrections: Corrections, seconds: float) -> SearchState:
        """A state with the corrections so far, and one more where it is due.

        Args:
            state: after an epoch, or the first one.
            corrections: those before that epoch.
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
        """The scale from this epoch on."""
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
        """The scale at which the work left takes the time left, where it is due and far enough off."""
        soon = seconds - self.decided < INTERVAL * work.seconds
        if (soon and self.looked - work.left < INTERVAL * work.total) or not self.newly:
            return scale
        # The faster of both: after one slow epoch the others must not be so short that they are over at once.
        rate = max(self.moves / max(self.spent, TICK), self.newly / max(self.since, TICK))
        self.decided, self.looked, self.newly, self.since = seconds, work.left, 0.0, 0.0
        left = max(0.0, AIM * work.seconds - (seconds - self.began))
        wanted = FULL * left * rate / work.left
        found = max(1, round(min(wanted, MOST_GROWTH * scale, MOST_SCALE)))
        return found if abs(found - scale) > TOLERANCE * scale else scale

    def _begin(self, work: TimedWork, seconds: float) -> None:
        """Take up a work, new or resumed: then it has had the time that its share of the work stands for."""
        if work.number:
            self.began = seconds - work.seconds * (1 - work.left / max(1, work.total))
        else:
            self.began = 0.0
        self.decided, self.looked = seconds, work.left
        self.moves = self.spent = self.newly = self.since = 0.0
