"""What a pattern of traffic is, whichever network it is sent over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.record import Parameter, Parameters
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology

Endpoints = NDArray[np.int64]
"""Endpoints, numbered router by router."""


def needs_endpoints(topology: Topology, least: int = 2, name: str = "") -> None:
    """Raise InvalidParameters where a network has too few endpoints for any traffic, or that of a name."""
    if topology.endpoints < least:
        raise InvalidParameters(
            f"traffic {name and name + ' '}needs endpoints, and the network has {topology.endpoints}: "
            f"expected {least} or more; --p gives every router endpoints where no spec does"
        )


@dataclass(frozen=True)
class Pattern:
    """A pattern of traffic: which endpoints send to which.

    Attributes:
        name: as users type it.
        title: who sends to whom, in a few words.
        source: where it is defined.
        traffic: of a network that it can be sent over, and of the parameters by name.
        needs: raises InvalidParameters, with what is missing and what would help, where the pattern is
            not defined on a network.
        parameters: that may be given with the name, as in a spec.
    """

    name: str
    title: str
    source: str
    traffic: Callable[[Topology, Parameters], Traffic]
    needs: Callable[[Topology], None] = needs_endpoints
    parameters: tuple[Parameter, ...] = ()
