"""Who is who without names: two networks matched by their structure, also where some cables are wrong.

Each attempt begins with few pairs: those that are known, those that no other router is like, and a guess.
From there the kernel goes outward by votes. Many attempts go a little way; those that agree best go all the
way. A right beginning differs from a wrong one by far: soon nearly all links agree, or few do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.matching import LINK_WEIGHTS, NOBODY, Links, match_outward
from topoctl.wiring.wiring import Wiring

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
NEAR, FAR, CHOSEN, LAST = (48, 3), (300, 12), 24, 4
"""Routers of a first and a second look, so many or so often the degree; attempts with a second and a last."""
GUESSES, REFINED, DEPTH, ROUNDS, CANDIDATES = 384, 4, 6, 12, 6
"""Attempts of a batch that guess, and that refine; pairs that these guess, rounds, and tries a pair."""
LONGEST = 4
"""Pairs of a guess."""
SETTLED, MORE, MOST = 4, 10**7, 12
"""Matchings of an attempt that are settled; votes times batches after one that convinces, and batches."""
EXCHANGES = 30
BATCHES, WORK, ROUTERS = 60, 2 * 10**8, 150_000
"""Batches at most; votes that are counted in a matching from end to end, and routers, times batches."""
HUBS, GUESSED = 4 * 10**10, 10**9
"""Votes beyond which there are fewer than four batches, as around routers of thousands of links; and votes of
all guesses of a batch."""
LIKE = 0.4
"""The share of routers of which cycles tell something: so many have a partner with as many."""
CONVINCING, LIKELY, CERTAIN = 0.7, 0.94, 0.98
"""The share of links that agree where a matching is believed, where hardly any other agrees better, and where
one that comes twice is the best. Networks that are much alike themselves can be laid over one another so that
nine links of ten agree, and not one router is where it belongs."""
SEEN, TURNS, TURNING = 3, 128, 5 * 10**7
"""How far around a router ports are looked at; symmetries that are tried, and votes counted in them."""
TORN, TEARS, RADII = 16, 6, 3
"""Matchings of a batch that are torn open somewhere, batches without a better one that end it, and how far
around a wrong link."""
MOST_SQUARES = 3 * 10**7
"""Pairs of links with one router up to which cycles of four are counted, and pairs of routers with walks of
three links between them up to which these are."""
FIRST_BATCHES = 6
"""Batches after which links are told apart by the cycles through them."""
MOST_VOTES = 10**7
"""Votes of a matching up to which opposite routers are matched."""
MOST_WALKED, COMMON = 4 * 10**8, 0.01
"""Work up to which walks from one end of a link to the other are counted, and the least share of all links of
either side that is a kind."""
AT_ONCE = 4096
"""Links of which walks are counted together."""


@dataclass(frozen=True)
class Matched:
    """A matching.

    Attributes:
        images: int32, shape (systems of the plan,): the system that was found for it; NOBODY for none.
        agreed: the share of links that are where they are planned, of those that both have at most.
    """

    images: NDArray[np.int32]
    agreed: float

    @property
    def is_convincing(self) -> bool:
        """Whether so many links agree that it is hardly by chance."""
        return self.agreed >= CONVINCING


def matched_by_structure(
    plan: Wiring, found: Wiring, known: Integers, *, ports: bool, threads: int | None = None
) -> Matched:
    """Match the systems of a plan with those that were found.

    Routers are matched; endpoints by the routers that they are on, those of a router in the order of its
    ports. The same wirings give the same result.

    Args:
        plan: as it should be.
        found: as it is.
        known: int64, shape (pairs, 2): systems of the plan and which of those found they are.
        ports: whether both tell the ports of routers.
        threads: of the kernel.
    """
    if not (plan.is_router.any() and found.is_router.any()):
        return Matched(np.full(len(plan.names), NOBODY, dtype=np.int32), 0.0)
    sides = _sides(plan, found, known, ports=ports)
    (held, ours), (others, theirs) = sides
    places = [np.full(len(wiring.names), NOBODY) for wiring in (plan, found)]
    places[0][held], places[1][others] = np.arange(len(held)), np.arange(len(others))
    anchors = np.stack([places[side][known[:, side]] for side in (0, 1)], axis=1).astype(np.int32)
    search = _Search(ours, theirs, anchors[(anchors >= 0).all(axis=1)], threads)
    image, agreed = search.best()
    images = np.full(len(plan.names), NOBODY, dtype=np.int32)
    images[held[image >= 0]] = others[image[image >= 0]]
    images[known[:, 0]] = known[:, 1]
    _add_endpoints(plan, found, images)
    return Matched(images, agreed)


def _sides(
    plan: Wiring, found: Wiring, known: Integers, *, ports: bool
) -> list[tuple[NDArray[np.intp], Links]]:
    """The routers of both, and the endpoints that are known: which systems, and their links."""
    made: list[Any] = []
    both_tell = all((~wiring.is_router).any() for wiring in (plan, found))
    for side, wiring in enumerate((plan, found)):
        inside = wiring.is_router.copy()
        inside[known[:, side]] = True
        systems = np.flatnonzero(inside)
        places = np.cumsum(inside) - 1
        ends = inside[wiring.cables[:, [0, 2]]]
        hosts = np.zeros(len(wiring.names), dtype=np.int64)
        for column in (0, 2):
            single = ends[:, column // 2] & ~ends[:, 1 - column // 2]
            np.add.at(hosts, wiring.cables[single, column], int(both_tell))
        kinds = 2 * hosts[systems] + wiring.is_router[systems]
        cables = wiring.cables[ends.all(axis=1)].astype(np.int64)
        arcs = np.concatenate([cables, cables[:, [2, 3, 0, 1]]])
        arcs[:, [0, 2]] = places[arcs[:, [0, 2]]]
        arcs = arcs[arcs[:, 0] != arcs[:, 2]]
        _, first = np.unique(arcs[:, 0] * len(systems) + arcs[:, 2], return_index=True)
        arcs = arcs[first].astype(np.int32)
        told = arcs[:, [1, 3]] if ports else np.zeros((len(arcs), 2), dtype=np.int32)
        told = np.where(wiring.is_router[systems[arcs[:, [0, 2]]]], told, 0).astype(np.int32)
        offsets = np.searchsorted(arcs[:, 0], np.arange(len(systems) + 1)).astype(np.int32)
        neighbors = np.ascontiguousarray(arcs[:, 2])
        each = 2 * LINK_WEIGHTS[2 if told.all() else 0]  # as a cable, which is two arcs
        counts = (each * hosts[systems]).astype(np.int32)
        colors = kinds.astype(np.int32)
        made.append((systems, Links(offsets, neighbors, np.ascontiguousarray(told), colors, counts)))
    return made


def _add_endpoints(plan: Wiring, found: Wiring, images: NDArray[np.int32]) -> None:
    """Match the endpoints on matched routers, by their ports where these are the same, then in order."""
    there = _hosts(found)
    taken = {*images[images >= 0].tolist()}
    for router, hosts in _hosts(plan).items():
        if (image := int(images[router])) < 0:
            continue
        free = [(port, host) for port, host in there.get(image, []) if host not in taken]
        waiting = [(port, host) for port, host in hosts if images[host] < 0]
        at = {port: host for port, host in free if port}
        same = {host: at.pop(port) for port, host in waiting if port in at}
        rest = [host for _, host in free if host not in same.values()]
        others = [host for _, host in waiting if host not in same]
        for host, other in [*same.items(), *zip(others, rest, strict=False)]:
            images[host] = other
            taken.add(other)


def _hosts(wiring: Wiring) -> dict[int, list[tuple[int, int]]]:
    """Of every router, the ports with endpoints and these."""
    found: dict[int, list[tuple[int, int]]] = {}
    is_router = wiring.is_router.tolist()
    for tail, port, head, other in wiring.cables.tolist():
        for near, at, far in ((tail, port, head), (head, other, tail)):
            if is_router[near] and not is_router[far]:
                found.setdefault(near, []).append((at, far))
    return {router: sorted(hosts) for router, hosts in found.items()}


class _Search:
    """Attempts to match two networks, better and better."""

    def __init__(self, plan: Links, found: Links, anchors: NDArray[np.int32], threads: int | None) -> None:
        self.anchors, self.threads = anchors, threads
        self.longest = 1 if (plan.ports > 0).any(axis=1).all() else LONGEST  # told ports need no guess
        self.random = np.random.default_rng(1)
        plain = [_mixed(side.colors.astype(np.uint64)) for side in (plan, found)]
        self.words = [_cycles(words, side) for words, side in zip(plain, (plan, found), strict=True)]
        if _in_common(self.words) < LIKE * len(plan.colors):
            self.words = plain  # wrong cables have changed the cycles of most
        for row, pair in enumerate(anchors.tolist()):
            for words, router in zip(self.words, pair, strict=True):
                words[router] = _mixed(np.array([row + 2**32], dtype=np.uint64))[0]
        _, numbers = np.unique(np.concatenate(self.words), return_inverse=True)
        split = len(plan.colors)
        colors = numbers[:split].astype(np.int32), numbers[split:].astype(np.int32)
        self.sides = plan._replace(colors=colors[0]), found._replace(colors=colors[1])
        self.tails = np.repeat(np.arange(split), np.diff(plan.offsets))
        self.most = min(_whole(plan), _whole(found))
        self.likely = self.most - (1 - LIKELY) * int(_counted(plan.ports).sum())
        self.degree = degree = max(int(np.diff(plan.offsets).max(initial=1)), 1)
        votes = split * degree**2
        near = min(
            max(NEAR[0], NEAR[1] * degree) * degree**2,
            int((np.diff(plan.offsets).astype(np.int64) ** 2).sum()),
        )
        self.guesses = int(np.clip(GUESSED // max(near, 1), 4, GUESSES))
        least = int(np.clip(HUBS // votes, 1, 4))
        self.batches, self.more, self.turns, self.tears = (
            int(np.clip(min(WORK // votes, ROUTERS // split), least, BATCHES)),
            int(np.clip(MORE // votes, min(least, 2), MOST)),
            int(np.clip(TURNING // votes, 0, TURNS)),
            int(np.clip(MORE // votes, 1, TEARS)),
        )

    def best(self) -> tuple[NDArray[np.int32], float]:
        """The best matching, and the share that agrees."""
        first = min(FIRST_BATCHES, self.batches)
        found = self._turned(*self._searched(first))
        for search, enough in (
            (self._by_kinds, self.likely),
            (self._by_opposites, CONVINCING * self.most),
            (lambda: self._searched(self.batches - first), self.likely),
        ):
            if found[0] < enough:
                found = max(found, self._turned(*search()), key=lambda one: one[0])
        total, image = self._torn(*found)
        return image, total / max(self.most, 1)

    def _by_kinds(self) -> tuple[int, NDArray[np.int32]]:
        """The best matching where links of one kind count more, and what agrees whatever their kinds are."""
        nothing = -1, np.full(len(self.sides[0].colors), NOBODY, dtype=np.int32)
        if self.longest == 1 or (kinds := _kinds(*self.sides)) is None:
            return nothing
        plan, found = (side._replace(ports=ports) for side, ports in zip(self.sides, kinds, strict=True))
        search = _Search(plan, found, self.anchors, self.threads)
        search.longest = LONGEST
        best, image = search._searched(search.batches)
        if best < CONVINCING * search.most:
            return nothing
        return self._settled(-1, image)

    def _by_opposites(self) -> tuple[int, NDArray[np.int32]]:
        """The best matching that begins with one of networks of opposite routers.

        Where the shortest cycles are long, neighbours of neighbours tell nothing of each other, but routers
        opposite on such cycles are linked with many of each other's.
        """
        best, image = -1, np.full(len(self.sides[0].colors), NOBODY, dtype=np.int32)
        if self.longest == 1 or (both := _opposites(*self.sides)) is None:
            return best, image
        search = _Search(both[0], both[1], self.anchors, self.threads)
        search.longest, search.more = LONGEST, 0
        for _ in range(FIRST_BATCHES):
            found = self._settled(-1, search._searched(1)[1])
            best, image = max((best, image), found, key=lambda one: one[0])
            if best >= self.likely:
                break
        return best, image

    def _searched(self, batches: int) -> tuple[int, NDArray[np.int32]]:
        """The best matching of the attempts, and what agrees.

        The search ends where all agrees, where nearly all agrees and the best one has come often, and some
        batches after the best one if that is likely.
        """
        best, image, times = -1, np.full(len(self.sides[0].colors), NOBODY, dtype=np.int32), 0
        left = batches
        while left > 0:
            left -= 1
            for images, totals in self._attempts(first=best < 0):
                for row in np.argsort(-totals, kind="stable")[:SETTLED]:
                    total, settled = int(totals[row]), images[row]
                    if total >= CONVINCING * self.most:
                        total, settled = self._settled(total, settled)
                    times = 0 if total > best else times + (total == best)
                    if total > best:
                        left = self.more if total >= self.likely else left
                        best, image = total, settled
                if best == self.most or (times >= self.more and best >= CERTAIN * self.most):
                    return best, image
        return best, image

    def _settled(self, best: int, image: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
        """Match anew from routers whose links agree and hang together, until that is no better."""
        while best < self.most:
            sure = self._sure(image)
            rows = [sure[self.random.random(len(sure)) < share] for share in (1, 0.7, 0.4)]
            images, totals = self._run([[*map(tuple, row.tolist())] for row in rows], None)
            if totals.max() <= best:
                break
            best, image = int(totals.max()), images[totals.argmax()]
        return best, image

    def _turned(self, best: int, image: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
        """The best of a matching, and that after symmetries that the plan has but for a few ports.

        In a torus only the ports beside its seams tell a matching from one that is a router off everywhere.
        """
        if self.longest > 1 or len(self.anchors) or not CONVINCING * self.most <= best < self.most:
            return best, image
        pairs = self._astray(image)
        if not len(pairs):
            return best, image
        pairs = np.resize(pairs, (self.turns, 1, 2))  # each with several lots
        plan, order, seeds = self.sides[0], len(image), np.arange(self.turns)
        turns, _ = match_outward(*plan, *plan, pairs, seeds, order, 0, self.threads)
        images = np.where(turns >= 0, image[turns], NOBODY)
        starts = np.stack([np.broadcast_to(np.arange(order, dtype=np.int32), images.shape), images], axis=2)
        _, totals = match_outward(*self.sides[0], *self.sides[1], starts, seeds, 0, 0, self.threads)
        likely = [(int(totals[row]), images[row]) for row in np.argsort(-totals, kind="stable")[:SETTLED]]
        return max((self._settled(*one) for one in [(best, image), *likely]), key=lambda one: one[0])

    def _astray(self, image: NDArray[np.int32]) -> NDArray[np.int32]:
        """Routers of which the ports around tell who they are, and who is matched with those that look so.

        Returns:
            int32, shape (pairs, 2): routers of the plan both.
        """
        whose = np.full(len(self.sides[1].colors), NOBODY, dtype=np.int32)
        whose[image[image >= 0]] = np.flatnonzero(image >= 0)
        words, rows = self.words, list[tuple[int, int, int]]()
        for _ in range(SEEN):
            words = [_stepped(one, side) for one, side in zip(words, self.sides, strict=True)]
            numbers = np.unique(np.concatenate(words), return_inverse=True)[1]
            split = len(words[0])
            places = numbers[:split], numbers[split:]
            ways = np.prod([np.bincount(one, minlength=numbers.max() + 1) for one in places], axis=0)
            for color in np.flatnonzero((ways > 0) & (ways <= self.turns)):
                alike = [np.flatnonzero(place == color).tolist() for place in places]
                rows += [(int(ways[color]), one, int(whose[there])) for one in alike[0] for there in alike[1]]
        pairs = dict.fromkeys((here, now) for _, here, now in sorted(rows) if now >= 0 and here != now)
        return np.array([*pairs][: self.turns], dtype=np.int32).reshape(-1, 2)

    def _torn(self, best: int, image: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
        """Match anew what is around some wrong links, until a few batches of that are no better."""
        left = self.tears
        for _ in range(self.batches):
            if left == 0 or not CONVINCING * self.most <= best < self.most:
                break
            wrong = np.unique(self.tails[~self._same(image)])
            rows = [self._kept_around(image, wrong) for _ in range(TORN)] if len(wrong) else []
            rows = [row for row in rows if row]
            if not rows:
                break
            images, totals = self._run(rows, None)
            left -= 1
            if totals.max() > best:
                best, image, left = int(totals.max()), images[totals.argmax()], self.tears
        return best, image

    def _kept_around(self, image: NDArray[np.int32], wrong: Integers) -> list[Any]:
        """The pairs of a matching but for routers at most so many hops from one or two of some routers."""
        gone = np.zeros(len(image), dtype=np.bool_)
        gone[self.random.choice(wrong, self.random.integers(1, 3))] = True
        for _ in range(self.random.integers(RADII + 1)):
            gone[self.sides[0].neighbors[gone[self.tails]]] = True
        kept = np.flatnonzero(~gone & (image >= 0))
        return [*zip(kept.tolist(), image[kept].tolist(), strict=True)]

    def _same(self, image: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which links of the plan are where the images of their routers are linked."""
        plan, found = self.sides
        order = len(found.colors)
        heads = np.repeat(np.arange(order), np.diff(found.offsets))
        there = image[self.tails].astype(np.int64) * order + image[plan.neighbors]
        same = np.isin(there, heads * order + found.neighbors)
        same &= (image[self.tails] >= 0) & (image[plan.neighbors] >= 0)
        return same

    def _sure(self, image: NDArray[np.int32]) -> Integers:
        """Routers most of whose links agree, of the largest part, and images: int64, shape (routers, 2)."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        plan, size = self.sides[0], len(image)
        same = self._same(image)
        agreeing = np.bincount(self.tails[same], minlength=size)
        sure = (agreeing * 4 >= np.diff(plan.offsets) * 3) & (image >= 0)
        same &= sure[self.tails] & sure[plan.neighbors]
        links = csr_array(
            (np.ones(int(same.sum()), dtype=np.int8), (self.tails[same], plan.neighbors[same])),
            shape=(size, size),
        )
        parts = connected_components(links, directed=False)[1]
        routers = np.flatnonzero(sure & (parts == np.bincount(parts[sure], minlength=1).argmax()))
        return np.stack([routers, image[routers]], axis=1).astype(np.int64)

    def _attempts(self, *, first: bool) -> Iterator[tuple[NDArray[np.int32], Integers]]:
        """Matchings from end to end, of beginnings that seem good."""
        if first:
            rows = [self._refined(guesses=0, depth=rounds) for rounds in range(4)]
            rows = [row for row in rows if len(row)]
            if rows:
                yield self._run(rows, None)
        rows = [self._refined(guesses=DEPTH, depth=ROUNDS) for _ in range(2 if first else REFINED)]
        rows = [row for row in rows if len(row)]
        if rows:
            yield self._run(rows, None)
        rows = self._guessed() or [[]]
        for limit, chosen in ((NEAR, CHOSEN), (FAR, LAST)):
            images, totals = self._run(rows, max(limit[0], limit[1] * self.degree))
            inside = np.array([self._inside(image) for image in images])
            rows = [rows[row] for row in np.argsort(-totals / np.maximum(inside, 1), kind="stable")[:chosen]]
        yield self._run(rows, None)

    def _run(self, rows: list[list[Any]], limit: int | None) -> tuple[NDArray[np.int32], Integers]:
        """Match from rows of pairs, beside those that are known; without a limit from end to end."""
        known = self.anchors.tolist()
        width = max(1, max(len(row) for row in rows) + len(known))
        starts = np.full((len(rows), width, 2), NOBODY, dtype=np.int32)
        for place, row in enumerate(rows):
            pairs = [*known, *row]
            starts[place, : len(pairs)] = np.reshape(pairs, (-1, 2))
        # A beginning keeps its lots from one look to the next.
        seeds = np.array([hash(tuple(map(tuple, row))) & (2**62 - 1) for row in rows], dtype=np.int64)
        most = len(self.sides[0].colors) if limit is None else limit + len(known)
        rounds = EXCHANGES if limit is None else 0
        return match_outward(*self.sides[0], *self.sides[1], starts, seeds, most, rounds, self.threads)

    def _inside(self, image: NDArray[np.int32]) -> int:
        """What could agree between the routers that have an image."""
        plan = self.sides[0]
        both = (image[self.tails] >= 0) & (image[plan.neighbors] >= 0)
        return int(_counted(plan.ports[both]).sum() + plan.hosts[image >= 0].sum())

    def _guessed(self) -> list[list[Any]]:
        """One router, and those like it that were found: some of them, each a beginning."""
        plan, found = (side.colors for side in self.sides)
        common = np.flatnonzero(np.isin(plan, found))
        if not len(common):
            return []
        router = int(self.random.choice(common))
        alike = self.random.permutation(np.flatnonzero(found == plan[router]))
        chosen = [*alike.tolist()] * -(-self.guesses // len(alike))
        steps = [place % self.longest for place in range(self.guesses)]
        return [self._walked(router, there, one) for there, one in zip(chosen, steps, strict=False)]

    def _walked(self, router: int, there: int, steps: int) -> list[Any]:
        """A pair, and the pairs of a random walk from each: neighbours of neighbours tell more than stars."""
        row = [(router, there)]
        for _ in range(steps):
            ways = [_neighbors(side, one) for side, one in zip(self.sides, row[-1], strict=True)]
            ways = [np.setdiff1d(way, [pair[side] for pair in row]) for side, way in enumerate(ways)]
            if not all(map(len, ways)):
                break
            way = int(self.random.choice(ways[0]))
            kind = _ports_towards(self.sides[0], row[-1][0], way)
            if kind.any():
                alike = [
                    one for one in ways[1] if (_ports_towards(self.sides[1], row[-1][1], one) == kind).all()
                ]
                ways[1] = np.array(alike or ways[1])
            row.append((way, int(self.random.choice(ways[1]))))
        return row

    def _refined(self, *, guesses: int, depth: int) -> list[Any]:
        """Guess pairs until colours tell most routers apart; these, and routers alone of their colour."""
        words = [one.copy() for one in self.words]
        chosen: list[tuple[int, int]] = []
        for guess in range(guesses + 1):
            places, counts = self._rounds(words, depth, exact=guesses == 0)
            single = np.flatnonzero((counts[0] == 1) & (counts[1] == 1))
            pairs = np.stack([_members(place, single) for place in places], axis=1).tolist()
            if guess == guesses or len(pairs) > max(8, len(places[0]) // 8) + len(chosen):
                break
            pair = self._next(words, places, counts, [one[0] for one in chosen])
            if pair is None:
                break
            chosen.append(pair)
            mark = np.uint64(self.random.integers(2**62))
            for one, router in zip(words, pair, strict=True):
                one[router] = mark
        return [*chosen, *(tuple(pair) for pair in pairs if tuple(pair) not in chosen)]

    def _rounds(self, words: list[Words], depth: int, *, exact: bool) -> tuple[list[Any], list[Any]]:
        """Colours of both as numbers and how often each is there, after the rounds that tell most apart."""
        best, least = -1, 0
        made: tuple[list[Any], list[Any]] = [], []
        for step in range(depth + 1):
            numbers = np.unique(np.concatenate(words), return_inverse=True)[1]
            split, kinds = len(words[0]), int(numbers.max()) + 1
            places = [numbers[:split], numbers[split:]]
            counts = [np.bincount(one, minlength=kinds) for one in places]
            shared = np.minimum(*counts)
            told = int(((counts[0] > 0) & (counts[1] > 0) & (shared * 2 > counts[0])).sum())
            if (step == depth) if exact else told > best:
                best, made = told, (places, counts)
            if (told < best or kinds == least) and not exact:
                break
            least = kinds
            words = [_stepped(one, side) for one, side in zip(words, self.sides, strict=True)]
        return made

    def _next(
        self, words: list[Words], places: list[Any], counts: list[Any], chosen: list[int]
    ) -> tuple[int, int] | None:
        """A router of few like it, near those chosen, and of some like it the one after which most agrees."""
        several = (counts[0] > 1) & (counts[1] > 0)
        near: Any = (
            np.unique(np.concatenate([_neighbors(self.sides[0], one) for one in chosen])) if chosen else []
        )
        routers = np.array([one for one in near if several[places[0][one]]], dtype=np.int64)
        if not len(routers):
            routers = np.flatnonzero(several[places[0]])
        if not len(routers):
            return None
        sizes = counts[0][places[0][routers]]
        router = int(self.random.choice(routers[sizes == sizes.min()]))
        alike = self.random.permutation(np.flatnonzero(places[1] == places[0][router]))[:CANDIDATES]
        scores = [self._shared(words, router, int(there)) for there in alike] if len(alike) > 1 else [0]
        return router, int(alike[int(np.argmax(scores))])

    def _shared(self, words: list[Words], router: int, there: int) -> int:
        """How many routers have a partner of their colour, a few rounds after two were made the same."""
        marked = [one.copy() for one in words]
        marked[0][router] = marked[1][there] = np.uint64(2**63 + 11)
        for _ in range(3):
            marked = [_stepped(one, side) for one, side in zip(marked, self.sides, strict=True)]
        return _in_common(marked)


def _in_common(words: list[Words]) -> int:
    """How many of one side have a partner of their colour on the other."""
    numbers = np.unique(np.concatenate(words), return_inverse=True)[1]
    split, kinds = len(words[0]), int(numbers.max()) + 1
    counts = [np.bincount(one, minlength=kinds) for one in (numbers[:split], numbers[split:])]
    return int(np.minimum(*counts).sum())


def _whole(side: Links) -> int:
    """What would agree if all did."""
    return int(_counted(side.ports).sum() + side.hosts.sum())


def _counted(ports: NDArray[np.int32]) -> Integers:
    """What arcs count whose ports are told, as the kernel has it: int64, shape (arcs,)."""
    counted: Integers = np.array(LINK_WEIGHTS)[(ports > 0).sum(axis=1)]
    return counted


def _neighbors(side: Links, router: int) -> NDArray[np.int32]:
    return side.neighbors[side.offsets[router] : side.offsets[router + 1]]


def _ports_towards(side: Links, router: int, neighbor: int) -> NDArray[np.int32]:
    """The ports of a link, at the router and at its neighbour."""
    place = side.offsets[router] + np.searchsorted(_neighbors(side, router), neighbor)
    ports: NDArray[np.int32] = side.ports[place]
    return ports


def _members(numbers: Integers, colors: Integers) -> Integers:
    """The router of each colour that one has."""
    at = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    at[numbers[numbers < len(at)]] = np.arange(len(numbers))
    members: Integers = at[colors[colors < len(at)]]
    return members


def _mixed(words: Words) -> Words:
    """Spread words of 64 bits (the finish of MurmurHash3)."""
    words = words.copy()
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        words ^= words >> np.uint64(33)
        words *= np.uint64(factor)
    return words ^ (words >> np.uint64(33))


def _stepped(words: Words, side: Links) -> Words:
    """Colours by the colours of neighbours and the ports towards them."""
    ports = side.ports.astype(np.uint64) @ np.array([0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93], dtype=np.uint64)
    arcs = _mixed(words[side.neighbors] + ports + np.uint64(0x9E3779B97F4A7C15))
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(arcs)])
    return _mixed(words * np.uint64(3) + sums[side.offsets[1:]] - sums[side.offsets[:-1]])


def _cycles(words: Words, side: Links) -> Words:
    """Colours by how many cycles of three and four lead through a router too, where counting takes little."""
    degrees = np.diff(side.offsets).astype(np.int64)
    if (degrees**2).sum() > MOST_SQUARES:
        return words
    links = _matrix(side)
    squares = links @ links
    triangles = (squares * links).sum(axis=1)
    closed = (squares * squares).sum(axis=1) - degrees * (degrees - 1) - links @ degrees
    counts = np.stack([triangles, closed]).astype(np.uint64)
    return _mixed(words + _mixed(counts[0] + np.uint64(7)) + _mixed(counts[1] + np.uint64(2**40)))


def _kinds(plan: Links, found: Links) -> list[NDArray[np.int32]] | None:
    """Kinds of links, by how many walks of three to five links lead from one end to the other.

    In a Cayley network links of one generator have as many, and so have nearly all that are not near a wrong
    cable.

    Returns:
        Of both sides, a kind at both ends of every arc, as ports: int32, shape (arcs, 2); 0 for rare ones.
        None where there is one kind, or counting takes long.
    """
    if not all(map(_walks_are_few, (plan, found))):
        return None
    split = len(plan.neighbors)
    walks = np.concatenate([_walks(side) for side in (plan, found)])
    numbers = np.unique(walks, axis=0, return_inverse=True)[1].ravel()
    counts = np.array(
        [np.bincount(one, minlength=numbers.max() + 1) for one in (numbers[:split], numbers[split:])]
    )
    common = counts.min(axis=0) >= COMMON * split
    if np.count_nonzero(common) < 2:
        return None
    kinds = np.where(common[numbers], numbers + 1, 0).astype(np.int32)
    return [np.ascontiguousarray(np.stack([one, one], axis=1)) for one in (kinds[:split], kinds[split:])]


def _opposites(plan: Links, found: Links) -> tuple[Links, Links] | None:
    """Networks of the routers that are opposite on cycles of four, or else of six.

    Returns:
        Of both sides; what they have for ports is how many ways lead from one end to the other. None where
        routers of the plan have fewer opposite than they have links, or counting or votes take long.
    """
    if not all(map(_walks_are_few, (plan, found))):
        return None
    for length in (2, 3):
        ours = _opposite(plan, length)
        if len(ours.neighbors) >= len(plan.neighbors):
            both = ours, _opposite(found, length)
            votes = max(int((np.diff(side.offsets).astype(np.int64) ** 2).sum()) for side in both)
            return both if votes <= MOST_VOTES else None
    return None


def _opposite(side: Links, length: int) -> Links:
    """A network of the routers that several walks of two or of three links join, and no shorter one."""
    from scipy.sparse import eye_array

    links = _matrix(side)
    walks, shorter = links @ links, links + eye_array(len(side.colors), dtype=np.int64, format="csr")
    if length == 3:
        walks, shorter = walks @ links, walks + shorter
    walks -= walks * shorter.astype(np.bool_)
    walks.data[walks.data < 2] = 0
    walks.eliminate_zeros()
    walks.sort_indices()
    ways = walks.data.astype(np.int32)
    return side._replace(
        offsets=walks.indptr.astype(np.int32),
        neighbors=walks.indices.astype(np.int32),
        ports=np.ascontiguousarray(np.stack([ways, ways], axis=1)),
    )


def _walks_are_few(side: Links) -> bool:
    """Whether counting walks takes little time and memory, by the router with the most links."""
    order, arcs, degree = len(side.colors), len(side.neighbors), int(np.diff(side.offsets).max())
    return arcs * min(order, degree**3) <= MOST_WALKED and min(order**2, arcs * degree**2) <= MOST_SQUARES


def _walks(side: Links) -> Integers:
    """Walks of three, four and five links from the tail of every arc to its head: int64, shape (arcs, 3)."""
    order, arcs, links = len(side.colors), len(side.neighbors), _matrix(side)
    twice = links @ links
    thrice = twice @ links
    tails = np.repeat(np.arange(order), np.diff(side.offsets))
    found = np.zeros((arcs, 3), dtype=np.int64)
    for first in range(0, arcs, AT_ONCE):
        part = slice(first, first + AT_ONCE)
        heads = twice[side.neighbors[part]]
        for place, walks in enumerate((links, twice, thrice)):
            found[part, place] = (walks[tails[part]] * heads).sum(axis=1)
    return found


def _matrix(side: Links) -> Any:
    """A 1 for every arc: a sparse array of scipy, int64, shape (order, order)."""
    from scipy.sparse import csr_array

    ones, order = np.ones(len(side.neighbors), dtype=np.int64), len(side.colors)
    return csr_array((ones, side.neighbors, side.offsets), shape=(order, order))
