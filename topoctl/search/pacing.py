"""Planned times hold on a machine whose load changes: the work is corrected at the boundaries of epochs.

The number of epochs stays as it was planned, and with it every temperature that depends on it; how many moves
an epoch makes is scaled. The corrections are a part of the state, so a run that repeats them is the same run.
"""

from __future__ import annotations

import math
from dataclasses import replace

from topoctl.search.protocol import FULL, MOST_SCALE, Corrections, Search, SearchState, Task

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


class Pacer:
    """Corrects the work of a search after its epochs: by the clock, or as another run's was.

    Args:
        search: that is run.
        seconds: spent on it before, planning included.
    """

    def __init__(self, search: Search, seconds: float) -> None:
        self.search = search
        self.recorded = None if search.recorded is None else dict(search.recorded)
        self.task: Task | None = None
        self.began = self.decided = self.last = seconds
        self.looked = 0
        self.moves = self.spent = self.newly = self.since = 0.0

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
        task, former = self.search.task(state), self.task
        elapsed, self.last, self.task = seconds - self.last, seconds, task
        if task is None:
            return FULL
        if former is None or former.number != task.number:
            self._begin(task, seconds - elapsed)
            return state.scale
        if not task.typical:
            return 0 if seconds - self.began > LATEST * task.seconds else state.scale
        fading = math.exp(-elapsed / (WINDOW * task.seconds))
        made = max(0, former.left - task.left) * state.scale / FULL
        self.moves, self.spent = fading * self.moves + made, fading * self.spent + elapsed
        self.newly, self.since = self.newly + made, self.since + elapsed
        if not task.left:
            return state.scale
        scale = self._wanted(task, state.scale, seconds)
        following = elapsed * scale / max(1, state.scale)
        return 0 if seconds - self.began + following > LATEST * task.seconds else scale

    def _wanted(self, task: Task, scale: int, seconds: float) -> int:
        """The scale at which the work left takes the time left, where it is due and far enough off."""
        soon = seconds - self.decided < INTERVAL * task.seconds
        if (soon and self.looked - task.left < INTERVAL * task.total) or not self.newly:
            return scale
        # The faster of both: after one slow epoch the others must not be so short that they are over at once.
        rate = max(self.moves / max(self.spent, TICK), self.newly / max(self.since, TICK))
        self.decided, self.looked, self.newly, self.since = seconds, task.left, 0.0, 0.0
        left = max(0.0, AIM * task.seconds - (seconds - self.began))
        wanted = FULL * left * rate / task.left
        found = max(1, round(min(wanted, MOST_GROWTH * scale, MOST_SCALE)))
        return found if abs(found - scale) > TOLERANCE * scale else scale

    def _begin(self, task: Task, seconds: float) -> None:
        """Take up a task, new or resumed: then it has had the time that its share of the work stands for."""
        if task.number:
            self.began = seconds - task.seconds * (1 - task.left / max(1, task.total))
        else:
            self.began = 0.0
        self.decided, self.looked = seconds, task.left
        self.moves = self.spent = self.newly = self.since = 0.0
