"""GOAL: sends, receives and computations of ranks, with dependences (Hoefler et al., LogGOPSim, HPDC 2010).

An operation starts when all that it requires has ended. A message goes out then, whether or not it is
received yet; a send has ended when its last flit is sent, a receive when its message has arrived, too.
Computations of a rank on the same cpu are done one after another. A receive takes the first send, in the
order of the file, that has its source and tag; those with the most choice choose last.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path

from topoctl.errors import quoted
from topoctl.simulation.request import MOST_BYTES, MOST_RANKS
from topoctl.simulation.workloads.reading import Reading
from topoctl.simulation.workloads.record import NO_PROCESSOR, NOWHERE, OVER, SENT, Work

SPACE, NUMBER, LABEL = "[ \t]++", "[0-9]{1,18}+", "[a-zA-Z][a-zA-Z0-9_]*+"
ON_CPU, ON_NIC = rf"(?:{SPACE}cpu{SPACE}{NUMBER})?+", rf"(?:{SPACE}nic{SPACE}0+)?+"
TAG = rf"(?:{SPACE}tag{SPACE}(?P<{{}}>{{}}|-1))?+"
SEND = rf"(?P<sent>{NUMBER})[ \t]*+b{SPACE}to{SPACE}(?P<to>{NUMBER})" + TAG.format("sent_tag", NUMBER)
RECEIVE = rf"(?P<received>{NUMBER})[ \t]*+b{SPACE}from{SPACE}(?P<source>{NUMBER}|-1)" + TAG.format(
    "received_tag", NUMBER
)
STATEMENT = re.compile(
    rf"(?P<gap>(?:[ \t\r]++|\n|//[^\n]*+|/\*.*?\*/)++)"
    rf"|num_ranks{SPACE}(?P<ranks>{NUMBER})"
    rf"|rank{SPACE}(?P<rank>{NUMBER})[ \t]*+\{{"
    rf"|(?P<close>\}})"
    rf"|(?:(?:(?P<label>{LABEL})[ \t]*+:[ \t]*+)?+(?:"
    rf"send{SPACE}{SEND}{ON_CPU}{ON_NIC}|recv{SPACE}{RECEIVE}{ON_CPU}{ON_NIC}"
    rf"|calc{SPACE}(?P<computed>{NUMBER})(?:{SPACE}cpu{SPACE}(?P<cpu>{NUMBER}))?+)"
    rf"|(?P<after>{LABEL}){SPACE}(?P<kind>i?requires){SPACE}(?P<before>{LABEL})"
    rf")[ \t\r]*+(?=\n|\Z)",
    re.DOTALL,
)
EXPECTED = "send, recv, calc, requires, irequires, rank, num_ranks or }, as in 'a: send 8b to 1 tag 0'"
MOST_NANOSECONDS = 10**12
ANY = -1


@dataclass(kw_only=True)
class _Reading(Reading):
    """What has been read, of the rank at hand and of those before."""

    ranks: int | None = None
    rank: int | None = None
    seen: set[int] = field(default_factory=set)
    labels: dict[str, int] = field(default_factory=dict)
    arrivals: list[tuple[int, int]] = field(default_factory=list)
    processors: dict[tuple[int, int], int] = field(default_factory=dict)
    sends: list[tuple[int, int, int]] = field(default_factory=list)  # task, destination, tag
    receives: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # and rank, bytes
    starts: dict[int, int] = field(default_factory=dict)


def parse_goal(path: str | Path, text: str) -> Work:
    r"""Read the text of a file.

    Raises:
        FormatError: not in GOAL's grammar, ranks that are missing, sends and receives that do not match, or
            operations that wait for each other in a circle.

    Example:
        >>> receiver = "rank 1 {\na: recv 8b from 0\nb: calc 5\nb requires a\n}"
        >>> text = f"num_ranks 2\nrank 0 {{\nsend 8b to 1\n}}\n{receiver}"
        >>> work = parse_goal("two.goal", text)
        >>> work.tasks.tolist(), work.needs.tolist()
        ([[0, 1, 8], [-1, -1, 0], [0, -1, 5000]], [[3, 2], [1, 1]])
    """
    reading = _Reading(path=path)
    place = 0
    while place < len(text):
        found = STATEMENT.match(text, place)
        if found is None:
            wrong = text[place:].partition("\n")[0].strip()
            raise reading.fault(f"found {quoted(wrong)}, expected {EXPECTED}")
        kind = found.lastgroup
        if kind == "gap":
            reading.line += found[0].count("\n")
        else:
            _take(reading, found)
        place = found.end()
    if reading.rank is not None:
        raise reading.fault(f"the file ends within rank {reading.rank}: expected }}")
    if reading.ranks is None:
        raise reading.fault("no 'num_ranks N': expected it before all ranks", 1)
    if len(reading.seen) < reading.ranks:
        missing = next(rank for rank in range(reading.ranks) if rank not in reading.seen)
        raise reading.fault(f"rank {missing} is missing: expected all of {reading.ranks}")
    _match(reading)
    # What an operation waits for, its start waits for instead, where anything waits for that.
    waiting = [(event, reading.starts.get(task, task)) for event, task in reading.needs]
    begun = [(2 * start + OVER, task) for task, start in reading.starts.items()]
    reading.needs = [*waiting, *begun, *reading.arrivals]
    return reading.work(reading.ranks, "operations")


def _take(reading: _Reading, found: re.Match[str]) -> None:
    """Take up a statement."""
    if found["ranks"]:
        if reading.ranks is not None:
            raise reading.fault("num_ranks is given twice; expected once")
        reading.ranks = int(found["ranks"])
        if not 1 <= reading.ranks <= MOST_RANKS:
            raise reading.fault(f"{reading.ranks} ranks: expected 1..{MOST_RANKS}")
    elif found["rank"]:
        _begin_rank(reading, int(found["rank"]))
    elif reading.rank is None:
        raise reading.fault(
            f"found {quoted(found[0].strip())} outside of a rank: expected 'rank R {{' before"
        )
    elif found["close"]:
        reading.rank = None
    elif found["after"]:
        _depend(reading, *found.group("after", "kind", "before"))
    else:
        task = _operation(reading, found)
        if found["label"] and reading.labels.setdefault(found["label"], task) != task:
            raise reading.fault(f"label {quoted(found['label'])} is given twice in rank {reading.rank}")


def _begin_rank(reading: _Reading, rank: int) -> None:
    if reading.ranks is None:
        raise reading.fault("no 'num_ranks N' before the first rank")
    if reading.rank is not None:
        raise reading.fault(f"rank {rank} begins within rank {reading.rank}: expected }} before")
    if not rank < reading.ranks or rank in reading.seen:
        raise reading.fault(f"rank {rank}: expected each of 0..{reading.ranks - 1} once")
    reading.rank, reading.labels = rank, {}
    reading.seen.add(rank)


def _operation(reading: _Reading, found: re.Match[str]) -> int:
    """Add a send, a receive or a computation."""
    rank, ranks = reading.rank, reading.ranks
    assert rank is not None
    assert ranks is not None
    if found["computed"]:
        nanoseconds = int(found["computed"])
        if nanoseconds > MOST_NANOSECONDS:
            raise reading.fault(f"calc {nanoseconds}: expected at most {MOST_NANOSECONDS} ns")
        processor = reading.processors.setdefault((rank, int(found["cpu"] or 0)), len(reading.processors))
        return reading.add(processor, NOWHERE, 1000 * nanoseconds)
    size, other = int(found["sent"] or found["received"]), int(found["to"] or found["source"])
    if not ANY <= other < ranks:
        raise reading.fault(f"rank {other}: expected 0..{ranks - 1}")
    if size > MOST_BYTES:
        raise reading.fault(f"{size} bytes: expected at most {MOST_BYTES}")
    tag = int(found["sent_tag"] or found["received_tag"] or 0)
    if found["sent"]:
        if tag == ANY:
            raise reading.fault("a send with tag -1: expected the tag of its message")
        task = reading.add(rank, other, size)
        reading.sends.append((task, other, tag))
    else:
        task = reading.add(NO_PROCESSOR, NOWHERE, 0)
        reading.receives.append((task, other, tag, rank, size))
    return task


def _depend(reading: _Reading, after: str, kind: str, before: str) -> None:
    """Let an operation wait for another of its rank, or for the start of that."""
    for label in (after, before):
        if label not in reading.labels:
            raise reading.fault(f"label {quoted(label)} is not defined before in rank {reading.rank}")
    waiting, awaited = reading.labels[after], reading.labels[before]
    if kind == "irequires":
        # The start is a computation of no time, between what the operation requires and itself.
        if awaited not in reading.starts:
            reading.starts[awaited] = reading.add(NO_PROCESSOR, NOWHERE, 0)
        event = 2 * reading.starts[awaited] + OVER
    else:
        event = 2 * awaited + (OVER if reading.tasks[awaited][1] == NOWHERE else SENT)
    reading.needs.append((event, waiting))


def _match(reading: _Reading) -> None:
    """Find the send of every receive."""
    left = _Sends(reading)
    by_choice = sorted(reading.receives, key=lambda one: one[1:3].count(ANY))
    for task, source, tag, rank, size in by_choice:
        send = left.first(rank, source, tag)
        if send is None:
            what = f"from {'any rank' if source == ANY else source}, tag {'any' if tag == ANY else tag}"
            raise reading.fault(
                f"rank {rank} receives {what}, and no send is left for that", reading.lines[task]
            )
        if reading.tasks[send][2] > size:
            raise reading.fault(
                f"a receive of {size} bytes for a send of {reading.tasks[send][2]} on line "
                f"{reading.lines[send]}: expected as many or more",
                reading.lines[task],
            )
        reading.arrivals.append((2 * send + OVER, task))
        left.taken.add(send)
    for send, destination, tag in reading.sends:
        if send not in left.taken:
            reason = f"rank {destination} has no receive for this send with tag {tag}"
            raise reading.fault(reason, reading.lines[send])


class _Sends:
    """The sends for which no receive has been found yet."""

    def __init__(self, reading: _Reading) -> None:
        self.taken: set[int] = set()
        self._by: defaultdict[tuple[int, int, int], deque[int]] = defaultdict(deque)
        any_source = {(rank, tag) for _, source, tag, rank, _ in reading.receives if source == ANY}
        any_tag = {(rank, source) for _, source, tag, rank, _ in reading.receives if tag == ANY}
        for task, destination, tag in reading.sends:
            source = reading.tasks[task][0]
            self._by[destination, source, tag].append(task)
            if (destination, tag) in any_source:
                self._by[destination, ANY, tag].append(task)
            if (destination, source) in any_tag:
                self._by[destination, source, ANY].append(task)
            if (destination, ANY) in any_source:
                self._by[destination, ANY, ANY].append(task)

    def first(self, rank: int, source: int, tag: int) -> int | None:
        """Return the first send that is left to a rank, of a source and a tag."""
        sends = self._by[rank, source, tag]
        while sends and sends[0] in self.taken:
            sends.popleft()
        return sends[0] if sends else None
