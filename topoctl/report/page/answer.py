"""The answer of a design, at the head of its page: which network to build, and why none of another family."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from topoctl.families import FAMILIES
from topoctl.fields import headline, in_words, sign, unit_of
from topoctl.report.notes import name_of
from topoctl.report.page.cards import commands
from topoctl.report.page.contents import Page, column_of
from topoctl.report.page.heading import limits, range_in_words
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.recommended import WHY
from topoctl.report.table import value_text
from topoctl.runs.document import Row
from topoctl.search.design.objectives import EACH_PLANE, OBJECTIVES, planes_of

UNNAMED = {"graph": "Networks of no family", "grid": "Grids on the floor", "hosts": "Host-switch graphs"}


def answer(page: Page) -> Markup:
    """The network that is recommended, and why none of another family; nothing for pages of no design."""
    place = page.recommended
    if place is None:
        return joined()
    row = page.rows[place]
    size = (
        f"{row['order']:,} routers, {row['network_radix']} links and {row['concentration']} endpoints each; "
        f"{row['endpoints']:,} endpoints, diameter {row['diameter']}."
    )
    return tag(
        "section",
        tag("h2", "Recommended: ", _link(page, place)),
        tag("p", size),
        _merits(page, place),
        tag("p", f"It is the knee of the front: {WHY}."),
        tag("pre", "\n".join(commands(row))),
        _why_not(page, place),
        id="answer",
    )


def _link(page: Page, place: int) -> Markup:
    """The name of a network, which leads there."""
    return tag("a", name_of(page.rows[place]), href=_target(page, place))


def _target(page: Page, place: int) -> str:
    """Where a network is told of: its card, or its line of the table."""
    return f"#{'c' if place in page.carded else 'n'}{place}"


def _merits(page: Page, place: int) -> Markup:
    """What networks are compared by, and how far the network is from the best of the front in each."""
    entries = []
    for number, field in enumerate(page.compared):
        best = page.rows[min(page.front, key=lambda one: page.vectors[one][number])]
        share = page.lost[place][number]
        said = "the best" if share == 0 else f"{_percent(share)} from the best, {_best(best, field)}"
        note = tag("span", f" {said}", class_="note") if page.rows[place].get(field) is not None else ""
        entries.append(
            tag("div", tag("dt", headline(field)), tag("dd", _value(page.rows[place], field), note))
        )
    return tag("dl", *entries, class_="facts")


def _value(row: Row, field: str) -> str:
    """A number and its unit."""
    if row.get(field) is None:
        return "not known"
    return f"{value_text(row[field], column_of(field))} {unit_of(field)}".strip()


def _best(row: Row, field: str) -> str:
    """The best number of the front, and as what it counts where that is more than is of use."""
    enough = next(one.enough for one in OBJECTIVES.values() if one.field == field)
    return _value(row, field) + (f", which counts as {enough:g}" if row[field] > enough else "")


def _percent(share: float) -> str:
    """A share in percent, three digits of it.

    Example:
        >>> _percent(0.17541), _percent(0.000112), _percent(2.465)
        ('17.5%', '0.0112%', '246%')
    """
    return f"{100 * share:.3g}%" if share < 10 else f"{100 * share:,.0f}%"


def _why_not(page: Page, chosen: int) -> Markup:
    """The nearest network of every other family, and by which of its numbers it is not the one."""
    lines = [
        tag("tr", tag("th", family, scope="row"), tag("td", network), tag("td", *why))
        for family, network, why in _others(page, chosen)
    ]
    if not lines:
        return joined()
    heads = (tag("th", text, scope="col") for text in ("family", "its nearest network", "why not"))
    return joined(
        tag("h3", "Why none of another family"),
        tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *lines), class_="why"),
    )


def _others(page: Page, chosen: int) -> Iterator[tuple[str, Markup, Sequence[object]]]:
    """Every other family, its network, and why it is not the one: first those that are on the front."""
    told = {page.rows[chosen]["family"]}
    nearest = sorted(page.front, key=lambda place: math.fsum(page.lost[place]))
    for place in (*nearest, *(place for place in page.shown if place not in page.front)):
        family = page.rows[place]["family"]
        if family not in told:
            told.add(family)
            yield _title(family), _link(page, place), _reason(page, place, chosen)
    for one in page.document.get("skipped", ()):
        if one["family"] not in told:
            yield _title(one["family"]), joined("–"), [one["reason"]]


def _title(family: str) -> str:
    """What a family is called.

    Example:
        >>> _title("fattree"), _title("graph")
        ('Fat tree', 'Networks of no family')
    """
    known = FAMILIES.get(family)
    return UNNAMED.get(family) or (known.title.partition(" (")[0] if known else family)


def _reason(page: Page, place: int, chosen: int) -> Sequence[object]:
    """By which of its numbers a network is not the one."""
    row = page.rows[place]
    if place in page.front:
        return ["on the front, too: ", _compared(page, place, chosen)]
    planes = planes_of(row)
    times = "" if planes == 1 else f" in each of {planes} planes"
    short = [
        f"{in_words(field)} {_value(row, field)}{times if field in EACH_PLANE else ''}; "
        f"{range_in_words(window, unit_of(field))} is asked for"
        for field, window in limits(page.document["parameters"]).items()
        if row.get(field) is not None
        and not window.holds(row[field] * (planes if field in EACH_PLANE else 1))
    ]
    if short:
        return [". ".join(short)]
    own = page.vectors[place]
    for other in page.front:
        if all(x <= y for x, y in zip(page.vectors[other], own, strict=True)):
            rank = tag("a", f"rank {page.rows[other]['rank']}", href=_target(page, other))
            better = "the recommended one, " if other == chosen else ""
            if own == page.vectors[other]:
                return [f"equal to {better}", rank]
            return [f"beaten by {better}", rank, ": ", _compared(page, place, other)]
    return [row.get("remark") or "not on the front"]


def _compared(page: Page, place: int, other: int) -> str:
    """In what a network differs from another: first what is better, then what is worse."""
    own, others = page.vectors[place], page.vectors[other]
    better, worse = list[str](), list[str]()
    for field, mine, its in zip(page.compared, own, others, strict=True):
        if mine == its:
            continue
        told = f"{in_words(field)} {_value(page.rows[place], field)}"
        if math.isfinite(mine - its):
            share = f" {_percent(abs(mine - its) / abs(its))}" if its else ""
            told += f",{share} {'less' if (mine < its) == (sign(field) > 0) else 'more'}"
        (better if mine < its else worse).append(told)
    return "; but ".join("; ".join(part) for part in (better, worse) if part)
