"""Patterns of traffic: the registry, and what is meant by a name of a pattern or of a file."""

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
    """The patterns of a list, separated by commas outside of parentheses.

    Example:
        >>> patterns_in("uniform, hotspot(percent=5,endpoint=3),demand.csv")
        ['uniform', 'hotspot(percent=5,endpoint=3)', 'demand.csv']
    """
    return [item.strip() for item in re.split(r",(?![^(]*\))", text)]


def traffic_named(topology: Topology, text: str, seed: int = 1) -> Traffic:
    """The traffic of a pattern, by its name and its parameters, or of a matrix in a file.

    Args:
        topology: what it is sent over.
        text: such as ``bitcomp``, ``hotspot(percent=5)`` or ``demand.csv``.
        seed: of draws, where the text says none.

    Raises:
        InvalidParameters: the pattern is unknown, or not for this network.
        FormatError: the file holds no matrix of its size.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> traffic_named(topology_from_spec("torus(dims=3x3,p=1)"), "bitcomp").note
        'bitcomp: the first 8 (2^3) of 9 endpoints send'
    """
    name, _, parameters = text.strip().partition("(")
    name = name.strip().lower()
    if name not in PATTERNS:
        if re.search(r"[/.\\]", text) or Path(text).exists():
            return traffic_of_file(topology, text)
        raise InvalidParameters(
            f"traffic {quoted(text)} is unknown, and no file{hint(name, PATTERNS, listed=True)}"
        )
    pattern = PATTERNS[name]
    if parameters and not pattern.parameters:
        raise InvalidParameters(f"traffic {quoted(text)}: expected {name}, which has no parameters")
    given = read_spec(name, pattern.parameters, f"{name}({parameters}") if parameters else {}
    known = {parameter.name for parameter in pattern.parameters}
    drawn: dict[str, Value] = {"seed": seed} if "seed" in known else {}
    pattern.needs(topology)
    return pattern.traffic(
        topology, complete_parameters(name, pattern.parameters, {**drawn, **(given or {})})
    )
