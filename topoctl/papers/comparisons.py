"""Comparison tables of the papers, as TOML files: what is printed there beside what comes out here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from topoctl.analysis.assessment import assess
from topoctl.analysis.distances import Distances
from topoctl.definitions import named, parse, texts
from topoctl.errors import InvalidParameters, hint
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.families.record import Claims, Family, Parameters
from topoctl.families.tct import routing_bound
from topoctl.search.enumeration.windows import quantities

LINK_BANDWIDTH = 5
"""GB/s of a link in Bossard 2023, Table 3."""


class ComparedNetwork(BaseModel):
    """One network of a table.

    Attributes:
        label: its name in the table.
        spec: how it is built here.
        published: quantities as printed.
        remarks: by quantity, why ours is another: a misprint, or a network that does not exist.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    label: str
    spec: str
    published: dict[str, float | int] = Field(min_length=1)
    remarks: dict[str, str] = {}


class Comparison(BaseModel):
    """A table or figure of a paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    source: str
    note: str
    networks: tuple[ComparedNetwork, ...] = Field(min_length=1)


@dataclass(frozen=True)
class ComparedValue:
    """One value of a table.

    Attributes:
        comparison: the table's name.
        label: the network's name in the table.
        spec: how it is built here.
        quantity: what is printed.
        published: the printed value.
        ours: the value that comes out here; None where there is none.
        remark: why ours is another, where that is known.
    """

    comparison: str
    label: str
    spec: str
    quantity: str
    published: float | int
    ours: float | int | None
    remark: str | None


@cache
def comparisons() -> dict[str, Comparison]:
    """Every comparison, by name.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or of a wrong kind.

    Example:
        >>> sorted(comparisons())[:2]
        ['flex_table6', 'slimfly_balanced']
    """
    return {name: parse("comparison", name, text, Comparison) for name, text in texts("compare").items()}


def comparison(name: str) -> Comparison:
    """Find a comparison by its name, in any case.

    Raises:
        InvalidParameters: there is none of that name.
    """
    return named("comparison", name, comparisons())


def compared_values(chosen: Comparison, threads: int | None = None) -> Iterator[ComparedValue]:
    """Every value that a table prints, with ours.

    Args:
        chosen: the table.
        threads: for what is measured.
    """
    for network in chosen.networks:
        for quantity, published in network.published.items():
            ours = our_value(network.spec, quantity, threads)
            known = (chosen.name, network.label, network.spec, quantity)
            yield ComparedValue(*known, published, ours, network.remarks.get(quantity))


def our_value(spec: str, quantity: str, threads: int | None = None) -> float | int | None:
    """A quantity of a network: distances are measured, the rest comes from closed forms; None without one.

    Raises:
        InvalidParameters: the spec or the quantity is unknown.

    Example:
        >>> our_value("tct(n=8,k=5)", "routing_bound"), our_value("toroid(n=8)", "diameter")
        (46, 4)
    """
    family, values = parsed(spec)
    claims = family.claims(values)
    if quantity in FORMULAS:
        return FORMULAS[quantity](family, values, claims)
    distances = None
    if quantity in ("diameter", "aspl"):
        found = assess(topology_from_spec(spec), threads)
        distances = found.distances if isinstance(found.distances, Distances) else None
    p = values["p"]
    if not isinstance(p, int):
        raise InvalidParameters(f"{spec}: expected an integer p")
    known = quantities(claims, p, p, distances) | {"size": claims.size or 0}
    if quantity not in known:
        raise InvalidParameters(f"quantity {quantity!r} is unknown{hint(quantity, known, listed=True)}")
    value = known[quantity]
    return int(value) if value == int(value) else float(value)


def parsed(spec: str) -> tuple[Family, Parameters]:
    """The family of a spec and all its parameters, without building it."""
    for family in FAMILIES.values():
        values = family.parse(spec)
        if values is not None:
            return family, values
    raise InvalidParameters(f"{spec!r} names no topology")


def longest_route(family: Family, values: Parameters, claims: Claims) -> int | None:
    """Longest path of Bossard's algorithm R: Theorem 2, and Lemma 1 for Tofu, where it is the diameter."""
    known: Any = values
    return routing_bound(known["n"], known["k"]) if family.name == "tct" else claims.diameter


def bisection_bandwidth(family: Family, values: Parameters, claims: Claims) -> int | None:  # noqa: ARG001
    """The closed form of the bisection at Table 3's 5 GB/s a link, in GB/s."""
    return None if claims.bisection is None else int(claims.bisection * LINK_BANDWIDTH)


FORMULAS: dict[str, Callable[[Family, Parameters, Claims], int | None]] = {
    "routing_bound": longest_route,
    "bisection_bandwidth": bisection_bandwidth,
}
