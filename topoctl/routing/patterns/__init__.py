"""Patterns of traffic: the registry, and the traffic of the name of a pattern or a file."""

from __future__ import annotations

import re
from pathlib import Path

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.families.spec import complete_parameters, read_spec
from topoctl.routing.patterns.adversarial import ADVERSARIAL
from topoctl.routing.patterns.hot_spot import HOT_SPOT
from topoctl.routing.patterns.longest_matching import LONGEST
from topoctl.routing.patterns.matrix_file import traffic_of_file
from topoctl.routing.patterns.permutations import (
    BIT_COMPLEMENT,
    BIT_REVERSE,
    HALF,
    NEIGHBOR,
    PERMUTATION,
    ROTATION,
    SHIFT,
    SHUFFLE,
    TORNADO,
    TRANSPOSE,
)
from topoctl.routing.patterns.record import Pattern
from topoctl.routing.traffic import Traffic, uniform
from topoctl.topology import Topology, Value

UNIFORM = Pattern(
    "uniform",
    "to all others alike",
    "Dally and Towles, Principles and Practices of Interconnection Networks (2004), 3.2",
    lambda topology, _: uniform(topology),
)
PATTERNS = {
    pattern.name: pattern
    for pattern in (
        *(UNIFORM, BIT_COMPLEMENT, BIT_REVERSE, SHUFFLE, ROTATION, TRANSPOSE),
        *(TORNADO, NEIGHBOR, HALF, SHIFT, PERMUTATION, HOT_SPOT),
        *(ADVERSARIAL, LONGEST),
    )
}
"""By name, in the order in which they are listed."""


def patterns_in(text: str) -> list[str]:
    """Split a list of patterns at commas outside of parentheses; the name of a file is one pattern.

    Example:
        >>> patterns_in("uniform, hotspot(percent=5,endpoint=3),demand.csv")
        ['uniform', 'hotspot(percent=5,endpoint=3)', 'demand.csv']
    """
    if Path(text).is_file():
        return [text]
    return [item.strip() for item in re.split(r",(?![^(]*\))", text)]


def traffic_named(topology: Topology, text: str, seed: int = 1) -> Traffic:
    """Return the traffic of a pattern, by its name and parameters, or of a matrix in a file.

    Args:
        topology: the network.
        text: such as ``bitcomp``, ``hotspot(percent=5)`` or ``demand.csv``.
        seed: of draws, where the text gives no seed.

    Raises:
        InvalidParameters: the pattern is unknown, or not for this network.
        FormatError: the file holds no matrix of its size.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> traffic_named(topology_from_spec("torus(dims=3x3,p=1)"), "bitcomp").note
        'bitcomp: the first 8 (2^3) of 9 endpoints send'
    """
    name, bracket, _ = text.strip().partition("(")
    name = name.strip().lower()
    if name not in PATTERNS:
        if re.search(r"[/.\\]", text) or (text and Path(text).exists()):
            return traffic_of_file(topology, text)
        known_words = [*PATTERNS, "a file"]
        raise InvalidParameters(f"traffic {quoted(text)} is unknown{hint(name, known_words, listed=True)}")
    pattern = PATTERNS[name]
    if bracket and not pattern.parameters:
        raise InvalidParameters(f"traffic {quoted(text)}: expected {name}, which has no parameters")
    given = read_spec(name, pattern.parameters, text) if bracket else {}
    known = {parameter.name for parameter in pattern.parameters}
    drawn: dict[str, Value] = {"seed": seed} if "seed" in known else {}
    pattern.needs(topology)
    return pattern.traffic(
        topology, complete_parameters(name, pattern.parameters, {**drawn, **(given or {})})
    )
