"""Prices and power of routers and cables, as data: presets, or a user's own file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from topoctl.definitions import chosen, faults, parse, texts
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.floor.floor import micrometres

DEFAULT_PRICES = "fdr10"
MAX_NUMBER = 1e9
"""Limit of every number in a file of prices, so that no sum is infinite."""
MAX_PORTS = 2**16
"""Ports of a router that is sold, at most."""
Number = Annotated[float, Field(strict=True, le=MAX_NUMBER)]
"""As TOML writes numbers: no text, no truth values."""
Amount = Annotated[Number, Field(ge=0)]


class Strict(BaseModel):
    """A part of a file of prices: no unknown keys, no infinities."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class RouterPrice(Strict):
    """A router costs ``dollars + dollars_per_port * ports``; fitted lines may begin below 0."""

    dollars: Number = Field(ge=-MAX_NUMBER)
    dollars_per_port: Amount


class Model(Strict):
    """A router that is sold; without dollars or watts of its own it has those of a line, by its ports."""

    ports: int = Field(strict=True, ge=1, le=MAX_PORTS)
    dollars: Amount | None = None
    watts: Amount | None = None


class CablePrice(Strict):
    """Cables of one medium, up to a length; the last kind of a file may have none.

    A cable of x metres costs ``(dollars_per_gigabit + dollars_per_gigabit_metre * x)`` for every Gb/s.
    """

    medium: Literal["electrical", "optical"]
    up_to_metres: Number | None = Field(default=None, gt=0)
    dollars_per_gigabit: Amount
    dollars_per_gigabit_metre: Amount


class Power(Strict):
    """The power of a router: a constant, a part per port, and a part for optical links.

    The part for optical links is in proportion to their share of the links.
    """

    watts_per_router: Amount = 0
    watts_per_port: Amount = 0
    watts_all_optical: Amount = 0


class Bought(NamedTuple):
    """A router as it is bought.

    Attributes:
        ports: of it; those that a network does not use are paid for too where models are sold.
        dollars: below 0 where a fitted line says so of few ports.
        watts: without optical links.
        watts_all_optical: more where all links are optical.
    """

    ports: int
    dollars: float
    watts: float
    watts_all_optical: float


class Prices(Strict):
    """A model of prices and power.

    Attributes:
        name: of the preset, or of the file.
        title: one line.
        source: of its numbers.
        gigabits_per_second: of a cable.
        router: its price by its ports; None where every model has its own.
        sold: the models of routers, the one of fewest ports first; none where a router of any ports is sold.
        cables: by length, the shortest first: a cable is of the first kind that is long enough.
        power: of routers; those of endpoints are not counted. None where every model has its own.

    Example:
        >>> prices = prices_named("fdr10")
        >>> prices.bought(44).dollars, prices.with_sold((64, 48)).bought(44).ports
        (14525.3, 48)
    """

    name: str
    title: str = ""
    source: str = ""
    gigabits_per_second: Number = Field(gt=0)
    router: RouterPrice | None = None
    sold: tuple[Model, ...] = ()
    cables: tuple[CablePrice, ...] = Field(min_length=1)
    power: Power | None = None

    @field_validator("sold")
    @classmethod
    def _by_ports(cls, models: tuple[Model, ...]) -> tuple[Model, ...]:
        """Ascending, and no two models of as many ports: these could not be told apart."""
        found = sorted(models, key=lambda model: model.ports)
        for one, other in pairwise(found):
            if one.ports == other.ports:
                raise ValueError(f"expected one model of {one.ports} ports")
        return tuple(found)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Each router has a price and its power, by a line or as a model."""
        for name, unit in (("router", "dollars"), ("power", "watts")):
            if getattr(self, name) is None:
                lacking = [model.ports for model in self.sold if getattr(model, unit) is None]
                if lacking:
                    raise ValueError(f"{name}: expected it, or {unit} of the model of {lacking[0]} ports")
                if not self.sold:
                    raise ValueError(f"{name}: Field required")
        return self

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        """Thresholds that rise, and no kind of cable behind one without a threshold."""
        limits = [kind.up_to_metres for kind in self.cables]
        if None in limits[:-1]:
            raise ValueError("cables: only the last kind may be without up_to_metres")
        known = [limit for limit in limits if limit is not None]
        if any(low >= high for low, high in pairwise(known)):
            raise ValueError(f"cables: up_to_metres {known}: expected each above the one before it")
        return self

    def with_threshold(self, metres: float) -> Self:
        """Return these prices with electrical cables up to another length.

        Raises:
            InvalidParameters: no electrical and one optical kind, or a length that is not positive.

        Example:
            >>> prices_named("fdr10").with_threshold(3).cables[0].up_to_metres
            3.0
        """
        if self.optical.tolist() != [False, True]:
            raise InvalidParameters(
                f"prices {self.name}: no one threshold between electrical and optical cables; expected those "
                "of the file"
            )
        electrical = self.cables[0].model_dump() | {"up_to_metres": metres}
        try:
            return type(self).model_validate(self.model_dump() | {"cables": (electrical, self.cables[1])})
        except ValidationError as error:
            raise InvalidParameters(f"electrical cables up to {metres} m: {faults(error)}") from error

    def with_sold(self, ports: Sequence[int]) -> Self:
        """Return these prices with routers of so many ports sold, those of the file as it says.

        Raises:
            InvalidParameters: a number of ports out of range, or one without a price.

        Example:
            >>> [model.ports for model in prices_named("edr").with_sold((36, 24)).sold]
            [24, 36]
        """
        own = {model.ports: model.model_dump() for model in self.sold}
        sold = [own.get(number, {"ports": number}) for number in dict.fromkeys(ports)]
        try:
            return type(self).model_validate(self.model_dump() | {"sold": sold})
        except ValidationError as error:
            raise InvalidParameters(f"--sold {','.join(map(str, ports))}: {faults(error)}") from error

    @property
    def optical(self) -> NDArray[np.bool_]:
        """Which kinds of cable are optical: bool, shape (kinds,)."""
        return np.array([kind.medium == "optical" for kind in self.cables])

    def media(self, lengths: NDArray[np.int64]) -> NDArray[np.str_]:
        """The medium of cables of lengths in micrometres: str, shape (lengths,).

        Raises:
            Infeasible: no cable is long enough.
        """
        return np.array([kind.medium for kind in self.cables])[self.kinds(lengths)]

    def bought(self, ports: int) -> Bought:
        """The router that is bought where so many ports are needed: the smallest model that has them.

        Raises:
            InvalidParameters: no router of so many ports is sold.
        """
        models = self.sold or (Model.model_construct(ports=ports),)
        if models[-1].ports < ports:
            raise InvalidParameters(
                f"prices {self.name}: no router of {ports} ports is sold; expected at most {models[-1].ports}"
            )
        model = next(one for one in models if one.ports >= ports)
        line, power = self.router or RouterPrice(dollars=0, dollars_per_port=0), self.power or Power()
        dollars = line.dollars + line.dollars_per_port * model.ports
        watts = power.watts_per_router + power.watts_per_port * model.ports
        return Bought(
            model.ports,
            dollars if model.dollars is None else model.dollars,
            watts if model.watts is None else model.watts,
            power.watts_all_optical,
        )

    def kinds(self, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """The kind of cable for every length in micrometres, places in `cables`: int64, shape (lengths,).

        Raises:
            Infeasible: no cable is long enough.
        """
        limits = [micrometres(kind.up_to_metres) for kind in self.cables if kind.up_to_metres is not None]
        kinds = np.searchsorted(np.array(limits, dtype=np.int64), lengths)
        if len(kinds) and int(kinds.max()) == len(self.cables):
            raise Infeasible(
                f"prices {self.name}: no cable of {lengths.max() / 1e6:g} m; expected at most "
                f"{self.cables[-1].up_to_metres:g} m, or a last kind without up_to_metres"
            )
        return kinds

    def dollars(self, kind: int, count: int, metres: float) -> float:
        """The price of cables of one kind, by how many and how long they are together."""
        price = self.cables[kind]
        by_gigabit = price.dollars_per_gigabit * count + price.dollars_per_gigabit_metre * metres
        return self.gigabits_per_second * by_gigabit


@cache
def price_models() -> dict[str, Prices]:
    """Every preset, by name.

    Example:
        >>> sorted(price_models())
        ['edr', 'fdr10', 'qdr', 'slimfly2014']
    """
    return {name: parse("prices", name, text, Prices) for name, text in texts("prices").items()}


def prices_named(word: str) -> Prices:
    """Return a preset by its name, in any case, or a user's own TOML file.

    Raises:
        InvalidParameters: no preset has that name.
        FormatError: the file is missing, or does not hold prices.
    """
    return chosen("prices", word, Prices, price_models())


def prices_asked(
    word: str | None, electrical: float | None = None, sold: Sequence[int] | None = None
) -> Prices:
    """The prices of a name or a file, the default ones for None, changed as far as is asked for.

    Args:
        word: name or file.
        electrical: metres up to which cables are electrical.
        sold: ports of the routers that are sold.

    Raises:
        InvalidParameters: no preset has that name, or the threshold or a number of ports is invalid.
        FormatError: the file is missing, or does not hold prices.

    Example:
        >>> prices_asked(None, electrical=5).cables[0].up_to_metres
        5.0
    """
    prices = prices_named(word or DEFAULT_PRICES)
    prices = prices if electrical is None else prices.with_threshold(electrical)
    return prices if sold is None else prices.with_sold(sold)
