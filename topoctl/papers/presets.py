"""Presets: published networks worth searching again, as TOML files, validated all errors at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from topoctl import definitions
from topoctl.analysis.known_bounds import KnownBounds, KnownLayoutBounds, known_bounds, known_layout_bounds
from topoctl.errors import InvalidParameters, hint
from topoctl.families import FAMILIES
from topoctl.layout import Kind, Layout


class Strict(BaseModel):
    """A part of a file: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Published(Strict):
    """The score to beat, as far as it is known.

    Attributes:
        spec: the published network, where a spec names it.
        diameter: hops.
        distance_sum: hops over unordered pairs, re-measured, where the network itself is known.
        aspl: as printed, rounded, where it is not.
    """

    spec: str | None = None
    diameter: int = Field(ge=1)
    distance_sum: int | None = Field(default=None, ge=1)
    aspl: float | None = Field(default=None, ge=1)


class PublishedSpec(Published):
    """A network that is published as a spec, re-measured."""

    spec: str
    distance_sum: int = Field(ge=1)


class EqualityValues(Strict):
    """Options of ``search equality``."""

    order: int = Field(ge=4, multiple_of=2)
    network_radix: int = Field(ge=2)
    concentration: int = Field(ge=0)


class GraphValues(Strict):
    """Options of ``optimize graph``."""

    order: int = Field(ge=2)
    degree: int = Field(ge=1)


class GridValues(Strict):
    """Options of ``optimize grid``."""

    layout: Kind
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    degree: int = Field(ge=1)
    length_limit: int = Field(ge=1)


class Preset(Strict):
    """One preset; its folder is its kind.

    Attributes:
        name: folder and file name, e.g. ``equality/e361``.
        title: what it is, in a line.
        source: the publication.
        search: options of the search.
        published: the network to beat, where there is one.
    """

    command: ClassVar[str]
    """The command line words of the search."""
    compared_by: ClassVar[tuple[str, ...]]
    """Options that say which networks compare with the published one."""
    family: ClassVar[str | None] = None
    """The family of the networks, where the search knows one alone."""

    name: str
    title: str
    source: str
    search: Any
    published: Published | None = None

    @property
    def order(self) -> int:
        """Routers."""
        return int(self.search.order)

    @property
    def network_radix(self) -> int:
        """Links per router, at most."""
        return int(self.search.degree)

    @property
    def layout(self) -> Layout | None:
        """Where the routers stand, if they stand anywhere."""
        return None

    @property
    def published_aspl(self) -> float | None:
        """The published network's average shortest path length, hops."""
        if self.published is None or self.published.distance_sum is None:
            return None if self.published is None else self.published.aspl
        return 2 * self.published.distance_sum / (self.order * (self.order - 1))

    def matches(self, parameters: Mapping[str, Any]) -> bool:
        """Whether a search with these parameters looks for networks that compare with the published one."""
        return all(parameters.get(name) == getattr(self.search, name) for name in self.compared_by)


class EqualityPreset(Preset):
    """A published Equality network."""

    command = "search equality"
    compared_by = ("order", "network_radix")
    family = "equality"
    search: EqualityValues
    published: PublishedSpec

    @property
    def network_radix(self) -> int:
        """Links per router."""
        return self.search.network_radix


class GraphPreset(Preset):
    """An order/degree problem without positions."""

    command = "optimize graph"
    compared_by = ("order", "degree")
    search: GraphValues


class GridPreset(Preset):
    """An order/degree problem on a layout, where no link is longer than a limit."""

    command = "optimize grid"
    compared_by = ("layout", "width", "height", "degree", "length_limit")
    search: GridValues

    @property
    def order(self) -> int:
        """Routers."""
        return self.layout.order

    @property
    def layout(self) -> Layout:
        """Where the routers stand."""
        return Layout(self.search.layout, self.search.width, self.search.height)


KINDS: dict[str, type[Preset]] = {"equality": EqualityPreset, "grid": GridPreset, "graph": GraphPreset}
"""By folder."""
RADIX_OF = {"search equality": "network_radix", "search cayley": "network_radix", "optimize graph": "degree"}
"""What searches of networks without positions call the links of a router."""


def parse(name: str, text: str) -> Preset:
    """Read one preset.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or out of range; all are named at once.

    Example:
        >>> try:
        ...     parse("equality/small", "title = 3")
        ... except definitions.FormatError as error:
        ...     print(str(error)[:78])
        preset equality/small: title: Input should be a valid string; source: Field re
    """
    return definitions.parse("preset", name, text, KINDS[name.partition("/")[0]])


@cache
def all_presets() -> tuple[Preset, ...]:
    """Every preset, by name."""
    return tuple(
        parse(f"{kind}/{name}", text)
        for kind in sorted(KINDS)
        for name, text in definitions.texts(kind).items()
    )


def preset(name: str, command: str | None = None) -> Preset:
    """Find a preset by its name, in any case, with or without its folder.

    Args:
        name: as `topoctl presets list` shows it.
        command: the search that it must be for, or None for any.

    Raises:
        InvalidParameters: there is none of that name, or it is for another search.

    Example:
        >>> preset("E361").order
        2048
    """
    wanted = name.casefold()
    for candidate in all_presets():
        if wanted in (candidate.name, candidate.name.partition("/")[2]):
            if command not in (None, candidate.command):
                raise InvalidParameters(
                    f"preset {candidate.name} is for: topoctl {candidate.command} --preset {name}"
                )
            return candidate
    known = [one.name for one in all_presets() if command in (None, one.command)]
    likely = hint(wanted, [*known, *(one.partition("/")[2] for one in known)])
    raise InvalidParameters(
        f"preset {name!r} is unknown{likely or '; expected a name of `topoctl presets list`'}"
    )


def preset_of(command: str, parameters: Mapping[str, Any]) -> Preset | None:
    """The preset whose published network a search with these parameters is to beat, if there is one.

    One of the same search, or else, where routers have no positions, one of as many routers and links.
    """
    published = [candidate for candidate in all_presets() if candidate.published]
    for candidate in published:
        if candidate.command == command and candidate.matches(parameters):
            return candidate
    size = parameters.get("order"), parameters.get(RADIX_OF.get(command, ""))
    if parameters.get("tolerance") and not parameters.get("resize"):
        return None  # what is found has other numbers of routers
    alike = (one for one in published if one.layout is None and (one.order, one.network_radix) == size)
    return next(alike, None)


def bounds_of(wanted: Preset) -> KnownBounds | KnownLayoutBounds:
    """The bounds of a preset's networks: those of its layout, or those of its family.

    Example:
        >>> bounds_of(preset("e361")).own.diameter
        3
    """
    if wanted.layout is not None:
        return known_layout_bounds(wanted.layout, wanted.network_radix, wanted.search.length_limit)
    family = FAMILIES[wanted.family] if wanted.family else None
    return known_bounds(wanted.order, wanted.network_radix, family)
