"""The paper's notation for Equality networks, and the looser ways in which its tables print it.

`N14K6[-1,1,3,9](4)` (Table 1), with p `n2048k28p8[...](...)`, and Table 3's
`n2048k28p8 (Br 0.542) ahops:[-1, 1, ...] bhops:(200,410)`; letters in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from topoctl.errors import InvalidParameters, quoted
from topoctl.families.equality.network import Equality

# No pattern here has two ways to match the same text, so that none backtracks: they run in linear time.
HEAD = re.compile(r"n? ?([0-9]+) ?k ?([0-9]+)(?: ?p ?([0-9]+))?(?=[ \[(]|$)", re.IGNORECASE)
REMARK = re.compile(r"\( ?Br [0-9.]+ ?\)", re.IGNORECASE)
HOPS = re.compile(r"(?:ahops ?:? ?)?\[([^][()]*)\](?: ?(?:bhops ?:? ?)?\(([^][()]*)\))?", re.IGNORECASE)
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
GROUPED = re.compile(r"(?<![0-9-])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9])")

Reading = Callable[[str, int], str]


@dataclass(frozen=True)
class _Written:
    """A spec as written: its numbers, and its two lists as text."""

    order: int
    network_radix: int
    concentration: int | None
    odd: str
    even: str


def parse_equality(text: str) -> Equality | None:
    """Read one Equality network.

    In a list whose numbers are separated by a comma and a space, 10,069 is the number 10069, as in
    Table 3. In a list without spaces a comma always separates. The network radix that the spec declares
    must be that of its hops (Eq. 1), so a misread list cannot pass for another network.

    Returns:
        The network, or None where the text is not an Equality spec at all.

    Raises:
        InvalidParameters: the text is one, but names no network, no hops, or not the declared radix.

    Example:
        >>> parse_equality("n14k6p3 ahops:[-1, 1, 3, 9] bhops:(4)").spec
        'N14K6P3[-1,1,3,9](4)'
        >>> parse_equality("slimfly(q=5)") is None
        True
    """
    written = _split_spec(text)
    if written is None:
        return None
    try:
        return _network(written, _as_separated)
    except InvalidParameters as error:
        hint = _hint(written)
        raise InvalidParameters(f"{error}{hint}") from None


def _split_spec(text: str) -> _Written | None:
    plain = " ".join(text.replace("\N{MINUS SIGN}", "-").split())
    head = HEAD.match(plain)
    if head is None:
        return None
    rest = REMARK.sub("", plain[head.end() :]).strip()
    hops = HOPS.fullmatch(rest)
    if hops is None:
        found = f"found {quoted(rest)}" if rest else "no hops follow"
        raise InvalidParameters(
            f"{quoted(head[0])}: {found}; "
            "expected odd hops in [] and even hops in (), as in N14K6[-1,1,3,9](4)"
        )
    return _Written(
        order=_integer(head[1], "order"),
        network_radix=_integer(head[2], "network radix"),
        concentration=None if head[3] is None else _integer(head[3], "concentration"),
        odd=hops[1],
        even=hops[2] or "",
    )


def _network(written: _Written, reading: Reading) -> Equality:
    """The network that the lists name, read in one way; its radix must be the declared one."""
    network = Equality(
        written.order,
        _integers(reading(written.odd, written.order), "odd hop"),
        _integers(reading(written.even, written.order), "even hop"),
        written.concentration,
    )
    if network.network_radix != written.network_radix:
        raise InvalidParameters(
            f"K{written.network_radix} is declared, but {len(network.odd_hops)} odd and "
            f"{len(network.even_hops)} even hops make K = {network.network_radix} (Eq. 1)"
        )
    return network


def _as_separated(numbers: str, order: int) -> str:
    """Comma and space separate; a comma inside a number that is then one of thousands does not."""
    if ", " not in numbers:
        return numbers
    return ",".join(
        _ungroup(part, order) if GROUPED.fullmatch(part) else part for part in numbers.split(", ")
    )


def _all_grouped(numbers: str, order: int) -> str:
    return GROUPED.sub(lambda found: _ungroup(found[0], order), numbers)


def _none_grouped(numbers: str, _: int) -> str:
    return numbers


def _ungroup(number: str, order: int) -> str:
    """Drop the commas of a number of thousands; a number beyond the ring is no hop, so it is a list."""
    whole = number.replace(",", "")
    return whole if len(whole) <= len(str(order)) and int(whole) < order else number


def _hint(written: _Written) -> str:
    """Say which other reading of the commas would make a network of the declared radix, where one does."""
    for reading, advice in (
        (_all_grouped, "write numbers without thousands separators: {numbers}"),
        (_none_grouped, "separate all numbers alike, by a comma without a space"),
    ):
        try:
            _network(written, reading)
        except InvalidParameters:
            continue
        examples = ", ".join(_misread(written)[:4])
        return f"; the hops would fit K{written.network_radix} otherwise: {advice.format(numbers=examples)}"
    return ""


def _misread(written: _Written) -> list[str]:
    """The numbers of thousands that :func:`_as_separated` reads as several."""
    parts = [
        part
        for numbers in (written.odd, written.even)
        for part in numbers.split(", ")
        if ", " not in numbers or not GROUPED.fullmatch(part)
    ]
    misread = [found for part in parts for found in GROUPED.findall(part)]
    return [
        f"{found} as {_ungroup(found, written.order)}"
        for found in misread
        if _ungroup(found, written.order) != found
    ]


def _integers(numbers: str, name: str) -> tuple[int, ...]:
    if not numbers.strip():
        return ()
    return tuple(_integer(number.strip(), name) for number in numbers.split(","))


def _integer(number: str, name: str) -> int:
    if not INTEGER.fullmatch(number):
        raise InvalidParameters(
            f"{name} {quoted(number)}: expected an integer of at most 18 digits, without leading zeros"
        )
    return int(number)
