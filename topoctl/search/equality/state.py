"""The state of the genetic search in memory, and as the arrays and JSON values that are stored."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from topoctl.search.draws import Draws
from topoctl.search.equality.forms import Form
from topoctl.search.equality.improve import padded
from topoctl.search.equality.islands import Island
from topoctl.search.equality.leaders import EqualityLeader
from topoctl.search.equality.population import Individual
from topoctl.search.protocol import SearchState


@dataclass
class EqualityState:
    """All islands and what they have found.

    Attributes:
        draws: the one source of randomness.
        islands: the populations.
        uphill: for every form, the mean uphill change of the energy by weight: what a temperature means.
        leaders: best first.
        epoch: epochs done.
        exchanges: networks scored within annealing.
        scored: networks scored exactly, by all their distances.
        stale: epochs since the best network last improved.
        trace: where it improved: networks scored by then, its diameter, its sum of distances from router 0.
    """

    draws: Draws
    islands: list[Island]
    uphill: list[dict[int, float]]
    leaders: list[EqualityLeader]
    epoch: int = 0
    exchanges: int = 0
    scored: int = 0
    stale: int = 0
    trace: list[list[int]] = field(default_factory=list)

    def note_best(self) -> None:
        """Add the best network to the trace where it is another score than the last there."""
        score = [self.leaders[0].diameter, self.leaders[0].reach]
        if not self.trace or self.trace[-1][1:] != score:
            self.trace.append([self.exchanges + self.scored, *score])

    def stored(self) -> SearchState:
        """As plain arrays and JSON values."""
        members = [member for island in self.islands for member in island.members]
        odd, even = padded(members)
        return SearchState(
            epoch=self.epoch,
            evaluations=self.exchanges + self.scored,
            arrays={
                "odd": odd,
                "even": even,
                "energy": np.array([(m.distance_sum, m.unreached) for m in members], dtype=np.int64),
                "sizes": np.array([len(island.members) for island in self.islands], dtype=np.int64),
            },
            notes={
                "draws": self.draws.state,
                "islands": [[island.form, island.weight] for island in self.islands],
                "uphill": [sorted(changes.items()) for changes in self.uphill],
                "leaders": [leader.to_json() for leader in self.leaders],
                "exchanges": self.exchanges,
                "scored": self.scored,
                "stale": self.stale,
                "trace": self.trace,
            },
        )

    @classmethod
    def restored(cls, state: SearchState, forms: list[Form]) -> EqualityState:
        """The inverse of :meth:`stored`."""
        notes, arrays = state.notes, state.arrays
        islands = []
        row = 0
        for (form, weight), size in zip(notes["islands"], arrays["sizes"].tolist(), strict=True):
            island = Island(form, weight, [])
            for place in range(row, row + size):
                member = Individual(
                    arrays["odd"][place, : forms[form].odd_length].tolist(),
                    arrays["even"][place, : forms[form].even_length].tolist(),
                    *arrays["energy"][place].tolist(),
                )
                member.weigh(weight)
                island.members.append(member)
            islands.append(island)
            row += size
        return cls(
            draws=Draws(notes["draws"]),
            islands=islands,
            uphill=[{int(weight): change for weight, change in changes} for changes in notes["uphill"]],
            leaders=[EqualityLeader.from_json(leader) for leader in notes["leaders"]],
            epoch=state.epoch,
            exchanges=notes["exchanges"],
            scored=notes["scored"],
            stale=notes["stale"],
            trace=[*notes["trace"]],
        )
