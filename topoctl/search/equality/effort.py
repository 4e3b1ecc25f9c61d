"""What scoring one network takes, and how many can be scored before the first epoch."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.kernels.equality import equality_levels
from topoctl.search.equality.generation import FOUNDERS, TRIALS
from topoctl.search.equality.request import EqualityRequest

PROBE_LEVELS, PROBE_SECONDS = 4, 0.02
FOUNDING_PART = 4
"""The part of the seconds that goes to the founders and their neighbours at most, 1 in so many."""
LEAST_SCORED = 3 * FOUNDERS
"""Networks scored by the smallest search: two founders and a neighbour of each, the founders twice."""


CERTIFYING_SECONDS = 5e-8
"""What it takes to build and measure the best network again, per router and link of it, on one core."""


@dataclass(frozen=True)
class Founding:
    """How many forms are tried, and how many neighbours of each of their founders are scored."""

    forms: int
    trials: int


def scoring_seconds(request: EqualityRequest, target: int) -> float:
    """What one thread takes to score a network up to the target diameter, measured on its first levels."""
    half = request.order // 2
    step = max(1, half // request.network_radix)
    odd = np.array([[0, *range(step, half, step)][: request.network_radix]], dtype=np.int32)
    even, levels = np.zeros((1, 0), dtype=np.int32), min(PROBE_LEVELS, target)
    began, calls = time.perf_counter(), 0
    while not calls or time.perf_counter() - began < PROBE_SECONDS:
        equality_levels(half, odd, even, 1, levels)
        calls += 1
    return (time.perf_counter() - began) / calls * target / levels


def searching_seconds(request: EqualityRequest) -> float:
    """The planned seconds without those in which the best network is certified, at least half of them."""
    seconds = request.seconds or 0.0
    return max(seconds / 2, seconds - CERTIFYING_SECONDS * request.order * request.network_radix)


def founding_within(request: EqualityRequest, forms: int, scoring: float) -> Founding:
    """The founding that a part of the planned seconds allows.

    Raises:
        InvalidParameters: the seconds are not enough for the smallest one.
    """
    seconds = request.seconds or 0.0
    if LEAST_SCORED * scoring > seconds:
        network = f"{request.order} routers with {request.network_radix} links"
        raise InvalidParameters(
            f"seconds {seconds:g}: scoring one network of {network} takes about {scoring:.2g} s; "
            f"expected {LEAST_SCORED * scoring:.2g} or more"
        )
    affordable = int(searching_seconds(request) / FOUNDING_PART / scoring)
    tried = max(1, min(forms, affordable // LEAST_SCORED))
    trials = affordable // (FOUNDERS * tried) - 2
    return Founding(tried, max(1, min(TRIALS, trials)))
