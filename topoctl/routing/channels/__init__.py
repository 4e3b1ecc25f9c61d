"""Virtual channels of any routes, and the proof that packets never wait for each other in a circle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from topoctl.analysis.chunks import OnProgress
from topoctl.errors import InvalidParameters, TopoctlError, hint, quoted
from topoctl.routing.channels.certificate import Certificate, Channels
from topoctl.routing.channels.check_certificate import fault_in
from topoctl.routing.channels.dependency_graph import one_channel, own_channels
from topoctl.routing.channels.fewest import fewest_channels
from topoctl.routing.channels.increasing import hop_channels, segment_channels
from topoctl.routing.channels.layers import destination_layers, pair_layers
from topoctl.routing.routes import Destinations, Moves, Routes

__all__ = ["SCHEMES", "Certificate", "Channels", "channels_of", "fault_in", "hops_to_follow"]

SCHEMES: dict[str, Callable[[Routes], Channels]] = {
    "one": one_channel,
    "own": own_channels,
    "segments": segment_channels,
    "hops": hop_channels,
    "destination-layers": destination_layers,
    "pair-layers": pair_layers,
}
"""By name; `auto` prefers the first of the schemes that need equally few channels."""
MAX_STEPS = 2 * 10**9
"""Hops that `auto` follows at most: about half a minute on one core, minutes without compiled kernels."""


def channels_of(routes: Routes, wanted: str | int = "auto", progress: OnProgress | None = None) -> Channels:
    """Give packets their virtual channels, and prove that they cannot deadlock.

    Args:
        routes: of a connected network.
        wanted: the name of a scheme, which may turn out to deadlock; ``auto`` for the scheme that needs the
            fewest channels; or the largest number of channels.
        progress: called with the destinations done and their number; packets are followed several times, for
            one scheme after another and by the checker.

    Raises:
        InvalidParameters: no such scheme, a scheme that these routes do not have, too few channels, or a
            network so large that ``auto`` would take many minutes.
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
    if progress is not None:
        routes = _with_progress(routes, progress)
    require_scheme(wanted)
    if isinstance(wanted, str) and wanted != "auto":
        return _verified(SCHEMES[wanted](routes), routes)
    _refuse_long_work(routes)
    found = _verified(fewest_channels(routes), routes)
    if isinstance(wanted, int) and wanted < found.count:
        plural = "" if wanted == 1 else "s"
        raise InvalidParameters(
            f"{wanted} virtual channel{plural}: expected {found.count} or more, "
            f"as the scheme {found.scheme} needs"
        )
    return found


def channels_after(
    routes: Routes,
    before: Channels,
    wanted: str | int,
    proof: Certificate | None,
    destinations: Destinations,
) -> Channels:
    """Give packets virtual channels after a repair: those of the whole network, as long as these do.

    The certificates at hand are tried first, that of the whole network for the destinations alone of whose
    packets some go another way; then the scheme of the whole network; and where that needs more channels than
    before, the scheme that needs fewest, unless a scheme was named.

    Args:
        routes: of what is left.
        before: the channels of the whole network.
        wanted: as for :func:`channels_of`; more channels than a number are taken where packets need them.
        proof: that was found with the routes, or None.
        destinations: of whose packets some go another way.

    Raises:
        TopoctlError: the checker does not accept a certificate.
    """
    if before.certificate is not None and fault_in(before.certificate, routes, destinations) is None:
        return before
    if proof is not None and fault_in(proof, routes) is None:
        return Channels(proof.scheme, before.count, proof)
    found = _verified(SCHEMES[before.scheme](routes), routes)
    named = isinstance(wanted, str) and wanted != "auto"
    if named or (found.deadlock_free and found.count <= before.count):
        return found
    return _verified(fewest_channels(routes), routes)


def require_scheme(wanted: str | int) -> None:
    """Refuse an unknown scheme of virtual channels, or less than one channel.

    Raises:
        InvalidParameters: a name of no scheme, or less than one channel.

    Example:
        >>> require_scheme("segmnets")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: virtual channels by 'segmnets': unknown; did you mean segments?
    """
    if isinstance(wanted, int):
        if wanted < 1:
            raise InvalidParameters(f"{wanted} virtual channels: expected 1 or more")
    elif wanted not in ("auto", *SCHEMES):
        known = ["auto", "none", "a number", *SCHEMES]
        raise InvalidParameters(
            f"virtual channels by {quoted(wanted)}: unknown{hint(wanted, known, listed=True)}"
        )


def _refuse_long_work(routes: Routes) -> None:
    """Refuse routes that would take many minutes to follow."""
    steps = hops_to_follow(routes)
    if steps > MAX_STEPS:
        raise InvalidParameters(
            f"virtual channels of {routes.topology.graph.order:,} routers: about {steps:.1e} hops to follow, "
            f"expected at most {MAX_STEPS:.0e}; choose none, or name a scheme such as segments, however long "
            "it takes"
        )


def hops_to_follow(routes: Routes) -> int:
    """How much work it is to find the channels of routes: hops, by those towards a few destinations.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> hops_to_follow(ROUTINGS["ecmp"].routes(topology_from_spec("torus(dims=4x4)")))
        2048
    """
    order = routes.topology.graph.order
    some = np.arange(min(order, 8), dtype=np.int32)
    ways = int(np.count_nonzero(routes.moves(some).shares)) // len(some)
    return order * ways * routes.longest


def _with_progress(routes: Routes, progress: OnProgress) -> Routes:
    """Return routes that report how many destinations have been asked for."""
    order = routes.topology.graph.order

    def moves(destinations: Destinations) -> Moves:
        found = routes.moves(destinations)
        progress(int(destinations[-1]) + 1, order)
        return found

    return replace(routes, moves=moves)


def _verified(found: Channels, routes: Routes) -> Channels:
    """Return channels unchanged once the checker has accepted their certificate."""
    fault = None if found.certificate is None else fault_in(found.certificate, routes)
    if fault is not None:
        raise TopoctlError(f"the certificate of virtual channels by {found.scheme} does not hold: {fault}")
    return found
