"""The workers of a cluster that can be used, as they come and go."""

from __future__ import annotations

import time
import warnings
from typing import Any

from distributed import Client

from topoctl.engine.worker import introduce
from topoctl.errors import EngineLost

LOOK_SECONDS = 1.0
"""Between two looks at which workers there are."""


class Roster:
    """Who works for a cluster: only workers that have the same topoctl and the same kernels.

    Args:
        client: of its scheduler.
        name: of the cluster, for messages.
        ours: its workers were started here, and will come.

    Attributes:
        met: there has been one that can be used.
        threads: of every worker that can be used, by its address.
        refused: what the others have, by their addresses.
    """

    def __init__(self, client: Client, name: str, *, ours: bool) -> None:
        self.client, self.name, self.ours, self.met = client, name, ours, False
        self.threads: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.said: set[str] = set()
        self.looked = -LOOK_SECONDS

    def look(self) -> bool:
        """See which workers there are, and hear what new ones have, at most once a second.

        Returns:
            Whether it was time to.

        Raises:
            EngineLost: there have only been such as cannot be used.
            OSError: the scheduler is gone.
        """
        if time.monotonic() - self.looked < LOOK_SECONDS:
            return False
        there = self.client.nthreads()
        new = [address for address in there if address not in {*self.threads, *self.refused}]
        answers = self.client.run(introduce, workers=new, on_error="return") if new else {}
        self.threads = {address: there[address] for address in self.threads if address in there}
        for address, answer in answers.items():
            if answer == introduce():
                self.threads[address] = there[address]
            elif not isinstance(answer, OSError):  # it is not gone again
                self.refused[address] = described(answer)
        self.tell()
        self.looked = time.monotonic()
        return True

    def refuse(self, address: str, found: Any) -> None:
        """Use a worker no more, because of what it has."""
        self.threads.pop(address, None)
        self.refused[address] = described(found)

    def tell(self) -> None:
        """Say which workers are not used, and that there are none.

        Raises:
            EngineLost: there have only been such as cannot be used.
        """
        expected = f"expected {described(introduce())}"
        self.met = self.met or bool(self.threads)
        if self.refused and not self.met:
            kinds = " or ".join(sorted({*self.refused.values()}))
            raise EngineLost(f"no worker of {self.name} can be used: they have {kinds}; {expected}")
        for kind in {*self.refused.values()}:
            self.warn(f"workers of {self.name} that have {kind} are not used; {expected}")
        if not self.threads and not self.ours:
            self.warn(f"{self.name} has no workers now; waiting for some")

    def warn(self, line: str) -> None:
        """Warn, once of everything."""
        if line not in self.said:
            self.said.add(line)
            warnings.warn(line, RuntimeWarning, stacklevel=3)


def described(found: Any) -> str:
    """What a worker has, in words.

    Example:
        >>> described({"topoctl": "0.1.0", "kernel": "numpy"})
        'topoctl 0.1.0 with the numpy kernels'
    """
    if isinstance(found, Exception):
        return f"no topoctl ({found})"
    return f"topoctl {found['topoctl']} with the {found['kernel']} kernels"
