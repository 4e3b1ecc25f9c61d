"""A router: lines of flits, routes, virtual channels, the switch, and queues of what leaves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count, pairwise
from typing import NamedTuple

from topoctl.errors import InvalidParameters
from topoctl.kernels.cooling import below, draw
from topoctl.kernels.fallback.simulation.parts import (
    FROM_ENDPOINT,
    Course,
    Flit,
    Network,
    Packet,
    first_at_least,
)
from topoctl.kernels.simulation import DECIDED_BY_ALL, MOST_HOPS, Plan


class _Option(NamedTuple):
    """A row of ``Plan.options``, as far as the way matters."""

    port: int
    first: int
    last: int
    phase: int
    below: int
    phase_below: int
    escape_port: int = -1
    escape_vc: int = -1


class _Route(NamedTuple):
    """What the head of a line asks for, and the packet's class after the hop."""

    port: int
    channels: range
    option: _Option
    group: int


@dataclass(eq=False, slots=True)
class Line:
    """A virtual channel of an input port: idle, or routed first, then given an output channel `vc`.

    A packet's route is None until it is computed, its `vc` until one is allocated.
    """

    flits: deque[Flit] = field(default_factory=deque)
    is_idle: bool = True
    route: _Route | None = None
    vc: int | None = None


class Router:
    """A router: lines are its input channels, ``port * channels + vc``; output channels are [port][vc]."""

    def __init__(self, plan: Plan, network: Network, number: int) -> None:
        ports, channels = plan.ends.shape[1], plan.channels
        self._plan, self._network, self.number = plan, network, number
        self._key = draw(plan.seed, 2**32 + number)
        self._stride = next(1 << s for s in count() if 1 << s >= channels)
        self.lines = [Line() for _ in range(ports * channels)]
        self._occupied: set[int] = set()
        self.occupancy = [[0] * channels for _ in range(ports)]
        self._is_held = [[False] * channels for _ in range(ports)]
        self._channel_islip, self._switch_islip = _Islip(), _Islip()
        self._offsets = [0] * ports
        self._crossing: list[tuple[int, int, Flit]] = []
        self.leaving: list[deque[tuple[int, Flit]]] = [deque() for _ in range(ports)]
        self.returning: list[deque[int]] = [deque() for _ in range(ports)]
        self.carried = [0] * ports

    def is_busy(self) -> bool:
        """Return whether there is a flit or a credit in it."""
        return bool(self._occupied or self._crossing or any(self.leaving) or any(self.returning))

    def enter(self, port: int, vc: int, flit: Flit, now: int) -> None:
        """Put a flit into its line."""
        number = port * self._plan.channels + vc
        line = self.lines[number]
        line.flits.append(flit)
        if line.is_idle:
            line.is_idle = False
            self._occupied.add(number)
            if self._plan.lookahead:
                line.route = self._route(number, now, 0)

    def step(self, now: int, step: int) -> bool:
        """Do one internal step; return whether a flit passed the switch allocation."""
        occupied = [(number, self.lines[number]) for number in sorted(self._occupied)]
        unrouted = [(number, line) for number, line in occupied if not line.route]
        routes = [(line, self._route(number, now, step)) for number, line in unrouted]
        channels = self._allocate_channels(occupied)
        winners = self._allocate_switch(occupied)
        crossed, self._crossing = self._crossing, []

        for line, route in routes:
            line.route = route
        for number, (port, vc) in channels.items():
            line = self.lines[number]
            assert line.route
            line.route, line.vc = line.route._replace(port=port), vc
            self._is_held[port][vc] = True
        # In order of input ports: a route that is computed now sees what ports before have granted.
        for number in winners:
            if self._move(number):
                self._begin_next(number, now, step + 1)
        for port, vc, flit in crossed:
            self.leaving[port].append((vc, flit))
        return bool(winners)

    def _allocate_channels(self, occupied: list[tuple[int, Line]]) -> dict[int, tuple[int, int]]:
        """Return, by line, the output channels that heads are given."""
        requests: dict[tuple[int, int], list[int]] = {}
        for number, line in occupied:
            if line.route and line.vc is None:
                asked = {(line.route.port, vc) for vc in line.route.channels}
                if line.route.option.escape_port >= 0:
                    asked.add((line.route.option.escape_port, line.route.option.escape_vc))
                for port, vc in asked:
                    room = self._plan.buffer - self.occupancy[port][vc]
                    if not self._is_held[port][vc] and room >= self._plan.head_room:
                        requests.setdefault((port, vc), []).append(number)
        return self._channel_islip.match(requests)

    def _allocate_switch(self, occupied: list[tuple[int, Line]]) -> list[int]:
        """Return the lines whose first flit moves: one for an input port, one for an output port."""
        channels = self._plan.channels
        asking: dict[tuple[int, int], list[int]] = {}
        for number, line in occupied:
            if line.route and line.vc is not None and line.flits:
                output, room = line.route.port, self._plan.output_room
                leaves_room = not room or len(self.leaving[output]) < room
                if leaves_room and self.occupancy[output][line.vc] < self._plan.buffer:
                    asking.setdefault((output, number // channels), []).append(number % channels)
        requests: dict[tuple[int, int], list[int]] = {}
        for output, port in sorted(asking):
            requests.setdefault((output, 0), []).append(port)
        winners = []
        for port, (output, _) in self._switch_islip.match(requests).items():
            vc = _first_or_wrapped(asking[output, port], self._offsets[port])
            self._offsets[port] = (vc + 1) % channels
            winners.append(port * channels + vc)
        return winners

    def _move(self, number: int) -> bool:
        """Let the first flit of a line into the switch; return whether its packet ends there."""
        line, plan = self.lines[number], self._plan
        assert line.route
        assert line.vc is not None
        flit, port, option = line.flits.popleft(), line.route.port, line.route.option
        packet = flit.packet
        if flit.is_head:
            packet.hops += 1
            packet.group = line.route.group
            phase = option.phase_below if line.vc < option.below else option.phase
            packet.course = packet.course._replace(phase=phase)
            packet.came_by = int(plan.kinds[self.number, port]) if plan.class_width else FROM_ENDPOINT
        self.occupancy[port][line.vc] += 1
        self._crossing.append((port, line.vc, flit))
        input_port, input_vc = divmod(number, plan.channels)
        self.returning[input_port].append(input_vc)
        if flit.is_tail:
            self._is_held[port][line.vc] = False
        return flit.is_tail

    def _begin_next(self, number: int, now: int, step: int) -> None:
        """Begin with the packet behind one that has moved on, if there is one."""
        line = self.lines[number]
        line.route = line.vc = None
        if not line.flits:
            line.is_idle = True
            self._occupied.remove(number)
        elif self._plan.lookahead:
            line.route = self._route(number, now, step)

    def _route(self, number: int, now: int, step: int) -> _Route:
        """Compute the route of the packet that is first in a line; this sets the course of the packet."""
        plan, packet = self._plan, self.lines[number].flits[0].packet
        port, vc = divmod(number, plan.channels)
        place = ((now * 64 + step) * 4096 + port * self._stride + vc) * 2
        word = partial(_word, self._key, place)
        if packet.vias:
            packet.course, option = self._decide(packet, word)
            packet.vias = []
        else:
            packet.course, option = self._option(packet.course, packet.destination, word)
        group = packet.group
        if plan.class_width and plan.ends[self.number, option.port] >= 0:
            group += int(plan.rises[packet.came_by, plan.kinds[self.number, option.port]])
        first = group * plan.class_width
        return _Route(option.port, range(first + option.first, first + option.last + 1), option, group)

    def _decide(self, packet: Packet, word: Callable[[int], int]) -> tuple[Course, _Option]:
        """Choose between the way straight to the destination and those through intermediate routers."""
        plan, home = self._plan, self._network.homes[packet.destination]
        by_hops, straight_weight, detour_weight, threshold = plan.bias.tolist()

        def weighed(course: Course, weight: int, *stops: int) -> tuple[int, tuple[Course, _Option]]:
            taken = self._option(course, packet.destination, word)
            queued = self._used(taken[1].port)
            if plan.way == DECIDED_BY_ALL:
                queued = self._queued_on_way(*taken, home, word(1))
            hops = sum(int(plan.distances[ends]) for ends in pairwise(stops)) if by_hops else 1
            return queued * weight * hops, taken

        cost, straight = weighed(packet.course, straight_weight, self.number, home)
        start = int(plan.start[1])
        detours = [
            weighed(Course(0, via, start), detour_weight, self.number, via, home) for via in packet.vias
        ]
        least, detour = min(detours, key=lambda each: each[0])
        return straight if cost <= least + threshold else detour

    def _queued_on_way(self, course: Course, option: _Option, home: int, word: int) -> int:
        """Return the queues at all ports of a way that begins with an option, as the cycle found them."""
        plan, drawn = self._plan, draw(word, course.target)
        ports: int = plan.ends.shape[1]
        router, port, queued = self.number, option.port, 0
        course = course._replace(phase=option.phase)
        for hop in range(MOST_HOPS):
            queued += self._network.queues[router * ports + port]
            router = int(plan.ends[router, port]) // ports
            course = self._turned(course, router, home)
            if router == course.target:
                return queued
            rows, _ = self._options(course, router)
            shares = [row[6] for row in rows]
            port, _, _, phase, *_ = rows[first_at_least(shares, draw(drawn, hop) >> 32)]
            course = course._replace(phase=phase)
        raise InvalidParameters(f"a way of more than {MOST_HOPS} hops")

    def _turned(self, course: Course, router: int, home: int) -> Course:
        """Return the course at a router, where a packet may turn to its destination."""
        if course.leg == 0 and (router == course.target or (self._plan.early and router == home)):
            return Course(1, home, int(self._plan.turn[course.phase]))
        return course

    def _options(self, course: Course, router: int) -> tuple[list[tuple[int, ...]], int]:
        """Return the options of a packet at a router, and where they begin among all."""
        return self._plan.options_at(course.phase, router, course.target)

    def _option(self, course: Course, destination: int, word: Callable[[int], int]) -> tuple[Course, _Option]:
        """Return the hop that a packet takes here, and its course, which may have turned here."""
        plan, home = self._plan, self._network.homes[destination]
        course = self._turned(course, self.number, home)
        if self.number == course.target:
            exit_port = self._network.exits[destination] % plan.ends.shape[1]
            first, last = plan.arrival[course.phase].tolist()
            return course, _Option(exit_port, first, last, course.phase, 0, course.phase)
        rows, begin = self._options(course, self.number)
        choice = 0
        if len(rows) > 1:
            choice = self._choose(int(plan.choice[course.phase]), rows, word)
        escape = plan.escapes[begin + choice].tolist() if plan.escapes.size else []
        return course, _Option(*rows[choice][:6], *escape)

    def _choose(self, kind: int, rows: list[tuple[int, ...]], word: Callable[[int], int]) -> int:
        """Return which of several options is taken."""
        shares, used = [row[6] for row in rows], [self._used(row[0]) for row in rows]
        if kind == 1:
            emptiest = [place for place, credited in enumerate(used) if credited == min(used)]
            return emptiest[below(word(0), len(emptiest))]
        first = first_at_least(shares, word(0) >> 32)
        if kind == 0:
            return first
        second = first_at_least(shares, word(1) >> 32)
        return second if used[second] < used[first] else first

    def _used(self, port: int) -> int:
        """Return the flits granted to an output port whose credit is not back."""
        return sum(self.occupancy[port])


class _Islip:
    """An islip allocator of one iteration (McKeown, IEEE/ACM Transactions on Networking 7, 1999).

    Inputs and outputs are anything that has an order; those that nobody has asked for yet have no pointer.
    """

    def __init__(self) -> None:
        self._granted: dict[tuple[int, int], int] = {}
        self._accepted: dict[int, tuple[int, int]] = {}

    def match(self, requests: dict[tuple[int, int], list[int]]) -> dict[int, tuple[int, int]]:
        """Match inputs with the outputs that they ask for.

        Args:
            requests: by output, its inputs in ascending order.

        Returns:
            The output of every input that has got one.
        """
        grants: dict[int, list[tuple[int, int]]] = {}
        for output in sorted(requests):
            winner = _first_or_wrapped(requests[output], self._granted.get(output, 0))
            grants.setdefault(winner, []).append(output)
        matched = {}
        for winner in sorted(grants):
            offers = grants[winner]
            pointer = self._accepted.get(winner, (0, 0))
            output = next((offer for offer in offers if offer >= pointer), offers[0])
            matched[winner] = output
            # The pointers are one behind the winners: nothing is between (port, vc) and (port, vc + 1).
            self._granted[output] = winner + 1
            self._accepted[winner] = (output[0], output[1] + 1)
        return matched


def _first_or_wrapped(numbers: list[int], pointer: int) -> int:
    """Return the first of ascending numbers from the pointer on, or else the first of all."""
    return next((number for number in numbers if number >= pointer), numbers[0])


def _word(key: int, place: int, number: int) -> int:
    """Return a random word of a router."""
    return draw(key, place + number)
