"""Topologies of ns-3's RDMA simulations (HPCC), which ASTRA-sim takes too: numbers, rates and delays.

The first line counts nodes, switches and links, the second names the switches; then a line for every cable,
``SOURCE DESTINATION RATE DELAY ERROR-RATE``. Endpoints come first.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters, quoted
from topoctl.formats.lines import fault
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import LENGTHS, LINKS, PLANES, Files, Plan, Target, text_of
from topoctl.wiring.wiring import Wiring

RATE = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,3})?[GM]bps")
CABLE = re.compile(rf"([0-9]{{1,9}}) ([0-9]{{1,9}}) {RATE.pattern} [0-9.]++[mun]?s [0-9.]++\r?")
NANOSECONDS_PER_METRE = 5
MICROMETRES = 10**6


def render_ns3(plan: Plan, _: str) -> Files:
    """Write the cables, with the delays of their lengths.

    Raises:
        InvalidParameters: an invalid rate.
    """
    rate = plan.told("rate", "100Gbps")
    if not RATE.fullmatch(rate):
        raise InvalidParameters(f"rate {quoted(rate)}: expected such as 400Gbps")
    wiring, order = plan.wiring, len(plan.routers)
    numbers = _numbers(wiring)
    switches = " ".join(str(number) for number in numbers[:order].tolist())
    delays = plan.cables.lengths * NANOSECONDS_PER_METRE / MICROMETRES
    cables = zip(numbers[wiring.cables[:, [0, 2]]].tolist(), delays.tolist(), strict=True)
    lines = [f"{tail} {head} {rate} {max(delay, 1.0):.3f}ns 0" for (tail, head), delay in cables]
    head = f"{len(wiring.names)} {order} {len(lines)}"
    return {"": "\n".join([head, switches, *lines, ""]).encode()}


def _numbers(wiring: Wiring) -> NDArray[np.int64]:
    """The number of every system: endpoints first."""
    order = int(wiring.is_router.sum())
    return (np.arange(len(wiring.names)) - order) % len(wiring.names)


def parse_ns3(path: str, files: Files, _: PortReader) -> Wiring:
    r"""Read such a file: systems have numbers for names, and no ports.

    Raises:
        FormatError: other lines, numbers out of range, or other counts than in the first line.

    Example:
        >>> text = b"3 1 2\n2\n2 0 100Gbps 5.000ns 0\n2 1 100Gbps 5.000ns 0\n"
        >>> parse_ns3("x.txt", {"": text}, PortReader()).cables.tolist()
        [[2, 0, 0, 0], [2, 0, 1, 0]]
    """
    text = text_of(path, next(iter(files.values()))).rstrip("\n") + "\n"
    head, switches, *lines = text.split("\n")
    if not re.fullmatch(r"[0-9]{1,7} [0-9]{1,7} [0-9]{1,8}\r?", head):
        raise fault(path, text, 1, "expected the numbers of nodes, switches and links")
    nodes, order, count = map(int, head.split())
    if not re.fullmatch(r"[0-9]{1,9}(?: [0-9]{1,9})*+\r?", switches) or len(switches.split()) != order:
        raise fault(path, text, 2, f"expected the numbers of the {order} switches")
    routers = np.array([*map(int, switches.split())], dtype=np.int64)
    cables = []
    for line, content in enumerate(lines, start=3):
        cable = CABLE.fullmatch(content)
        if cable is None or max(int(cable[1]), int(cable[2])) >= nodes or cable[1] == cable[2]:
            if content.strip():
                wanted = (
                    f"expected two of {nodes} nodes, rate, delay and error rate, such as '0 8 400Gbps 5ns 0'"
                )
                raise fault(path, text, line, wanted)
            continue
        cables.append((int(cable[1]), 0, int(cable[2]), 0))
    if len(cables) != count or not cables or nodes > 2 * count + order or routers.max() >= nodes:
        raise FormatError(
            path, f"{len(cables)} cables of {nodes} nodes, expected {count}, one at every endpoint"
        )
    kinds = np.isin(np.arange(nodes), routers)
    return Wiring(tuple(map(str, range(nodes))), kinds, np.array(cables, dtype=np.int32))


def _kept(plan: Plan) -> Wiring:
    """The wiring by numbers alone."""
    numbers, cables = _numbers(plan.wiring), plan.wiring.cables * np.array([1, 0, 1, 0], dtype=np.int32)
    cables[:, [0, 2]] = numbers[cables[:, [0, 2]]]
    kinds = np.zeros(len(numbers), dtype=np.bool_)
    kinds[numbers] = plan.wiring.is_router
    return Wiring(tuple(map(str, range(len(numbers)))), kinds, cables)


NS3 = Target(
    name="ns3",
    title="ns-3 RDMA topology",
    remark="For HPCC's simulator, its successors and ASTRA-sim; `rate` of the names is that of all links, "
    "delays are 5 ns a metre.",
    suffixes=(".txt",),
    holds=frozenset({LINKS, LENGTHS, PLANES}),
    render=render_ns3,
    parse=parse_ns3,
    kept=_kept,
)
