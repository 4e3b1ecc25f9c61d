"""What a search or an enumeration gives to a Python program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from topoctl.runs.document import Document
from topoctl.search.evaluated_networks import EvaluatedNetwork


@dataclass(frozen=True, eq=False)
class Results(Sequence[EvaluatedNetwork]):
    """Networks from best to worst, each measured from scratch.

    Attributes:
        networks: each with its topology, and every number of it.
        document: what the command prints with ``--json``: what was asked for, the seed, the rows.
        run: the number of the run in the study that was named, or None.
        group: that of the group of several seeds, or None; commands call it g1, g2, ….
    """

    networks: tuple[EvaluatedNetwork, ...]
    document: Document
    run: int | None = None
    group: int | None = None

    def __len__(self) -> int:
        return len(self.networks)

    @overload
    def __getitem__(self, place: int) -> EvaluatedNetwork: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[EvaluatedNetwork, ...]: ...
    def __getitem__(self, place: int | slice) -> EvaluatedNetwork | tuple[EvaluatedNetwork, ...]:
        return self.networks[place]

    def __repr__(self) -> str:
        return f"<{len(self)} networks of {self.document['command']}, {self.document['status']}>"

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the work before it was done."""
        return bool(self.document["status"] == "interrupted")

    def to_records(self) -> list[dict[str, Any]]:
        """A dictionary a network, by the names of ``--json``; ``pandas.DataFrame`` takes the list."""
        return [dict(row) for row in self.document["results"]]
