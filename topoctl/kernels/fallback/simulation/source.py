"""Endpoints that send: packets drawn or of a list, and the virtual channels that these take."""

from __future__ import annotations

from collections.abc import Iterable

from topoctl.kernels.cooling import below, draw
from topoctl.kernels.fallback.simulation.messages import NEVER, Messages
from topoctl.kernels.fallback.simulation.parts import Course, Flit, Network, Packet, first_at_least
from topoctl.kernels.simulation import ANY_OTHER, DECIDED, NEXT_TO, UNIFORM, UNIFORM_OTHERS, Plan


class Source:
    """An endpoint that sends packets that are drawn, of a list, or of messages."""

    def __init__(self, plan: Plan, network: Network, messages: Messages, number: int) -> None:
        self.number, self._clock = number, -1
        self.packet: Packet | None = None
        self.occupancy = [0] * plan.channels
        self._plan, self._network, self._key = plan, network, draw(plan.seed, number)
        self._messages = messages
        self._made, self._flits_sent, self._vc, self._last_vc = 0, 0, -1, -1
        self._drawn_at, self._traffic = -1, 0
        self._wait_for_next(first=True)

    @property
    def clock(self) -> int:
        """The ctime of its next packet, number `made`."""
        return self._messages.ready_at(self.number) if self._messages else self._clock

    def take_up(self, now: int) -> Packet:
        """Begin with the next packet."""
        ctime = self.clock if self._plan.queued else now
        self._drawn_at = self.clock
        message = -1
        if self._messages:
            message, destination, flits = self._messages.next_packet(self.number)
        elif len(self._plan.replay_rows):
            destination, flits = self._replayed()
        else:
            destination, flits = self._drawn()
        router, home = self._network.homes[self.number], self._network.homes[destination]
        straight, vias = Course(1, home, int(self._plan.start[0])), self._vias(router, home)
        is_detour = self._plan.way == 1 and vias
        self.packet = Packet(
            source=self.number,
            number=self._made,
            ctime=ctime,
            destination=destination,
            flits=flits,
            course=Course(0, vias[0], int(self._plan.start[1])) if is_detour else straight,
            group=int(self._plan.start_class[router, home]) if self._plan.start_class.size else 0,
            vias=vias if self._plan.way >= DECIDED else [],
            message=message,
        )
        self._flits_sent = 0
        self._made += 1
        self._wait_for_next()
        return self.packet

    def reached(self, now: int) -> int:
        """Return the cycle that it looks at next, to make a packet or not: no later than this one."""
        return min(self._drawn_at + 1 if self.packet else self.clock, now)

    def send(self, now: int) -> tuple[int, Flit] | None:
        """Send the next flit of the packet, if there is a credit: its virtual channel, and the flit."""
        assert self.packet
        flit = Flit(self.packet, self._flits_sent)
        channels = self._head_channels(now) if flit.is_head else [self._vc]
        least = max(1, self._plan.head_room) if flit.is_head else 1
        free = [vc for vc in channels if self._plan.buffer - self.occupancy[vc] >= least]
        if not free:
            return None
        if flit.is_head:
            self._vc = self._last_vc = free[0]
            self.packet.itime = now
        self.occupancy[self._vc] += 1
        self._flits_sent += 1
        if flit.is_tail:
            self.packet = None
        return self._vc, flit

    def _head_channels(self, now: int) -> list[int]:
        """Return the virtual channels that a head tries in this cycle, in this order."""
        first, last = self._plan.entry.tolist()
        width = last - first + 1
        if self._plan.entry_drawn:
            return [first + below(draw(self._key, 2**50 + now), width)]
        if not first <= self._last_vc <= last:
            return [first]
        return [first + (self._last_vc - first + step) % width for step in range(1, width + 1)]

    def _word(self, purpose: int) -> int:
        """Return a random word for the next packet."""
        return draw(self._key, 8 * self._made + purpose)

    def _wait_for_next(self, *, first: bool = False) -> None:
        """Set the clock to the ctime of the next packet."""
        plan = self._plan
        if self._messages:
            return
        if len(plan.replay_rows):
            begin, end = plan.replay_rows[self.number : self.number + 2].tolist()
            self._clock = int(plan.replay[begin + self._made, 0]) if begin + self._made < end else NEVER
            return
        word, row = self._word(4), int(plan.rate_of[self._traffic, self.number])
        if not first and len(plan.after):
            row = int(plan.after[row])
        made = self._drawn_after(self._clock, row, word)
        while self._traffic + 1 < len(plan.since) and made >= plan.since[self._traffic + 1]:
            self._traffic += 1
            row = int(plan.rate_of[self._traffic, self.number])
            made = self._drawn_after(int(plan.since[self._traffic]) - 1, row, draw(word, self._traffic))
        self._clock = made

    def _drawn_after(self, before: int, row: int, word: int) -> int:
        """Return the cycle of the next packet, by a row of gaps."""
        plan = self._plan
        if row < 0:
            return NEVER
        made = before + 1
        while word > (shares := plan.gaps[row].tolist())[-1]:
            made, word = made + len(shares), draw(word, 0)
            row = int(plan.longer[row]) if len(plan.longer) else row
        return made + first_at_least(shares, word)

    def _replayed(self) -> tuple[int, int]:
        """Return destination and flits of the next packet of the list."""
        _, destination, flits = self._plan.replay[self._plan.replay_rows[self.number] + self._made].tolist()
        return destination, flits

    def _drawn(self) -> tuple[int, int]:
        """Draw destination and flits of the next packet."""
        plan, word, endpoints = self._plan, self._word(0), len(self._plan.entries)
        row = int(plan.destination_of[self._traffic, self.number])
        if row == UNIFORM:
            destination = below(word, endpoints)
        elif row == UNIFORM_OTHERS:
            destination = below(word, endpoints - 1)
            destination += destination >= self.number
        else:
            row_of = slice(*plan.destination_rows[row : row + 2].tolist())
            place = first_at_least(plan.destination_shares[row_of].tolist(), word)
            destination = int(plan.destinations[row_of][place])
        size = 0
        if len(plan.sizes) > 1:
            size = first_at_least(plan.size_shares.tolist(), self._word(1))
        return destination, int(plan.sizes[size])

    def _vias(self, router: int, home: int) -> list[int]:
        """Draw intermediate routers of the next packet; none lies between a router and itself.

        Where the way is decided, going by the source's or the destination's router is to go straight.
        """
        plan, at_home = self._plan, router == home
        if plan.way == 0 or (at_home and (plan.way >= DECIDED or plan.through in (ANY_OTHER, NEXT_TO))):
            return []
        if plan.way >= DECIDED and self._is_near(router, home):
            return []
        word = self._word(2)
        if plan.way == 1:
            return [self._via(word, router, home)]
        words = [word] + [draw(word, detour) for detour in range(1, plan.detours)]
        vias = [self._via(each, router, home) for each in words]
        return [via for via in vias if via not in (router, home) and not self._is_near(router, via)]

    def _is_near(self, router: int, other: int) -> bool:
        """Return whether two routers are of one group, if there are groups."""
        groups = self._plan.groups
        return bool(groups.size and groups[router] == groups[other])

    def _via(self, word: int, router: int, home: int) -> int:
        """Return the intermediate router that a word says."""
        if self._plan.through == 0:
            return self._network.homes[below(word, len(self._network.homes))]
        if self._plan.through in (ANY_OTHER, NEXT_TO):
            others: Iterable[int] = range(len(self._plan.ends))
            if self._plan.through == NEXT_TO:
                others = self._network.beside(router) | self._network.beside(home)
            kept = sorted(set(others) - {router, home})
            return kept[below(word, len(kept))] if kept else router
        via, weight = 0, 1
        radices: list[int] = self._plan.radices.tolist()
        for dimension, radix in enumerate(radices):
            here, there = router // weight % radix, home // weight % radix
            digits = (
                range(radix) if self._plan.through == 2 else range(min(here, there), max(here, there) + 1)
            )
            drawn = digits[below(draw(word, 64 + dimension), len(digits))]
            via += weight * (here if here == there else drawn)
            weight *= radix
        return via
