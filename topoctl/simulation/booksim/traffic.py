"""Who sends to whom, when, and how much: BookSim's traffic patterns, rates and packet sizes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from topoctl.errors import FormatError, InvalidParameters, hint
from topoctl.kernels.simulation import MOST_FLITS, UNIFORM
from topoctl.simulation.booksim.configuration import (
    DECIMAL,
    LARGEST,
    WHOLE,
    Configuration,
    called,
    items,
    only,
)
from topoctl.simulation.booksim.random_numbers import DEFAULT_SEED, RandomNumbers
from topoctl.simulation.booksim.routes import Fields
from topoctl.simulation.sources import Chances, gaps_of, last_draws

GAP_STEPS = 256
"""Cycles without a packet for which the chance is in a row, at least."""
LEAST_RATE = Fraction(1, 10**6)


def traffic_fields(configuration: Configuration, endpoints: int) -> Fields:
    """Return the fields of a plan that tell its traffic.

    Raises:
        FormatError: a pattern that BookSim does not know, or one that does not fit the network, or a rate
            that is no part of 1.
    """
    sizes, weights = packet_sizes(configuration)
    rate = configuration.decimal("injection_rate")
    if configuration.whole("injection_rate_uses_flits"):
        rate /= Fraction(sum(map(int.__mul__, sizes, weights)), sum(weights))
    if rate and not LEAST_RATE <= rate <= 1:
        wanted = f"0, or {float(LEAST_RATE):g}..1 packets per cycle and node"
        raise configuration.fault("injection_rate", f"expected {wanted}")
    chances = _chances(configuration, rate)
    try:
        gaps = gaps_of([chances], GAP_STEPS)
    except InvalidParameters as error:
        raise configuration.fault("injection_process", str(error)) from None
    return {
        **gaps.fields(),
        "rate_of": np.full((1, endpoints), 0 if rate else -1, dtype=np.int32),
        "sizes": np.array(sizes, dtype=np.int32),
        "size_shares": last_draws(weights),
        **_destinations(configuration, endpoints),
    }


def packet_sizes(configuration: Configuration) -> tuple[list[int], list[int]]:
    """Return the flits that packets have, and the weight of each.

    Raises:
        FormatError: not whole numbers, or all of no weight.
    """
    sizes = configuration.wholes("packet_size", 1)
    if max(sizes) > MOST_FLITS:
        raise configuration.fault("packet_size", f"expected at most {MOST_FLITS} flits")
    weights = configuration.wholes("packet_size_rate", 0)
    weights = (weights + weights[-1:] * len(sizes))[: len(sizes)]
    if not sum(weights):
        raise configuration.fault("packet_size_rate", "expected a packet size of some weight")
    return sizes, weights


def _chances(configuration: Configuration, rate: Fraction) -> Chances:
    """What a source does in a cycle: draw, or be turned on and off, and draw while it is on."""
    name, _ = called(only(configuration.values["injection_process"]))
    if name not in {"bernoulli", "on_off"}:
        raise configuration.fault("injection_process", "not simulated; expected bernoulli or on_off")
    if name == "bernoulli" or not rate:
        return Chances(rate)
    turns_on, turns_off, sends = _burst(configuration, rate)
    return Chances(sends, turns_on, turns_off, begins=Fraction(1, 2))


def _burst(configuration: Configuration, rate: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The chances to be turned on, to be turned off, and to send while on; one follows from the others."""
    _, arguments = called(only(configuration.values["injection_process"]))
    keys = ("burst_alpha", "burst_beta", "burst_r1")
    if len(arguments) > len(keys):
        raise configuration.fault("injection_process", f"expected at most {len(keys)} arguments, in braces")
    if not all(DECIMAL.fullmatch(argument) for argument in arguments):
        raise configuration.fault("injection_process", "expected numbers, in braces, as in on_off({0.1,0.2})")
    given = [*map(Fraction, arguments), *(configuration.decimal(key) for key in keys[len(arguments) :])]
    alpha, beta, sends = given
    if sum(chance < 0 for chance in given) != 1 or max(given) > 1:
        raise configuration.fault(
            "injection_process", "expected alpha, beta and r1 of 0..1, but for one below 0, which follows"
        )
    if sends < 0 < alpha:
        return alpha, beta, min(Fraction(1), rate * (alpha + beta) / alpha)
    if alpha < 0 and rate < sends:
        return min(Fraction(1), beta * rate / (sends - rate)), beta, sends
    if beta < 0 and rate <= sends:
        return alpha, min(Fraction(1), alpha * (sends - rate) / rate), sends
    raise configuration.fault("injection_process", f"cannot send at a rate of {float(rate):g}")


def _destinations(configuration: Configuration, endpoints: int) -> Fields:
    classes = items(configuration.values["traffic"])
    if len(classes) != 1:
        raise configuration.fault("traffic", f"a pattern for each of {len(classes)} classes; expected one")
    if classes == ["uniform"]:
        return {"destination_of": np.full((1, endpoints), UNIFORM, dtype=np.int32)}
    rows: dict[tuple[tuple[int, int], ...], int] = {}
    of = np.zeros(endpoints, dtype=np.int32)
    row_of = pattern(configuration, endpoints)
    for source in range(endpoints):
        row = tuple(row_of(source))
        strays = [to for to, _ in row if not 0 <= to < endpoints]
        if strays:
            reason = f"node {source} sends to {strays[0]}; expected a pattern for {endpoints} nodes"
            raise configuration.fault("traffic", reason)
        of[source] = rows.setdefault(row, len(rows))
    return {
        "destination_of": of[None],
        "destination_rows": np.cumsum([0, *map(len, rows)], dtype=np.int64),
        "destinations": np.array([to for row in rows for to, _ in row], dtype=np.int32),
        "destination_shares": np.concatenate([last_draws([weight for _, weight in row]) for row in rows]),
    }


Row = list[tuple[int, int]]
"""Destinations and their weights."""
Pattern = Callable[[int], Row]
"""From a source."""


def pattern(configuration: Configuration, endpoints: int) -> Pattern:
    """Return what every source sends to.

    Raises:
        FormatError: not a pattern of BookSim, or one that is not for so many endpoints.
    """
    value = only(configuration.values["traffic"])
    name, arguments = called(value)
    if name not in PATTERNS:
        raise configuration.fault("traffic", f"no pattern of BookSim{hint(name, PATTERNS, listed=True)}")
    most, make = PATTERNS[name]
    if len(arguments) > most:
        wanted = f"at most {most} in braces, where a list is one of them" if most else "none"
        raise configuration.fault("traffic", f"{len(arguments)} arguments; expected {wanted}")
    lists = [items(argument) for argument in arguments]
    if not all(WHOLE.fullmatch(number) and int(number) < LARGEST for numbers in lists for number in numbers):
        raise configuration.fault(
            "traffic", f"expected whole numbers, several in braces, as in {name}({{1,2}})"
        )
    return make(Asked(configuration, endpoints, [[int(number) for number in numbers] for numbers in lists]))


class Asked(NamedTuple):
    """What a pattern is asked for.

    Attributes:
        configuration: of the simulation.
        endpoints: of the network.
        arguments: of the pattern, each a list.
    """

    configuration: Configuration
    endpoints: int
    arguments: list[list[int]]

    def fault(self, reason: str) -> FormatError:
        """The error that says what is wrong with the pattern."""
        return self.configuration.fault("traffic", reason)

    def number(self, place: int, key: str, least: int) -> int:
        """Return an argument, or else the number of a key."""
        if len(self.arguments) <= place:
            return self.configuration.whole(key, least)
        numbers = self.arguments[place]
        if len(numbers) != 1 or not least <= numbers[0]:
            raise self.fault(f"expected {least} or more as {key}")
        return numbers[0]


# ---- permutations of the bits of a number, and of its digits


def _by_bits(to: Callable[[int, int], int], *, halved: bool = False) -> Callable[[Asked], Pattern]:
    """A permutation of numbers of so many bits."""

    def make(asked: Asked) -> Pattern:
        bits = asked.endpoints.bit_length() - 1
        if asked.endpoints != 1 << bits or (halved and bits % 2):
            power = "an even power of two" if halved else "a power of two"
            raise asked.fault(f"{asked.endpoints} nodes: expected {power}")
        return lambda source: [(to(source, bits), 1)]

    return make


def _reversed_bits(source: int, bits: int) -> int:
    return sum((source >> place & 1) << (bits - 1 - place) for place in range(bits))


def _transposed(source: int, bits: int) -> int:
    return source >> bits // 2 | (source << bits // 2 & (1 << bits) - 1)


def _by_digits(ahead: Callable[[int], int]) -> Callable[[Asked], Pattern]:
    """So far ahead in each of n digits of base xr * k."""

    def make(asked: Asked) -> Pattern:
        base, digits = asked.number(2, "xr", 1) * asked.number(0, "k", 1), asked.number(1, "n", 1)
        powers = [base**digit for digit in range(min(digits, 32))]

        def to(source: int) -> Row:
            return [(sum((source // power % base + ahead(base)) % base * power for power in powers), 1)]

        return to

    return make


def _permuted(asked: Asked) -> Pattern:
    """A random permutation: the r-th source that is still free gets destination 0, 1, ..."""
    numbers = RandomNumbers(asked.number(0, "perm_seed", -LARGEST))
    free = list(range(asked.endpoints))
    to = [0] * asked.endpoints
    for destination in range(asked.endpoints):
        to[free.pop(numbers.up_to(len(free) - 1))] = destination
    return lambda source: [(to[source], 1)]


# ---- patterns that draw


def _background(asked: Asked) -> Pattern:
    """All but some."""
    if len(asked.arguments) != 1:
        raise asked.fault("expected the nodes that are left out, as in background({{0,1}})")
    row = [(to, 1) for to in range(asked.endpoints) if to not in set(asked.arguments[0])]
    if not row:
        raise asked.fault("no destinations; expected one that is not left out")
    return lambda _: row


def _hotspot(asked: Asked) -> Pattern:
    """Some alone, by weights; a number below 0 is one drawn by a generator that nobody has seeded."""
    spots, weights, *_ = (*asked.arguments, [1]) if asked.arguments else ([-1], [1])
    numbers = RandomNumbers(DEFAULT_SEED)
    spots = [numbers.up_to(asked.endpoints - 1) if spot < 0 else spot for spot in spots]
    weights = (weights + weights[-1:] * len(spots))[: len(spots)]
    if min(weights) < 1:
        raise asked.fault("expected weights of 1 or more")
    row = list(zip(spots, weights, strict=True))
    return lambda _: row


def _diagonal(asked: Asked) -> Pattern:
    """A third to the next, the rest to oneself."""
    return lambda source: [((source + 1) % asked.endpoints, 1), (source, 2)]


def _asymmetric(asked: Asked) -> Pattern:
    half = asked.endpoints // 2
    if not half:
        raise asked.fault("1 node: expected two or more")
    return lambda source: [(source % half, 1), (source % half + half, 1)]


def _tapered(asked: Asked) -> Pattern:
    """Half to any, half to one of the nine around the source in a grid of 8 x 8."""
    if asked.endpoints != 64:
        raise asked.fault(f"{asked.endpoints} nodes: expected 64")

    def to(source: int) -> Row:
        around = [(source + 8 * y + x) % 64 for y in (-1, 0, 1) for x in (-1, 0, 1)]
        return [(other, 9 + 64 * around.count(other)) for other in range(64)]

    return to


def _next_group(asked: Asked) -> Pattern:
    """Any of the next group of a Dragonfly of 2k routers with k nodes."""
    asked.number(1, "n", 0)
    group = 2 * asked.number(0, "k", 1) ** 2
    if group > asked.endpoints:
        raise asked.fault(f"groups of {group} nodes: expected at most {asked.endpoints}")
    return lambda source: [
        (((source // group + 1) * group + place) % asked.endpoints, 1) for place in range(group)
    ]


def _one_column(asked: Asked) -> Pattern:
    """Any of the nodes that have the number of the source's row in their rows of xr * k."""
    asked.number(1, "n", 0)
    width = asked.number(2, "xr", 1) * asked.number(0, "k", 1)
    if width > asked.endpoints:
        raise asked.fault(f"rows of {width} nodes: expected at most {asked.endpoints}")
    return lambda source: [(place * width + source // width, 1) for place in range(width)]


PATTERNS: dict[str, tuple[int, Callable[[Asked], Pattern]]] = {
    "uniform": (0, lambda asked: lambda _: [(to, 1) for to in range(asked.endpoints)]),
    "bitcomp": (0, _by_bits(lambda source, bits: (1 << bits) - 1 - source)),
    "bitrev": (0, _by_bits(_reversed_bits)),
    "shuffle": (
        0,
        _by_bits(lambda source, bits: (source << 1 | source >> bits - 1) & (1 << bits) - 1 if bits else 0),
    ),
    "transpose": (0, _by_bits(_transposed, halved=True)),
    "tornado": (3, _by_digits(lambda base: (base + 1) // 2 - 1)),
    "neighbor": (3, _by_digits(lambda _: 1)),
    "randperm": (1, _permuted),
    "background": (1, _background),
    "hotspot": (2, _hotspot),
    "diagonal": (0, _diagonal),
    "asymmetric": (0, _asymmetric),
    "taper64": (0, _tapered),
    "bad_dragon": (2, _next_group),
    "badperm_yarc": (3, _one_column),
}
"""Every pattern: how many arguments it reads at most, and what makes it."""
