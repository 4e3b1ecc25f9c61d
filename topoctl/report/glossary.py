"""The words of tables, options and JSON documents: what each means, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.report.columns import COLUMNS, Column
from topoctl.report.measure_terms import MEASURED
from topoctl.report.terms import EQUALITY, GRAPH_GOLF, GRID, HYPERX, SLIM_FLY, Term
from topoctl.runs.document import Row

CONCEPTS = (
    Term("router", "a switch, vertex of the graph", also=("switch", "vertex")),
    Term("endpoint", "a computer or other device at a port of a router", also=("host", "terminal")),
    Term("port", "where a link or an endpoint is attached to a router"),
    Term("instance", "a network of a family: its parameters but for the concentration"),
    Term(
        "balanced", "with as many endpoints per router as the family's own rule allows", also=("--balanced",)
    ),
    Term("preset", "a published network to be searched again, by name", also=("--preset",)),
    Term("study", "the SQLite file that keeps runs and their checkpoints", also=("--study", "--no-study")),
    Term("replicas", "networks that are annealed side by side", also=("--replicas",)),
    Term("islands", "populations of a genetic search, side by side", EQUALITY, also=("--islands",)),
    Term("moves", "exchanges of links that a replica tries", also=("--moves",)),
    Term(
        "cabinet", "where routers stand; cables between two are counted by their length", also=("--cabinet",)
    ),
    Term("objective", "what a search makes small: hops, latency or power", also=("--objective",)),
    Term("measures", "numbers that are measured where they are asked for, by name", also=("--measures",)),
    Term("workers", "threads; results do not depend on their number", also=("--workers",)),
)
"""Words that are no fields."""
FIELDS = (
    Term("rank", "place of a network, the best one being 1", also=("--top",)),
    Term("run", "number of a run in its study, counted from 1; a network's run found it", also=("--run",)),
    Term("id", "the same; of a group, g and its number"),
    Term("command", "the words of the command line that made a run or takes a preset"),
    Term(
        "status", "whether a run is running, interrupted, killed (its process is gone), finished, or damaged"
    ),
    Term("started", "when a run began, UTC"),
    Term("cell", "a point of a sweep, such as a degree and a length limit"),
    Term("updated", "when a run was last written to its study, UTC"),
    Term("version", "of the topoctl that made a run"),
    Term("host", "the machine of a run: cores, processor, Python, backend of the kernels"),
    Term("links_kept", "ranks of the networks whose links a run keeps"),
    Term("networks", "how many networks a paper's table or figure compares"),
    Term("cells", "how many cells a paper's table has", GRID, also=("--cells",)),
    Term("name", "by which a preset, a family or a paper's table is called"),
    Term("title", "what a preset, a family or a paper's table is, in a few words"),
    Term("label", "what a paper calls a network"),
    Term("spec", "a network as text: family and parameters; it can be evaluated as it is"),
    Term("family", "the name of the family that a network is of; see: topoctl families"),
    Term("parameters", "of the network in its family"),
    Term("file", "a file that holds the graph", also=("--graph",)),
    Term("format", "of a file that holds a graph", also=("--format",)),
    Term("picture", "the file of a drawing", also=("--picture",)),
    Term(
        "layout", "grid, or diagrid (odd rows shifted by half): where routers stand", GRID, also=("--layout",)
    ),
    Term("symmetry", "order of the group that maps the network onto itself", also=("--symmetry",)),
    Term(
        "origin",
        "the network that a found one is made from, and how many routers came or went",
        also=("--origin",),
    ),
    Term("width", "routers per row of a layout", GRID, also=("--width",)),
    Term("height", "rows of a layout", GRID, also=("--height",)),
    Term("order", "number of routers", legend="routers", also=("--n", "--order")),
    Term("size", "number of links between routers", also=("edges",)),
    Term("links", "number of links between routers", also=("link", "--links")),
    Term(
        "network_radix",
        "links of the router that has most",
        HYPERX,
        "links per router",
        ("--k", "--network-radix"),
    ),
    Term("degree", "links per router, at most", GRID, "links per router, at most"),
    Term(
        "length_limit",
        "length of links, at most, in steps of the layout (--l 7m: see length_limit_m)",
        GRID,
        "length of links, at most",
        ("--l",),
    ),
    Term(
        "length_limit_m",
        "length of cables between cabinets, at most, in metres",
        GRID,
        "length of cables, at most, metres",
    ),
    Term("seed", "number that all random draws follow from", also=("--seed", "--seeds")),
    Term("run_rank", "place of a network among those of its run"),
    Term("group", "runs that were asked for together, such as those of several seeds", also=("--group",)),
    Term("note", "what a user wrote about a run or a group"),
    Term("seeds", "what each seed of a group found"),
    Term("spread", "how the best networks of several seeds differ: best, median, worst, mean, deviation"),
    Term("longest_link", "length of the longest link, in steps of the layout", GRID),
    Term("mean_link_length", "mean length of the links, in steps of the layout", GRID),
    Term(
        "concentration",
        "endpoints per router",
        HYPERX,
        "endpoints per router",
        ("--p", "--endpoints-per-router", "--concentration"),
    ),
    Term(
        "router_radix",
        "ports per router: links and endpoints",
        HYPERX,
        "ports per router",
        ("--router-radix",),
    ),
    Term("endpoints", "number of endpoints", also=("--endpoints",)),
    Term("connected", "whether every router reaches every other"),
    Term("components", "connected parts of a network that is not connected"),
    Term("largest_component", "routers of the largest of these parts"),
    Term("diameter", "hops between the routers that are furthest apart", "", "diameter", ("--diameter",)),
    Term("diameter_at_least", "diameter among the sampled sources, which the whole one is not below"),
    Term("wanted_diameter", "diameter that a search looks for", also=("--target-diameter",)),
    Term("pairs_beyond_wanted", "unordered pairs of routers further apart than the wanted diameter"),
    Term(
        "aspl",
        "average shortest path length: mean hops between distinct routers",
        "",
        "mean hops",
        ("--aspl",),
    ),
    Term(
        "aspl_half_width",
        "half of the 95% confidence interval of a sampled ASPL",
        "",
        "95% interval of the ASPL",
    ),
    Term("sampled", "whether only some sources were measured", also=("--sources",)),
    Term("sources", "routers from which distances were measured"),
    Term("distance_sum", "hops over unordered pairs of routers, summed"),
    Term("distance_histogram", "unordered pairs of routers that are one hop apart, two, and so on"),
    Term("endpoint_aspl", "mean hops between distinct endpoints, two of one router being 0 hops apart"),
    Term("balance", "concentration over the balanced one; above 1 is oversubscribed", also=("--balance",)),
    Term(
        "relative_bisection",
        "bisection over half of the endpoints, from its closed form",
        f"{HYPERX}, eq. 3",
        "bisection over half of the endpoints",
        ("--relative-bisection", "bisection", "beta"),
    ),
    Term(
        "relative_bisection_lower_bound", "proven bisection over half of the endpoints", also=("--bisection",)
    ),
    Term(
        "pareto",
        "whether no other network of a design is at least as good in all that they are compared by",
        also=("--front", "front", "Pareto front"),
    ),
    Term("found_by", "command that found a network, enumerate also for one of random links"),
    Term("network_cost", "mean number of links of a router, times diameter", "Bossard 2023, 2.1"),
    Term("aspl_gap", "ASPL less Moore's bound on it", GRAPH_GOLF, "ASPL above Moore's bound"),
    Term("family_aspl_gap", "ASPL less the least that a network of its family could have", EQUALITY),
    Term("layout_aspl_gap", "ASPL less the layout's bound on it", GRAPH_GOLF + " of 2019"),
    Term("graph_golf_gap_percent", "the layout gap in percent of its bound", GRAPH_GOLF + " of 2016"),
    Term(
        "moore_percent",
        "order in percent of the Moore bound",
        SLIM_FLY,
        also=("--moore-percent",),
    ),
    Term(
        "moore_order",
        "Moore bound: most routers that a graph of this radix and diameter has",
        "Hoffman & Singleton 1960",
    ),
    Term("meets_bound", "whether diameter and ASPL are on their lower bounds: no such network is better"),
    *MEASURED,
    Term(
        "load_lower_bound",
        "mean load of the links, at least, where endpoints send all they can to all others alike; above 1 "
        "they are oversubscribed",
        "",
        "mean load of the links, at least",
    ),
    Term("diameter_lower_bound", "no graph of this order and radix has a smaller diameter", "Moore bound"),
    Term("aspl_lower_bound", "no graph of this order and radix has a smaller ASPL", "Cerf et al. 1974"),
    Term("family_diameter_bound", "no network of the family has a smaller diameter", EQUALITY),
    Term("family_aspl_bound", "no network of the family has a smaller ASPL", EQUALITY),
    Term(
        "length_aspl_bound",
        "no graph of this layout and length limit has a smaller ASPL, by lengths alone",
        GRID,
    ),
    Term(
        "layout_diameter_bound",
        "no graph of this layout, degree and length limit has a smaller diameter",
        GRID,
    ),
    Term("layout_aspl_bound", "no graph of this layout, degree and length limit has a smaller ASPL", GRID),
    Term("layout_distance_sum_bound", "the same of the distance sum", GRID),
    Term("mean_length", "mean distance of two places of the layout, in steps", GRID),
    Term("longest_length", "largest distance of two places of the layout, in steps", GRID),
    Term(
        "well_balanced",
        "whether the bounds by degree and by length are closer than at the neighbouring K and L",
        GRID,
    ),
    Term("recommended", "whether K and L are the least whose bounds allow the wanted diameter", GRID),
    Term("hops", "number of hops", GRID, "hops"),
    Term("by_degree", "routers that a corner reaches by its degree", GRID, "reached by degree"),
    Term("by_length", "routers that a corner reaches by the length of links", GRID, "reached by length"),
    Term("by_both", "the smaller of m(i) and d(i)", GRID, "the smaller of the two"),
    Term("levels", "what a corner reaches in 0, 1, 2 and more hops", GRID, also=("--levels",)),
    Term(
        "semicircle_cut", "links that a halving of the ring cuts: an upper bound of the bisection", EQUALITY
    ),
    Term(
        "semicircle_topology_ratio",
        "the semicircle cut as a part of the links between routers (B_r)",
        EQUALITY,
    ),
    Term(
        "semicircle_network_ratio",
        "the semicircle cut as a part of all links, endpoints' too (b_r)",
        EQUALITY,
    ),
    Term("published_diameter", "diameter that a paper prints"),
    Term("published_aspl", "ASPL that a paper prints"),
    Term("published_distance_sum", "distance sum of the network that a paper prints"),
    Term("published_spec", "network that a paper prints"),
    Term("published_place", "where a paper prints it"),
    Term("published_aspl_lower_bound", "Moore's bound on the ASPL as a paper prints it"),
    Term("published_length_aspl_bound", "bound on the ASPL by lengths alone as a paper prints it"),
    Term("published_layout_aspl_bound", "bound on the ASPL by degree and lengths as a paper prints it"),
    Term("published_well_balanced", "whether a paper prints K and L among the well-balanced ones"),
    Term("published", "what a paper prints"),
    Term("x", "place along the axis of a paper's figure"),
    Term("ours", "what is measured here"),
    Term("ours_at_least", "lower end of the interval that ours is known to lie in"),
    Term("ours_at_most", "upper end of the interval that ours is known to lie in"),
    Term("equal", "whether ours is what the paper prints (=) or not (≠)"),
    Term("beats_published", "whether a network is better than the paper's"),
    Term("quantity", "what of a network is compared"),
    Term("comparison", "the paper's table or figure that a value is of"),
    Term("outcome", "how a search of a cell ended, beside the paper and the bound"),
    Term("balance_difference", "how far the length's ASPL bound is below the degree's", GRID),
    Term("agrees", "whether all that a paper prints is ours, rounded"),
    Term("remark", "what there is to say of a row"),
    Term("evaluations", "networks scored or measured", also=("--evaluations",)),
    Term("seconds", "that a command has taken", also=("--seconds",)),
    Term("best_seconds", "seconds after which a run had its best network"),
    Term("example", "a spec of the family"),
    Term("examples", "specs of the family"),
    Term("definition", "of the family: its routers and links"),
    Term("closed_forms", "formulas that hold for every network of the family"),
    Term("term", "a word of this glossary"),
    Term("heading", "of the column of a table"),
    Term("meaning", "of a word"),
    Term("source", "that defines a word"),
    Term("spellings", "other words for a word, among them options"),
)
"""Of rows of results: columns of tables, and what only JSON and CSV hold."""

TERMS = (*CONCEPTS, *FIELDS)
BY_NAME = {term.name: term for term in FIELDS}


def legend_of(columns: Iterable[Column]) -> str:
    """What the signs among the headings mean, in a line; empty where all are words.

    Example:
        >>> legend_of([COLUMNS["rank"], COLUMNS["order"], COLUMNS["network_radix"]])
        "N: routers; k': links per router"
    """
    terms = [BY_NAME[column.field] for column in columns if column.field in BY_NAME]
    return "; ".join(f"{term.heading}: {term.legend}" for term in terms if term.legend)


def term_named(word: str, terms: Sequence[Term] = TERMS) -> Term:
    """The term of a word, a heading or an option, in any case where that is no other's.

    Raises:
        InvalidParameters: there is none; the nearest is named.

    Example:
        >>> term_named("K'").name, term_named("K").name, term_named("network-radix").name
        ('network_radix', 'degree', 'network_radix')
    """
    spelled = {spelling: term for term in reversed(terms) for spelling in term.spellings}
    for known in (spelled, {spelling.casefold(): term for spelling, term in reversed(spelled.items())}):
        for wanted in (word, word.casefold(), word.casefold().replace("-", "_")):
            if wanted in known:
                return known[wanted]
    kind = "column" if terms is FIELDS else "word"
    likely = hint(word, spelled) or "; expected one that `topoctl glossary` shows"
    raise InvalidParameters(f"{kind} {quoted(word)} is unknown{likely}")


def columns_named(text: str) -> tuple[Column, ...]:
    """The columns of words separated by commas: fields or headings; none for ``all``.

    What was asked of a cell of a sweep is the option's name behind ``asked_``.

    Raises:
        InvalidParameters: a word is none; the nearest is named.

    Example:
        >>> [column.heading for column in columns_named("network,d,links")]
        ['network', 'D', 'links']
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if [word.casefold() for word in words] == ["all"]:
        return ()
    if not words:
        raise InvalidParameters(f"{quoted(text)} names no column; expected such as diameter,aspl, or all")
    fields = dict.fromkeys(
        word if word.startswith("asked_") else term_named(word, FIELDS).name for word in words
    )
    return tuple(COLUMNS.get(field, Column(field, field)) for field in fields)


def term_row(term: Term) -> Row:
    """A term as a row of results."""
    return {
        "term": term.name,
        "heading": term.heading,
        "meaning": term.meaning,
        "source": term.source or None,
        "spellings": list(term.also),
    }
