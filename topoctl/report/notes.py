"""Lines below a table: what a row of numbers cannot say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topoctl.fields import COLUMNS
from topoctl.runs.document import Document, Row, has_searched

AFRESH = "afresh"
"""How a network begins for which no cable is kept."""
SPEC_WIDTH = 44
"""Of a spec in the title of a picture."""


def shortened(spec: str) -> str:
    """A long spec without its middle.

    Example:
        >>> shortened("N2048K28[-1,1,101,115,191,321,387,447,481,519,697](200,410,614,824)")
        'N2048K28[-1,1,101,11…7](200,410,614,824)'
    """
    return f"{spec[:20]}…{spec[-19:]}" if len(spec) > SPEC_WIDTH else spec


def counted(number: int, noun: str) -> str:
    """How many there are of something.

    Example:
        >>> counted(1, "link"), counted(2000, "link")
        ('1 link', '2,000 links')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def name_of(row: Mapping[str, Any]) -> str:
    """What a network is called: its spec, its file, what a run calls it, or its place.

    Example:
        >>> name_of({"spec": "polarfly(q=19,p=14)", "run": None})
        'polarfly(q=19,p=14)'
        >>> name_of({"spec": None, "family": "graph", "order": 334, "network_radix": 33, "run": 19})
        'graph-334-33 (run 19)'
        >>> name_of({"spec": "polarfly(q=19,p=14)", "planes": 2})
        'polarfly(q=19,p=14) in 2 planes'
    """
    found = row.get("spec") or row.get("file") or row.get("whole") or searched_name(row) or row.get("cell")
    name = str(found or f"{row.get('family', 'network')}, rank {row.get('rank')}")
    return f"{name} in {row['planes']} planes" if row.get("planes", 1) > 1 else name


def searched_name(row: Mapping[str, Any]) -> str | None:
    """What a network that a run found is called: its kind, routers, links per router, and the run.

    Args:
        row: of a network, or of a run with its best network; the run is None where none is kept.

    Returns:
        None for a row that no run found, and for a run that has found nothing yet.

    Example:
        >>> found = {"order": 400, "network_radix": 6, "diameter": 8, "width": 20, "run": 7}
        >>> searched_name(found), searched_name({**found, "run_rank": 2})
        ('grid-400-6 (run 7)', 'grid-400-6 (run 7, rank 2)')
    """
    if "run" not in row or row.get("order") is None or row.get("diameter", 0) is None:
        return None
    kind = "grid" if row.get("width") else row.get("family", "graph")
    name = f"{kind}-{row['order']}-{row['network_radix']}"
    run, rank = row["run"], row.get("run_rank")
    if run is None:
        return name
    found_by = f"run {run}" if isinstance(run, int) else run
    return f"{name} ({found_by})" if rank in (None, 1) else f"{name} ({found_by}, rank {rank})"


def network_notes(document: Document) -> list[str]:
    """What a row of numbers cannot say of its network."""
    return [line for row in document["results"] for line in row_notes(row)]


def listing_notes(document: Document) -> list[str]:
    """The same, and how many networks are left out for better ones of their families."""
    return [*network_notes(document), *_twin_notes(document), *_each_notes(document)]


def _twin_notes(document: Document) -> list[str]:
    """Which rows are the same network."""
    ranks: dict[int, list[str]] = {}
    for row in document["results"]:
        if "same_as" in row:
            ranks.setdefault(row["same_as"], [str(row["same_as"])]).append(str(row["rank"]))
    same = "; ".join(f"{', '.join(some)} and {last}" for *some, last in ranks.values())
    return [f"the same network, by rank: {same}"] if ranks else []


def _each_notes(document: Document) -> list[str]:
    """How many networks are left out for better ones of their families."""
    count, each = document["beyond_each"], document["parameters"]["each"]
    return [f"left out by --each {each}: {count:,}, which rank lower in their families"] if count else []


def evaluation_notes(document: Document) -> list[str]:
    """The same, with the figures that only Equality networks have."""
    rows = document["results"]
    lines = [*_twin_notes(document), *_each_notes(document), *simulated_notes(rows)]
    if any(
        row.get("planes", 1) > 1 and row.get("link_failures_connected_percent") is not None for row in rows
    ):
        lines.append("what may fail is told of one plane; of several, all go on as long as one does")
    for row in rows:
        lines += row_notes(row)
        if row.get("semicircle_cut") is not None:
            lines.append(equality_note(row))
    return lines


def design_notes(document: Document) -> list[str]:
    """Which network of a design is recommended, what was left out, and how networks were simulated."""
    return [*_recommended(document), *document["notes"], *simulated_notes(document["results"])]


def _recommended(document: Document) -> list[str]:
    """The recommended network of a design by its rank, and why."""
    from topoctl.report.recommended import WHY, recommended

    place = recommended(document)
    if place is None:
        return []
    row = document["results"][place]
    alone = sum(bool(one["pareto"]) for one in document["results"]) == 1
    why = "the only network of the front" if alone else f"the knee of the front: {WHY}"
    return [f"recommended: {row['rank']}, {name_of(row)}, {why}"]


def cable_notes(document: Document) -> list[str]:
    """What is to be bought, and which cables break the limit that a network was searched with."""
    (row,) = document["results"]
    lines, by_medium = list[str](), dict[str, list[str]]()
    if "sold_ports" in row:
        routers = f"{row.get('total_routers', row['order']):,} of {row['sold_ports']} ports"
        lines.append(f"routers to buy: {routers}; {row['free_ports']:,} of these ports stay free")
    for kind in row["stock"]:
        by_medium.setdefault(kind["medium"], []).append(f"{kind['cables']} of {kind['metres']:g} m")
    lines += [f"{medium} cables to buy: {', '.join(lengths)}" for medium, lengths in by_medium.items()]
    return lines + _limit_notes(row)


def _limit_notes(row: Row) -> list[str]:
    """Which cables break the limit that a network was searched with."""
    if not row.get("cables_beyond_limit"):
        return []
    return [
        f"{row['cables_beyond_limit']:,} of {row['links']:,} cables are longer than the "
        f"{row['length_limit_m']:g} m that the network was limited to, the longest by "
        f"{row['metres_beyond_limit']:.3g} m"
    ]


def check_notes(document: Document) -> list[str]:
    """How much differs, and what the network is as it is wired, beside its plan."""
    summary = document["summary"]
    lines = [*document["notes"]]
    if summary["equal"]:
        lines.append(f"all is as planned, by {summary['matched_by']}")
    else:
        counts = (("ends to move", "moved_ends"), ("cables missing", "missing"), ("too many", "extra"))
        told = ", ".join(f"{words} {summary[name]}" for words, name in counts)
        lines.append(f"{told}; systems told by {summary['matched_by']}")
    return [*lines, *(f"{name}: {_as_linked(summary[name])}" for name in ("planned", "found"))]


def _as_linked(numbers: Row) -> str:
    """Links, and what they make."""
    planes = numbers["planes"]
    said = [counted(numbers["links"], "link") + (f" in {planes} planes" if planes > 1 else "")]
    if numbers["diameter"] is None:
        return f"{said[0]}, {'not all ' if planes > 1 else 'not '}connected"
    said += [f"{'at worst ' if planes > 1 else ''}D {numbers['diameter']}", f"ASPL {numbers['aspl']:.5f}"]
    if numbers["throughput"] is not None:
        said.append(f"θ {numbers['throughput']:.3f}")
    if numbers["bisection"] is not None:
        least, most = numbers["bisection"]["lower_bound"], numbers["bisection"]["upper_bound"]
        said.append(f"bisection {least}" if least == most else f"bisection {least} to {most}")
    if numbers["virtual_channels"] is not None:
        said.append(f"VCs {numbers['virtual_channels']}")
    return ", ".join(said)


def route_notes(document: Document) -> list[str]:
    """The network that all rows are of, and which endpoints are idle."""
    row, asked = document["results"][0], document["parameters"]
    name = name_of({**row, "run": asked["run"], "run_rank": asked["rank"] or 1})
    size = f"{row['order']:,} routers, {counted(row['links'], 'link')}, {row['endpoints']:,} endpoints"
    return [f"{name}: {size}", *document["notes"]]


def simulated_notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """By which routing and on how many virtual channels networks were simulated, a line for all alike.

    Example:
        >>> row = {"spec": "torus(dims=4)", "own_routing": "ecmp", "virtual_channels": 4}
        >>> row |= {"channel_scheme": "segments", "saturation_load": 0.98}
        >>> simulated_notes([row, {"spec": "slimfly(q=19,p=15)", "saturation_load": None}])
        ['simulated: torus(dims=4) by ecmp, 4 virtual channels a link (segments)']
    """
    alike: dict[str, list[str]] = {}
    for row in rows:
        if row.get("saturation_load") is not None:
            count, scheme = row["virtual_channels"], row["channel_scheme"]
            how = f"{row['own_routing']}, {count} virtual channels a link ({scheme})"
            alike.setdefault(how, []).append(name_of(row))
    return [f"simulated: {', '.join(names)} by {how}" for how, names in alike.items()]


def told_apart(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """What networks, routings, and patterns of traffic or work rows of simulations are of, each once.

    Example:
        >>> rows = [{"spec": "torus(dims=4)", "routing": name, "traffic": "half"} for name in ("dor", "ecmp")]
        >>> told_apart(rows)
        {'spec': ['torus(dims=4)'], 'routing': ['dor', 'ecmp'], 'traffic': ['half']}
    """
    sent = "work" if any("work" in row for row in rows) else "traffic"
    words = [{"spec": name_of(row), "routing": row["routing"], sent: row[sent]} for row in rows]
    return {what: [*dict.fromkeys(word[what] for word in words)] for what in ("spec", "routing", sent)}


def simulation_notes(document: Document) -> list[str]:
    """What all rows are of, and what they need to be read rightly: deadlocks, points ended by --cycles."""
    rows = document["results"]
    names = told_apart(rows)
    alike = [words[0] for words in names.values() if len(words) == 1]
    lines = [", ".join(alike)] if alike else []
    lines += document["notes"]
    for row in rows:
        if row["deadlocked"] and not row.get("job"):
            circle = " -> ".join(f"{one}-{other}" for _, one, other in row["waiting_cycle"] or [])
            where = f": {circle}" if circle else ""
            what = [word for name, [word] in told_apart([row]).items() if len(names[name]) > 1]
            if "offered_load" in row:
                what.append(f"offered {row['offered_load']:.3g}")
            lines.append(f"{', '.join(what)}{': ' if what else ''}deadlocked{where}")
    unknown = sum(not (row.get("converged", True) or row["saturated"]) for row in rows)
    if unknown and document["parameters"].get("then") is None:
        replayed = document["parameters"].get("replay") is not None
        short = "all packets had arrived" if replayed else "--precision was reached"
        lines.append(f"{_part(unknown, rows, 'point')} ended by --cycles, before {short}")
    late = sum(row.get("completion_cycles", 0) is None and not row["deadlocked"] for row in rows)
    if late:
        lines.append(f"{_part(late, rows, 'row')} ended by --cycles, before all was done")
    return lines


def _part(count: int, rows: Sequence[Row], thing: str) -> str:
    """How many of all rows; a single row needs no number.

    Example:
        >>> _part(1, [{}], "point"), _part(1, [{}, {}], "point"), _part(2, [{}, {}], "point")
        ('the point', '1 of 2 points', 'all 2 points')
    """
    if len(rows) == 1:
        return f"the {thing}"
    return f"{f'all {count}' if count == len(rows) else f'{count} of {len(rows)}'} {thing}s"


def paper_notes(document: Document) -> list[str]:
    """The same, and what the document itself says of a paper's table, or of a sweep."""
    return [*network_notes(document), *document["notes"]]


def comparison_notes(document: Document) -> list[str]:
    """How many values differ from a paper's, why some do, and what the document itself says."""
    rows = document["results"]
    known = [row for row in rows if row["equal"] is not None]
    different = sum(not row["equal"] for row in known)
    counts = f"{len(known) - different} of {len(known)} values are the paper's (=), {different} differ (≠)"
    remarked: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row["remark"]:
            remarked.setdefault(row["remark"], {}).setdefault(row["label"], []).append(row["quantity"])
    remarks = [
        f"{'; '.join(', '.join((label, *which)) for label, which in differing.items())}: {remark}"
        for remark, differing in remarked.items()
    ]
    return [*([counts] if known else []), *remarks, *document["notes"]]


def row_notes(row: Row) -> list[str]:
    """What is to be said of one network."""
    lines, network = [], f"what is left of {row['whole']}" if row.get("failed") else name_of(row)
    if row.get("connected") is False:
        lines.append(f"{network}: not connected, so it has no diameter and no ASPL")
    if row.get("sampled"):
        lines.append(
            f"{network}: {row['sources']} sampled sources; "
            f"ASPL {row['aspl']:.5f} ± {row['aspl_half_width']:.5f} (95%), "
            f"diameter at least {row['diameter_at_least']}"
        )
    made, planned = row.get("bisection_partitions"), row.get("bisection_planned_partitions")
    if made and made < planned and row["bisection_lower_bound"] < row["bisection_upper_bound"]:
        lines.append(f"{network}: {made} of {planned} halvings were refined before the time was over")
    return lines + [f"{name_of(row)}: {line}" for line in _limit_notes(row)]


def search_notes(document: Document) -> list[str]:
    """How good the best network of a search is, beside what is published, and where it is."""
    lines = network_notes(document)
    best, published = document["results"][0], document.get("published")
    if best.get("origin"):
        lines.append(f"the best is made from {best['origin']}")
    if best.get("start_links"):
        begun = document["parameters"]["start"] or "its origin"
        kept, all_of_them = best["start_links_kept"], best["start_links"]
        lines.append(f"the best keeps {kept:,} of the {all_of_them:,} links of {begun}")
    if best.get("meets_bound"):
        lines.append(_met_bound(best, document["parameters"].get("degree")))
    if best.get("pairs_beyond_wanted"):
        lines.append(
            f"target diameter {best['wanted_diameter']}: not reached; "
            f"pairs of the best that are further apart: {best['pairs_beyond_wanted']:,}"
        )
    most, worst = document["parameters"].get("max_latency_ns"), best.get("worst_latency_ns")
    if most is not None and worst is not None and worst > most:
        lines.append(
            f"no network found has all latencies within {most:g} ns; give it more time or longer links"
        )
    if published:
        aspl = "" if published["aspl"] is None else f", ASPL {published['aspl']:.5f}"
        lines.append(
            f"published ({published['preset']}): D {published['diameter']}{aspl}; "
            f"found: D {best['diameter']}, ASPL {best['aspl']:.5f}"
        )
    if best.get("file"):
        lines.append(f"its graph: {best['file']}")
    return lines


def host_notes(document: Document) -> list[str]:
    """What the best network is beside the bounds; that of even hosts is called what it is."""
    best, *others = document["results"]
    # Moore's bound is on the routers alone: that they meet it says nothing of their hosts.
    lines = search_notes({**document, "results": [{**best, "meets_bound": False}, *others]})
    if all(best[name] == best[f"{name}_lower_bound"] for name in ("host_diameter", "host_aspl")):
        lines.append("the best meets both bounds: no network of these hosts and ports has shorter paths")
    bound = best.get("even_host_aspl_bound")
    if bound is not None and best["host_aspl"] is not None:
        where = "below" if best["host_aspl"] < bound else "above"
        lines.append(
            f"the best is {abs(best['host_aspl'] - bound):.5f} {where} the continuous Moore bound, which "
            f"holds for even hosts alone and is least at {best['even_order']:,} routers"
        )
    return lines


def growth_notes(document: Document) -> list[str]:
    """What the networks are beside the same size afresh, and how much work it is to come to the best."""
    *grown, last = document["results"]
    lines = search_notes({**document, "results": grown or [last]})
    if grown and last["way"] == AFRESH:
        gap = 100 * (grown[0]["aspl"] / last["aspl"] - 1)
        lines.append(
            f"the same size searched afresh: D {last['diameter']}, ASPL {last['aspl']:.5f}; "
            f"the best that grew is {abs(gap):.2f}% {'above' if gap >= 0 else 'below'}"
        )
    kept = [row for row in document["results"] if row["way"] != AFRESH]
    lines += _idle_limits(document["parameters"]["recable"], kept)
    if (work := document.get("work")) is not None:
        lines.append(
            f"the work: {counted(work['unplugged'], 'cable')} unplugged and {work['plugged']:,} plugged in "
            f"{work['batches']:,} {'batch' if work['batches'] == 1 else 'batches'}, connected after each"
        )
        if work["too_short"]:
            lines.append(
                f"{counted(work['too_short'], 'moved cable')} too short for the new place, to be replaced"
            )
        if work["worst_batch"] is not None:
            before, worst, after = (work[f"throughput_{when}"] for when in ("before", "worst", "after"))
            lines.append(
                f"θ {before:.3f} before, {worst:.3f} at the worst moment, both without the new "
                f"routers' endpoints; {after:.3f} after"
            )
    return lines


def _idle_limits(limits: Sequence[int], grown: Sequence[Row]) -> list[str]:
    """Which limits of moved cables have no row, because nothing connected or better was found for them.

    Example:
        >>> _idle_limits([2, 8, 9], [{"rank": 1, "moved_cables": 2}])
        ['--recable 8, 9: nothing better was found than rank 1, for which 2 cables move']
        >>> _idle_limits([0, 2], [{"rank": 1, "moved_cables": 2}])
        ['--recable 0: no connected network was found']
    """
    found: dict[int, list[int]] = {}
    for limit in sorted({*limits}):
        within = (place for place, row in enumerate(grown) if row["moved_cables"] <= limit)
        found.setdefault(next(within, len(grown)), []).append(limit)
    none = found.get(len(grown), [])
    return [
        *(
            f"--recable {', '.join(map(str, some))}: no connected network was found"
            for some in [none]
            if some
        ),
        *(
            f"--recable {', '.join(map(str, idle))}: nothing better was found than rank {row['rank']}, for "
            f"which {counted(row['moved_cables'], 'cable')} move{'s' if row['moved_cables'] == 1 else ''}"
            for place, row in enumerate(grown)
            if (idle := found.get(place, [])[1:])
        ),
    ]


def _met_bound(best: Row, asked: int | None) -> str:
    """Which bound a network is on, of whatever ports and lengths there are."""
    bound, limits, used = "the bound", "these ports", best["network_radix"]
    if best.get("length_limit") or best.get("length_limit_m"):
        limits = "these ports and lengths"
    elif best["order"] * used % 2:  # the gap is that to Moore's bound, for which all ports have links
        bound = f"the bound, ASPL {best['aspl']:.5f} where one port must stay free"
    if asked is not None and used < asked:  # a symmetry may leave ports open
        limits = f"{used} ports a router, of the {asked} asked for,"
    return f"the best meets {bound}: no network with {limits} has shorter paths"


def spread_notes(document: Document) -> list[str]:
    """How far the best networks of several seeds differ, a line a quantity; those that searched, of all."""
    lines, seeds = list[str](), document["seeds"]
    searched = [one for one in seeds if has_searched(one)]
    for name, one in document["spread"].items():
        whole = isinstance(one["best"], int)
        texts = (
            f"{x:.1f}".removesuffix(".0") if whole else f"{x:.{COLUMNS[name].decimals}f}"
            for x in one.values()
        )
        figures = (f"{word.replace('_', ' ')} {text}" for word, text in zip(one, texts, strict=True))
        known = sum(seed.get(name) is not None for seed in searched)
        count = str(known) if known == len(seeds) else f"{known} of {len(seeds)}"
        said = next(figures).removeprefix("best ") if known == 1 else ", ".join(figures)
        lines.append(f"{COLUMNS[name].heading} of {count} seed{'' if len(seeds) == 1 else 's'}: {said}")
    return lines


def differing_notes(document: Document) -> list[str]:
    """In what the parameters of runs differ."""
    lines = []
    for name, values in document["differing"].items():
        each = ", ".join(f"{'–' if value is None else value} (run {run})" for run, value in values.items())
        lines.append(f"{name}: {each}")
    return lines


def equality_note(row: Row) -> str:
    """The figures that only Equality networks have."""
    ratio = row["semicircle_network_ratio"]
    network_ratio = "" if ratio is None else f", b_r {ratio:.4f}"
    gap = row["family_aspl_gap"]
    text_of_gap = "" if gap is None else f", family gap {gap:.5f}"
    cut = counted(row["semicircle_cut"], "link")
    return (
        f"{row['spec']}: to halve its ring cuts {cut}, so that its bisection is no wider "
        f"(B_r {row['semicircle_topology_ratio']:.4f}{network_ratio}); "
        f"no Equality network is below ASPL {row['family_aspl_bound']:.5f}{text_of_gap}"
    )
