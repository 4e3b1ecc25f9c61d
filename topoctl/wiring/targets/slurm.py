"""Slurm's ``topology.conf`` and ``topology.yaml``: a tree of switches, or blocks of nodes.

Source: SchedMD/slurm, ``doc/man/man5/topology.conf.5`` and ``topology.yaml.5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.families import drawing_of
from topoctl.formats.lines import fault
from topoctl.topology import routers_of_endpoints
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import NAMES, Files, Plan, Target, text_of
from topoctl.wiring.wiring import Wiring

TOP = "top"
NUMBERED = re.compile(r"(.*[^0-9])([0-9]{1,9})")
CONF = re.compile(r"(SwitchName|BlockName)=(\S++)[ \t]++(Nodes|Switches)=(\S++)[ \t]*+\r?")
SIZES = re.compile(r"BlockSizes=[0-9]++(?:,[0-9]++)*+[ \t]*+\r?")
YAML = re.compile(
    r'      (?P<lead>- (?:switch|block)|  (?:children|nodes)): (?P<quote>"?)(?P<name>[^\s"]++)(?P=quote)\r?'
)
YAML_REST = re.compile(
    r"(?:---|- topology: [a-z]++|  cluster_default: true|  (?:tree|block):"
    r"|    (?:switches|block_sizes|blocks):"
    r"|      - [0-9]++)\r?"
)
SKIPPED = re.compile(r"[ \t]*+(?:#.*+)?\r?")
EXPECTED = "expected names, such as n[1-9]"
MOST_NODES = 1_000_000
"""Of a list such as ``n[1-9]``, so that no short text is a long list."""


class Level(NamedTuple):
    """A switch or a block of a file.

    Attributes:
        name: of it.
        nodes: below it, or none.
        switches: below it, or none.
    """

    name: str
    nodes: Sequence[str] = ()
    switches: Sequence[str] = ()


def tree_of(plan: Plan) -> list[Level]:
    """The leaves with their nodes, the groups of a family or the racks above them, and one top switch.

    The levels above the leaves are no routers: they say which nodes are near one another.
    """
    leaves = _leaves(plan)
    if len(leaves) == 1:
        return [Level(plan.routers[leaf], nodes) for leaf, nodes in leaves.items()]
    levels = [Level(plan.routers[leaf], nodes) for leaf, nodes in leaves.items()]
    groups = _groups(plan, [*leaves])
    if plan.topology.family in DRAGONFLIES or not 1 < len(groups) < len(leaves):
        return [*levels, Level(TOP, switches=[level.name for level in levels])]
    middle = [Level(name, switches=[plan.routers[leaf] for leaf in held]) for name, held in groups.items()]
    return [*levels, *middle, Level(TOP, switches=list(groups))]


DRAGONFLIES = ("dragonfly", "slimdragonfly")
"""Families for which Slurm has an order of its own, TopologyParam=dragonfly, by leaves and one top switch."""


def blocks_of(plan: Plan) -> list[Level]:
    """The groups of a family, or the racks, as blocks of nodes."""
    leaves = _leaves(plan)
    groups = _groups(plan, [*leaves])
    return [Level(name, [node for leaf in held for node in leaves[leaf]]) for name, held in groups.items()]


def _leaves(plan: Plan) -> dict[int, list[str]]:
    """The nodes of every router that has some."""
    routers = routers_of_endpoints(plan.topology.endpoints_per_router).tolist()
    if not routers:
        raise InvalidParameters("no endpoints: Slurm needs one or more; --p gives every router so many")
    pairs = zip(routers, plan.endpoints, strict=True)
    return {leaf: [name for _, name in held] for leaf, held in groupby(pairs, key=lambda pair: pair[0])}


def _groups(plan: Plan, leaves: Sequence[int]) -> dict[str, list[int]]:
    """The leaves by the group of their family, or else by their rack."""
    called = [f"group{group}" for group in drawing_of(plan.topology).groups.tolist()]
    if len({called[leaf] for leaf in leaves}) == 1:
        racks = plan.cables.plan.rack_names()
        called = [racks[rack] for rack in plan.cables.plan.rack_of.tolist()]
    found: dict[str, list[int]] = {}
    for leaf in leaves:
        found.setdefault(called[leaf], []).append(leaf)
    for name in (*found, TOP):
        if name in plan.wiring.names:
            raise InvalidParameters(f"{quoted(name)}: a group of Slurm's has that name; --names gives others")
    return found


def render_tree(plan: Plan, suffix: str) -> Files:
    """Write the tree."""
    levels = tree_of(plan)
    if suffix == ".yaml":
        rows = [
            f'      - switch: "{level.name}"\n'
            f'        {"nodes" if level.nodes else "children"}: "{hostlist(level.nodes or level.switches)}"\n'
            for level in levels
        ]
        return {"": f"{_head('tree')}    switches:\n{''.join(rows)}".encode()}
    remark = "# with TopologyParam=dragonfly in slurm.conf\n" if plan.topology.family in DRAGONFLIES else ""
    rows = [
        f"SwitchName={level.name} "
        + (f"Nodes={hostlist(level.nodes)}" if level.nodes else f"Switches={hostlist(level.switches)}")
        for level in levels
    ]
    return {"": (remark + "\n".join([*rows, ""])).encode()}


def render_blocks(plan: Plan, suffix: str) -> Files:
    """Write the blocks; the smallest is the size that Slurm plans by."""
    levels = blocks_of(plan)
    size = min(len(level.nodes) for level in levels)
    if suffix == ".yaml":
        rows = [f'      - block: "{name}"\n        nodes: "{hostlist(nodes)}"\n' for name, nodes, _ in levels]
        text = f"{_head('block')}    block_sizes:\n      - {size}\n    blocks:\n{''.join(rows)}"
        return {"": text.encode()}
    rows = [f"BlockName={name} Nodes={hostlist(nodes)}" for name, nodes, _ in levels]
    return {"": "\n".join([*rows, f"BlockSizes={size}", ""]).encode()}


def _head(plugin: str) -> str:
    return f"---\n- topology: {plugin}\n  cluster_default: true\n  {plugin}:\n"


def hostlist(names: Iterable[str]) -> str:
    """Names as Slurm lists them, runs of numbers in brackets.

    Example:
        >>> hostlist(["n08", "n09", "n10", "gpu", "x1", "n11"])
        'n[08-10],gpu,x1,n11'
    """
    found: list[str] = []
    run: list[str] = []
    for name in (*names, ""):
        if run and _follows(run[-1], name):
            run.append(name)
            continue
        if run:
            prefix, first = NUMBERED.fullmatch(run[0]).groups() if len(run) > 1 else (run[0], "")  # type: ignore[union-attr]
            found.append(f"{prefix}[{first}-{run[-1][len(prefix) :]}]" if first else prefix)
        run = [name]
    return ",".join(found)


def _follows(name: str, other: str) -> bool:
    """Whether a name is another one with a number that is one more."""
    here, there = NUMBERED.fullmatch(name), NUMBERED.fullmatch(other)
    if here is None or there is None or here[1] != there[1]:
        return False
    return f"{int(here[2]) + 1:0{len(here[2])}}" == there[2]


def names_listed(text: str) -> list[str]:
    """The names of a list; the reverse of :func:`hostlist`.

    Raises:
        ValueError: it is none, or a long one.

    Example:
        >>> names_listed("n[08-10,12],gpu")
        ['n08', 'n09', 'n10', 'n12', 'gpu']
    """
    found: list[str] = []
    for part in re.split(r",(?![^\[]*\])", text):
        match = re.fullmatch(r"([^\[\],]++)(?:\[([0-9,-]++)\])?+", part)
        if match is None:
            raise ValueError(EXPECTED)
        for span in (match[2] or "").split(","):
            ends = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", span) if match[2] else None
            if match[2] and ends is None:
                raise ValueError(EXPECTED)
            if ends is None:
                found.append(part)
                continue
            first, last = int(ends[1]), int(ends[2] or ends[1])
            if last - first + len(found) > MOST_NODES:
                raise ValueError(EXPECTED)
            found += [f"{match[1]}{number:0{len(ends[1])}}" for number in range(first, last + 1)]
    return found


def parse_slurm(path: str, files: Files, _: PortReader) -> Wiring:
    r"""Read which nodes are below which switch or block, as cables of them without ports.

    Raises:
        FormatError: a line of no switch, block or list, a node at two of them, or no nodes at all.

    Example:
        >>> text = b"SwitchName=a Nodes=n[1-2]\nSwitchName=top Switches=a\n"
        >>> found = parse_slurm("topology.conf", {"": text}, PortReader())
        >>> found.names, found.cables.tolist()
        (('a', 'n1', 'n2'), [[0, 0, 1, 0], [0, 0, 2, 0]])
    """
    text = text_of(path, next(iter(files.values())))
    above: dict[str, str] = {}
    current = ""
    for line, content in enumerate(text.split("\n"), start=1):
        listed = ""
        if conf := CONF.fullmatch(content):
            current, listed = conf[2], conf[4] if conf[3] == "Nodes" else ""
        elif yaml := YAML.fullmatch(content):
            if yaml["lead"].startswith("-"):
                current = yaml["name"]
            elif yaml["lead"] == "  nodes":
                listed = yaml["name"]
        elif not (SKIPPED.fullmatch(content) or SIZES.fullmatch(content) or YAML_REST.fullmatch(content)):
            raise fault(path, text, line, "expected a switch or a block with its nodes")
        try:
            nodes = names_listed(listed) if listed else []
        except ValueError as error:
            raise fault(path, text, line, str(error)) from None
        twice = next((node for node in nodes if node in above), None)
        if twice is not None or not (current or not nodes) or len(set(nodes)) < len(nodes):
            raise fault(path, text, line, "a node a second time, or without a switch, expected one for each")
        above |= dict.fromkeys(nodes, current)
    if not above:
        raise FormatError(path, "no nodes, expected switches or blocks with some")
    return _below(above)


def _below(above: dict[str, str]) -> Wiring:
    """The wiring of nodes and what is above them, without ports."""
    names = tuple(dict.fromkeys((*above.values(), *above)))
    places = {name: place for place, name in enumerate(names)}
    cables = [(places[switch], 0, places[node], 0) for node, switch in above.items()]
    tops = set(above.values())
    return Wiring(names, np.array([name in tops for name in names]), np.array(cables, dtype=np.int32))


def _kept(levels: Sequence[Level]) -> Wiring:
    return _below({node: level.name for level in levels for node in level.nodes})


LETTERS = re.compile(r"[A-Za-z0-9_.-]+")
SLURM = Target(
    name="slurm",
    title="Slurm's topology, tree",
    remark="`topology.conf` or `topology.yaml`: leaves with their nodes, the groups of a family or the racks "
    "above them, one top switch; of a Dragonfly leaves and the top, with `TopologyParam=dragonfly`. "
    "Of several planes, which are alike, the leaves of the first.",
    suffixes=(".conf", ".yaml"),
    letters=LETTERS,
    longest=64,
    holds=frozenset({NAMES}),
    render=render_tree,
    parse=parse_slurm,
    kept=lambda plan: _kept(tree_of(plan)),
)
SLURM_BLOCK = Target(
    name="slurm-block",
    title="Slurm's topology, blocks",
    remark="The same with the groups of a family, or the racks, as blocks.",
    suffixes=(".conf", ".yaml"),
    letters=LETTERS,
    longest=64,
    holds=frozenset({NAMES}),
    render=render_blocks,
    parse=parse_slurm,
    kept=lambda plan: _kept(blocks_of(plan)),
)
