"""htsim's connection matrices, ``.cm``: flows between nodes, which start by the clock or by triggers.

A trigger is pulled when a flow with its `send_done_trigger` is sent, or one with its `recv_done_trigger` has
arrived; a oneshot by one flow, a barrier by as many as its count, and all flows that have it as their trigger
start then (Broadcom's csg-htsim, sim/datacenter/connection_matrix.cpp and sim/trigger.cpp).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from topoctl.errors import hint, quoted
from topoctl.simulation.request import MOST_RANKS
from topoctl.simulation.workloads.reading import Reading
from topoctl.simulation.workloads.record import NO_PROCESSOR, NOWHERE, OVER, SENT, Work

WHOLE, TIME = re.compile("[0-9]{1,15}"), re.compile(r"[0-9]{1,15}(?:\.[0-9]{0,15})?")
ENDS = re.compile("([0-9]{1,15})->([0-9]{1,15})")
COUNTED = {"Nodes": "nodes", "Connections": "flows", "Triggers": "triggers", "Failures": "failures"}
WITH_NUMBERS = ("id", "trigger", "size", "send_done_trigger", "recv_done_trigger")
KINDS = ("oneshot", "barrier")


@dataclass(kw_only=True)
class _Reading(Reading):
    """What has been read; up to the last line all tasks are flows."""

    counts: dict[str, int] = field(default_factory=dict)
    ids: set[int] = field(default_factory=set)
    starts: list[tuple[int, int]] = field(default_factory=list)  # picoseconds, flow
    triggers: dict[int, tuple[int, int]] = field(default_factory=dict)  # pulls that it takes, and its line
    pulls: list[tuple[int, int]] = field(default_factory=list)  # trigger, event
    started: list[tuple[int, int]] = field(default_factory=list)  # trigger, flow

    def number(self, key: str, words: list[str], pattern: re.Pattern[str] = WHOLE) -> str:
        """Return the number that is next among the words of a line."""
        word = words.pop(0) if words else ""
        if not pattern.fullmatch(word):
            raise self.fault(f"{key} {quoted(word)}: expected a number")
        return word


def parse_connections(path: str | Path, text: str) -> Work:
    r"""Read the text of a file.

    Raises:
        FormatError: not in the grammar, counts that are not those of the lines, triggers that are never
            pulled or too often, flows without an end, or flows that wait for each other in a circle.

    Example:
        >>> text = (
        ...     "Nodes 4\nConnections 2\nTriggers 1\n0->1 id 1 start 5000 size 64 recv_done_trigger 1\n"
        ...     "1->2 id 2 trigger 1 size 32\ntrigger id 1 oneshot\n"
        ... )
        >>> work = parse_connections("two.cm", text)
        >>> work.tasks.tolist()
        [[0, 1, 64], [1, 2, 32], [-1, -1, 5000], [-1, -1, 0]]
        >>> work.needs.tolist()
        [[5, 0], [1, 3], [7, 1]]
    """
    reading = _Reading(path=path)
    for reading.line, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        first = words.pop(0)
        if first in COUNTED:
            if first in reading.counts:
                raise reading.fault(f"{first} is given twice; expected once")
            reading.counts[first] = int(reading.number(first, words))
            if words:
                raise reading.fault(f"found {quoted(words[0])} behind the number of {COUNTED[first]}")
        elif ends := ENDS.fullmatch(first):
            _flow(reading, int(ends[1]), int(ends[2]), words)
        elif first == "trigger":
            _trigger(reading, words)
        else:
            expected = f"{', '.join(COUNTED)}, SRC->DST, trigger or a comment, #"
            raise reading.fault(f"found {quoted(first)}, expected {expected}")
    _check_counts(reading)
    return _work(reading)


def _flow(reading: _Reading, source: int, destination: int, words: list[str]) -> None:
    """Take up a flow: ``SRC->DST [id K] start PS|trigger T size BYTES [send_done_trigger T] …``."""
    given = _attributes(reading, words)
    if ("start" in given) == ("trigger" in given):
        raise reading.fault("expected either start PICOSECONDS or trigger T")
    if not given.get("size"):
        raise reading.fault("a flow without an end: expected size BYTES, 1 or more")
    if "id" in given:
        if not given["id"] or given["id"] in reading.ids:
            raise reading.fault(f"id {given['id']}: expected 1 or more, and each once")
        reading.ids.add(given["id"])
    flow = reading.add(source, destination, given["size"])
    if given.get("start"):
        reading.starts.append((given["start"], flow))
    if "trigger" in given:
        reading.started.append((given["trigger"], flow))
    for key, event in (("send_done_trigger", SENT), ("recv_done_trigger", OVER)):
        if key in given:
            reading.pulls.append((given[key], 2 * flow + event))


def _attributes(reading: _Reading, words: list[str]) -> dict[str, int]:
    """Read what follows the ends of a flow."""
    given: dict[str, int] = {}
    while words:
        key = words.pop(0)
        if key in given:
            raise reading.fault(f"{key} is given twice; expected once")
        if key == "start":
            given[key] = round(float(reading.number(key, words, TIME)))
        elif key in WITH_NUMBERS:
            given[key] = int(reading.number(key, words))
        elif key in ("prio", "addon"):
            raise reading.fault(f"{key}: not simulated; expected flows without it")
        else:
            raise reading.fault(f"found {quoted(key)}{hint(key, ['start', *WITH_NUMBERS], listed=True)}")
    return given


def _trigger(reading: _Reading, words: list[str]) -> None:
    """Take up a trigger: ``trigger id T oneshot|barrier [count C]``."""
    given: dict[str, int] = {}
    kind = None
    while words:
        key = words.pop(0)
        if key in ("id", "count"):
            given[key] = int(reading.number(key, words))
        elif key in KINDS and kind is None:
            kind = key
        elif key == "multishot":
            raise reading.fault("multishot: not simulated; expected oneshot or barrier")
        else:
            raise reading.fault(f"found {quoted(key)}, expected id T oneshot, or id T barrier count C")
    number = given.get("id", 0)
    if not number or kind is None:
        raise reading.fault("expected trigger id T oneshot, or id T barrier count C, T 1 or more")
    if kind == "barrier" and not given.get("count"):
        raise reading.fault("a barrier without a count: expected count C, 1 or more")
    if number in reading.triggers:
        raise reading.fault(f"trigger {number} is there twice; expected once")
    reading.triggers[number] = (given["count"] if kind == "barrier" else 1, reading.line)


def _check_counts(reading: _Reading) -> None:
    """Hold what the head says against the lines."""
    if "Nodes" not in reading.counts:
        raise reading.fault("no 'Nodes N': expected it before all flows", 1)
    nodes = reading.counts["Nodes"]
    if not 1 <= nodes <= MOST_RANKS:
        raise reading.fault(f"{nodes} nodes: expected 1..{MOST_RANKS}", 1)
    if reading.counts.get("Failures"):
        raise reading.fault("Failures: not simulated; expected 0", 1)
    for key, found in (("Connections", len(reading.tasks)), ("Triggers", len(reading.triggers))):
        if reading.counts.get(key, 0) != found:
            said = reading.counts.get(key, 0)
            raise reading.fault(f"{key} {said}: expected {found}, as there are lines of them", 1)
    for (source, destination, _), line in zip(reading.tasks, reading.lines, strict=True):
        if max(source, destination) >= nodes:
            raise reading.fault(f"node {max(source, destination)}: expected 0..{nodes - 1}", line)


def _work(reading: _Reading) -> Work:
    """Return the work: after the flows, what delays some, and the triggers."""
    for picoseconds, flow in reading.starts:
        delay = reading.add(NO_PROCESSOR, NOWHERE, picoseconds, reading.lines[flow])
        reading.needs.append((2 * delay + OVER, flow))
    of_trigger = {
        trigger: reading.add(NO_PROCESSOR, NOWHERE, 0, line)
        for trigger, (_, line) in reading.triggers.items()
    }
    for trigger, flow in [*reading.started, *((trigger, event // 2) for trigger, event in reading.pulls)]:
        if trigger not in of_trigger:
            raise reading.fault(f"trigger {trigger} is nowhere told", reading.lines[flow])
    pulled = dict.fromkeys(reading.triggers, 0)
    for trigger, event in reading.pulls:
        pulled[trigger] += 1
        reading.needs.append((event, of_trigger[trigger]))
    reading.needs += [(2 * of_trigger[trigger] + OVER, flow) for trigger, flow in reading.started]
    for trigger, (wanted, line) in reading.triggers.items():
        if pulled[trigger] != wanted:
            raise reading.fault(f"pulled by {pulled[trigger]} flows: expected {wanted}", line)
    return reading.work(reading.counts["Nodes"], "flows")
