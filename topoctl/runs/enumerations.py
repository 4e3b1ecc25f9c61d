"""Every network of some families within ranges, best first: what Python and the command line enumerate by."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from topoctl.analysis.assessment import assess
from topoctl.engine.enumeration_distances import DistancesOnEngine
from topoctl.engine.protocol import Engine
from topoctl.errors import Infeasible
from topoctl.families import FAMILIES, family_named
from topoctl.families.record import Family
from topoctl.interruption import raised
from topoctl.options.enumerate import EnumerationRequest
from topoctl.runs.document import Document, Row, document
from topoctl.runs.rows import Twins, instance_row
from topoctl.runs.session import Progress
from topoctl.search.enumeration.listing import WantedInstances, list_families
from topoctl.search.enumeration.ranking import DEFAULT_SORT, Ranking
from topoctl.search.enumeration.windows import SORTABLE, parse_sort, parse_window
from topoctl.search.evaluated_networks import EvaluatedNetwork

BARE = {"endpoints": "900..1100", "router_radix": "..48"}


def completed(request: EnumerationRequest) -> tuple[dict[str, str], bool, str]:
    """The ranges, whether only balanced networks are wanted, and what to say of choices nobody asked for."""
    if request.ranges or not set(map(str.lower, request.families)) <= {"all"}:
        return dict(request.ranges), request.balanced, ""
    balanced = request.balanced or not request.families
    which = "all balanced networks" if balanced else "all networks"
    asked = "no range" if request.families else "no family and no range"
    return dict(BARE), balanced, f"{asked}: {which} with {in_words(BARE)}"


def enumerated(
    request: EnumerationRequest,
    threads: int,
    progress: Progress,
    engine: Engine | None = None,
    *,
    keep: bool = True,
) -> tuple[Document, list[EvaluatedNetwork]]:
    """List, rank and measure; a Ctrl-C ends the ranking, and what was found by then is reported.

    Args:
        request: what is asked for.
        threads: for the kernels of this process.
        progress: hears of what is listed and measured.
        engine: where networks are measured, several at once; None for this process.
        keep: whether the networks of the rows are returned too, which tens of thousands have no memory for.

    Raises:
        InvalidParameters: an unknown family or sort key, or an invalid range.
        TopoctlError: a network could not be measured.
    """
    ranges, balanced, _ = completed(request)
    windows = {name: parse_window(f"--{name.replace('_', '-')}", text) for name, text in ranges.items()}
    keys = parse_sort(request.sort, SORTABLE) if request.sort else DEFAULT_SORT
    chosen, skipped = choose(request.families)
    began = time.monotonic()
    wanted = WantedInstances(windows, balanced, request.wide, request.fill_ports)
    listing = list_families(chosen, wanted, progress.listed)
    listing.skipped = skipped | listing.skipped
    ranking = Ranking(listing, windows, keys, request.each, request.top or None, threads, progress.measured)
    if engine is not None:
        ranking.elsewhere = DistancesOnEngine(engine, progress.elsewhere)
    progress.ranking(len(listing.entries))
    networks, rows, interrupted = ranked_networks(ranking, keep=keep)
    parameters = {
        "families": [family.name for family in chosen],
        "windows": {name: str(window) for name, window in windows.items()},
        "balanced": balanced,
        "wide": request.wide,
        "fill_ports": request.fill_ports,
        "sort": list(keys),
        "top": request.top,
        "each": request.each,
    }
    found = document(
        "enumerate",
        parameters,
        rows,
        evaluations=len(ranking.measured),
        seconds=time.monotonic() - began,
        status="interrupted" if interrupted else "finished",
        fitting=ranking.fitting,
        beyond_each=ranking.beyond_each,
        undecided=ranking.undecided,
        printed=len(rows),
        skipped=[{"family": name, "reason": reason} for name, reason in ranking.listing.skipped.items()],
        refused=[{"structure": name, "reason": reason} for name, reason in ranking.refused.items()],
        notes=[*ranking.listing.notes, *_family_notes(ranking, chosen, parameters)],
    )
    return found, networks


def _family_notes(ranking: Ranking, chosen: Sequence[Family], parameters: Mapping[str, Any]) -> Iterator[str]:
    """Which of several families have no network in the list, and which share theirs."""
    if repeated := [name for name, count in ranking.repeated.items() if count]:
        has = "has" if len(repeated) == 1 else "have"
        yield f"complete graphs are listed as {ranking.complete} alone; {', '.join(repeated)} {has} them too"
    unknown = {
        entry.structure.family.name
        for entry in ranking.listing.entries
        if ranking.undecided or entry.structure.name in ranking.refused
    }
    without = [one.name for one in chosen if not ranking.fits[one.name] and one.name not in unknown]
    without = [name for name in without if name not in ranking.listing.skipped]
    if parameters["each"] is not None and 0 < len(without) < len(chosen):
        balanced = "balanced " if parameters["balanced"] else ""
        asked = in_words(parameters["windows"]) or "these options"
        hint = "; leave out --balanced to look for others" if balanced else ""
        yield f"no {balanced}network with {asked}: {', '.join(without)}{hint}"


def choose(names: tuple[str, ...]) -> tuple[list[Family], dict[str, str]]:
    """The families to enumerate, and the families that "all" leaves out, with the reasons."""
    words = list(dict.fromkeys(name.lower() for name in names)) or ["all"]
    named = [
        FAMILIES[name] for name in dict.fromkeys(family_named(word).name for word in words if word != "all")
    ]
    if "all" not in words:
        return named, {}
    skipped = {}
    for family in FAMILIES.values():
        if family in named:
            continue
        if family.lattice is None:
            skipped[family.name] = "no list of instances; search instead"
        elif family.random:
            skipped[family.name] = "random networks, enumerated only when named"
        else:
            named.append(family)
    return named, skipped


def ranked_networks(ranking: Ranking, *, keep: bool) -> tuple[list[EvaluatedNetwork], list[Row], bool]:
    """The first networks and their rows, or those before an interruption, and whether there was one."""
    networks: list[EvaluatedNetwork] = []
    rows: list[Row] = []
    twins = Twins()
    try:
        with raised():
            for instance in ranking:
                found = assess(instance.topology, ranking.threads, distances=instance.distances)
                network = EvaluatedNetwork(found)
                row = instance_row(len(rows) + 1, network, instance)
                row |= twins.fields(row["rank"], instance.topology)
                rows.append(row)
                if keep:
                    networks.append(network)
    except KeyboardInterrupt:
        return networks, rows[: len(networks)] if keep else rows, True
    return networks, rows, False


def refuse_nothing(found: Document) -> None:
    """Raise Infeasible where no network is within the ranges."""
    if not found["results"] and found["status"] == "finished":
        asked = in_words(found["parameters"]["windows"]) or "these options"
        balanced = "balanced " if found["parameters"]["balanced"] else ""
        raise Infeasible(f"no {balanced}network with {asked}")


def in_words(windows: Mapping[str, str]) -> str:
    """Windows in words.

    Example:
        >>> in_words({"router_radix": "..48", "order": "9"})
        'router radix ..48, order 9'
    """
    return ", ".join(f"{name.replace('_', ' ')} {window}" for name, window in windows.items())
