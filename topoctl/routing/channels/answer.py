"""What a scheme of virtual channels comes to."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.routing.channels.certificate import Certificate


@dataclass(frozen=True)
class Channels:
    """The virtual channels of routes, and the proof that packets cannot deadlock, or that they can.

    Attributes:
        scheme: that gives every packet its channels.
        count: virtual channels of a link.
        certificate: the proof; None where packets can deadlock.
        cycle: then a cycle of channels, each (virtual channel, router, next router), whose packets may all
            wait for the next one's; else None.
    """

    scheme: str
    count: int
    certificate: Certificate | None
    cycle: tuple[tuple[int, int, int], ...] | None = None

    @property
    def deadlock_free(self) -> bool:
        """Whether packets cannot deadlock."""
        return self.certificate is not None
