"""Virtual channels of any routes, and the proof that packets never wait for each other in a circle."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from topoctl.errors import InvalidParameters, TopoctlError, hint, quoted
from topoctl.routing.channels.answer import Channels
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.channels.check import fault_in
from topoctl.routing.channels.fixed import one, own
from topoctl.routing.channels.layers import destination_layers, pair_layers
from topoctl.routing.channels.raising import hops, segments
from topoctl.routing.routes import Routes

__all__ = ["SCHEMES", "Certificate", "Channels", "channels_of", "fault_in"]

SCHEMES: dict[str, Callable[[Routes], Channels]] = {
    "one": one,
    "own": own,
    "segments": segments,
    "hops": hops,
    "destination-layers": destination_layers,
    "pair-layers": pair_layers,
}
"""By name; `auto` prefers the first of those that need as few."""


def channels_of(routes: Routes, wanted: str | int = "auto") -> Channels:
    """Give packets their virtual channels, and prove that they cannot deadlock.

    Args:
        routes: of a connected network.
        wanted: a scheme, which may turn out to deadlock; ``auto`` for the one that needs the fewest channels;
            or how many channels there are at most.

    Raises:
        InvalidParameters: no such scheme, one that these routes do not have, or too few channels.
        TopoctlError: the checker does not accept the certificate.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> routes = ROUTINGS["ecmp"].routes(topology_from_spec("slimfly(q=4,p=3)"))
        >>> channels_of(routes)
        Channels(scheme='segments', count=2, certificate=Certificate(scheme='segments'), cycle=None)
        >>> channels_of(routes, "one").cycle
        ((0, 0, 1), (0, 1, 2), (0, 2, 3), (0, 3, 0))
        >>> channels_of(routes, 1)
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: 1 virtual channel: expected 2 or more, as the scheme segments needs
    """
    if isinstance(wanted, str) and wanted != "auto":
        if wanted not in SCHEMES:
            known = ["auto", *SCHEMES]
            raise InvalidParameters(
                f"virtual channels by {quoted(wanted)}: unknown{hint(wanted, known, listed=True)}"
            )
        return checked(SCHEMES[wanted](routes), routes)
    found = checked(fewest(routes), routes)
    if isinstance(wanted, int) and wanted < found.count:
        plural = "" if wanted == 1 else "s"
        raise InvalidParameters(
            f"{wanted} virtual channel{plural}: expected {found.count} or more, "
            f"as the scheme {found.scheme} needs"
        )
    return found


def fewest(routes: Routes) -> Channels:
    """The answer that needs the fewest channels and cannot deadlock; the simplest scheme of those.

    Hops never need fewer channels than segments, and layers by pair hardly ever more than by destination.
    """
    found = one(routes)
    if found.deadlock_free:
        return found
    answers = [segments(routes, enough=2)]
    if routes.moves(np.zeros(1, dtype=np.int32)).channels is not None:
        answers.insert(0, own(routes))
    best = min((answer for answer in answers if answer.deadlock_free), key=lambda answer: answer.count)
    if best.count > 2:
        with suppress(InvalidParameters):  # paths are not single, or need as many layers
            return pair_layers(routes, most=best.count - 1)
    return best


def checked(found: Channels, routes: Routes) -> Channels:
    """The same answer, its certificate verified."""
    fault = None if found.certificate is None else fault_in(found.certificate, routes)
    if fault is not None:
        raise TopoctlError(f"the certificate of virtual channels by {found.scheme} does not hold: {fault}")
    return found
