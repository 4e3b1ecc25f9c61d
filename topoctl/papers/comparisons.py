"""Tables and figures of the papers, as TOML files: what is printed there beside what comes out here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator

from topoctl.definitions import definition_named, parse, texts
from topoctl.errors import InvalidParameters
from topoctl.papers.conditions import Conditions
from topoctl.papers.placed_networks import Placed
from topoctl.papers.presets import preset
from topoctl.papers.quantities import BY_LOAD, SIMULATED, Number, Ours, Subject
from topoctl.papers.simulations import load_curves, simulation_request
from topoctl.papers.sweeps import sweeps

OnSubject = Callable[[str, int, int], None]
"""Called with a spec before it is measured, its number from 1, and how many there are."""


class Strict(BaseModel):
    """A part of a file: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ComparedNetwork(Strict):
    """One network of a table.

    Attributes:
        label: its name in the table; of a figure, that of its curve.
        spec: how it is built here, the preset that has it, or how it stands on a floor.
        planes: copies of it that the table counts together, each with endpoints of its own.
        published: quantities as printed; text where the last digits are not printed, such as "3.05e6".
        remarks: by quantity, why ours is another: a misprint, or a network that does not exist.
        remark: why, of all quantities that differ and have no remark of their own.
        simulation: options of its own, where it is simulated.
    """

    label: str
    spec: str | Placed
    planes: int = Field(default=1, ge=1)
    published: dict[str, Decimal] = Field(min_length=1)
    remarks: dict[str, str] = {}
    remark: str | None = None
    simulation: dict[str, str | int | float] = {}


class Curve(Strict):
    """Networks of a figure whose values are not printed in numbers.

    Attributes:
        label: of the curve.
        specs: how its networks are built here, the presets that have them, or how they stand on a floor.
        quantities: that are drawn of them, where not those of the whole figure.
        style: how it is drawn.
        simulation: options of its own, where it is simulated.
    """

    label: str
    specs: tuple[str | Placed, ...] = Field(min_length=1)
    quantities: tuple[str, ...] | None = None
    style: Literal["computed", "bound"] = "computed"
    simulation: dict[str, str | int | float] = {}


class Trend(Strict):
    """A straight line that a paper draws through its points: slope times x, and the intercept."""

    label: str
    slope: float
    intercept: float


class Picture(Strict):
    """How a figure is drawn: its printed values are rings.

    Attributes:
        kind: curves, points without lines, or bars; or loads, latency by offered load up to saturation.
        x: the quantity along the axis; bars have none, but the names of the curves.
        x_label, y_label: of the axes.
        logarithmic: whether the vertical axis is.
        bounds: what its dashed lines are.
        trends: the paper's lines through its points.
    """

    kind: Literal["curves", "points", "bars", "loads"] = "curves"
    x: str | None = None
    x_label: str = ""
    y_label: str
    logarithmic: bool = False
    bounds: str = "bound"
    trends: tuple[Trend, ...] = ()

    @model_validator(mode="after")
    def _along_an_axis(self) -> Picture:
        if (self.kind == "bars") != (self.x is None):
            raise ValueError("x: expected for curves and points, and for them alone")
        return self


class Comparison(Strict):
    """A table or figure of a paper.

    Attributes:
        name: of its file.
        title, source, note: what it is, where, and what there is to say of it.
        quantities: what is drawn; those of curves, and of networks too, printed or not.
        picture: how it is drawn; None for a table.
        conditions: under which the paper counts.
        minutes: of one core that it takes, where that is long.
        networks: those with printed values.
        curves: those without.
    """

    name: str
    title: str
    source: str
    note: str
    quantities: tuple[str, ...] = ()
    picture: Picture | None = None
    conditions: Conditions = Conditions()
    minutes: int | None = None
    networks: tuple[ComparedNetwork, ...] = ()
    curves: tuple[Curve, ...] = ()

    @model_validator(mode="after")
    def _compares(self) -> Comparison:
        if not self.networks and not self.curves:
            raise ValueError("networks, curves: expected one at least")
        if not self.quantities and (self.curves or self.picture):
            raise ValueError("quantities: expected one at least, for curves and pictures")
        for options in (*(one.simulation for one in self.networks), *(one.simulation for one in self.curves)):
            simulation_request(self.conditions.simulation, options)
        return self

    @property
    def subjects(self) -> int:
        """How many networks are measured."""
        return len(self.networks) + sum(len(curve.specs) for curve in self.curves)


@dataclass(frozen=True)
class ComparedValue:
    """One value of a table or figure.

    Attributes:
        comparison: its name.
        label: the network's name in the table, or that of its curve.
        spec: how it is built here.
        x: its place along the axis of a figure; None in tables and for bars.
        quantity: what is printed or drawn.
        published: the printed value; None where it is only drawn.
        ours: the value that comes out here.
        style: how it is drawn.
        remark: why ours is another, where that is known.
    """

    comparison: str
    label: str
    spec: str
    x: Number | None
    quantity: str
    published: Decimal | None
    ours: Ours
    style: Literal["computed", "bound"]
    remark: str | None


@cache
def comparisons() -> dict[str, Comparison]:
    """Every comparison, by name.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or of a wrong kind.

    Example:
        >>> sorted(comparisons())[:2]
        ['deepseek_table', 'equality_figure2']
    """
    return {name: parse("comparison", name, text, Comparison) for name, text in texts("compare").items()}


def comparison(name: str) -> Comparison:
    """Find a comparison by its name, in any case.

    Raises:
        InvalidParameters: there is none of that name; a sweep of that name is pointed to.
    """
    if name.casefold() in sweeps():
        raise InvalidParameters(f"{name} is of annealed networks: expected topoctl optimize sweep {name}")
    return definition_named("comparison", name, comparisons(), lister="topoctl presets compare")


def compared_values(
    chosen: Comparison, threads: int | None = None, progress: OnSubject | None = None
) -> Iterator[ComparedValue]:
    """Every value that a table prints or a figure shows, with ours.

    Args:
        chosen: the table or figure.
        threads: for what is measured.
        progress: called before each network.
    """
    axis = chosen.picture and chosen.picture.x
    subjects = [
        Subject(
            resolved(one.known),
            chosen.conditions,
            threads,
            one.simulation,
            planes=one.network.planes if one.network else 1,
        )
        for one in asked_for(chosen)
    ]
    _simulate(chosen, subjects, threads, progress)
    for number, (one, subject) in enumerate(zip(asked_for(chosen), subjects, strict=True), 1):
        if progress:
            progress(subject.spec, number, chosen.subjects)
        published = one.network.published if one.network else {}
        for quantity in dict.fromkeys((*published, *one.quantities)):
            loads = subject.loads if quantity in BY_LOAD else (None,)
            for load in loads:
                ours, printed = subject.ours(quantity, load), published.get(quantity)
                x = load if axis == "offered_load" else subject.ours(axis).value if axis else None
                remark = remark_of(one.network, quantity, ours) if one.network else None
                yield ComparedValue(
                    chosen.name, one.label, subject.spec, x, quantity, printed, ours, one.style, remark
                )


def _simulate(
    chosen: Comparison, subjects: Sequence[Subject], threads: int | None, progress: OnSubject | None
) -> None:
    """Simulate all that has quantities of simulations, side by side."""
    asked = [
        (subject, f"{one.label}, {subject.spec}")
        for one, subject in zip(asked_for(chosen), subjects, strict=True)
        if {*one.quantities, *(one.network.published if one.network else ())} & {*SIMULATED}
    ]
    curves = load_curves(
        [(name, subject.topology, subject.request) for subject, name in asked], threads, progress
    )
    for (subject, _), curve in zip(asked, curves, strict=True):
        subject.curve = curve


def remark_of(network: ComparedNetwork, quantity: str, ours: Ours) -> str | None:
    """What there is to say of a value."""
    if quantity in network.remarks or quantity not in network.published:
        return network.remarks.get(quantity)
    return None if ours.agrees(network.published[quantity]) else network.remark


def resolved(known: str | Placed) -> str | Placed:
    """A network, or that of a preset with the paper's endpoints, as its spec.

    Example:
        >>> resolved("equality/e369")[:14]
        'N200K24P12[-1,'
    """
    if not (isinstance(known, str) and known.startswith("equality/")):
        return known
    one = preset(known)
    links, endpoints = f"K{one.network_radix}", f"P{one.search.concentration}"
    return str(one.published and one.published.spec).replace(links, links + endpoints, 1)


class Asked(NamedTuple):
    """A network of a table or figure: what is asked of it, and what is printed."""

    label: str
    known: str | Placed
    quantities: tuple[str, ...]
    style: Literal["computed", "bound"]
    simulation: dict[str, str | int | float]
    network: ComparedNetwork | None


def asked_for(chosen: Comparison) -> Iterator[Asked]:
    """Every network of a table or figure, those of curves first."""
    own = {curve.label: curve.quantities or chosen.quantities for curve in chosen.curves}
    styles = {curve.label: curve.style for curve in chosen.curves}
    for curve in chosen.curves:
        for spec in curve.specs:
            yield Asked(curve.label, spec, own[curve.label], curve.style, curve.simulation, None)
    for one in chosen.networks:
        label = one.label
        quantities = own.get(label, chosen.quantities)
        yield Asked(label, one.spec, quantities, styles.get(label, "computed"), one.simulation, one)
