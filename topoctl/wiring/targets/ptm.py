"""The Prescriptive Topology Manager's ``topology.dot``, which NVIDIA's Cable Validation Tool takes too.

An edge ``"leaf1":"swp1" -- "spine1":"swp3"`` a cable; routers are declared with roles, as the second asks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator

from topoctl.errors import FormatError, quoted
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.record import Files, Plan, Target, text_of
from topoctl.wiring.wiring import Gathered, Wiring

TOKEN = re.compile(
    r"[ \t\r\f\v]++|//[^\n]*+|#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/"
    r'|(?P<text>"(?:[^"\\\n]|\\[^\n])*+"|[A-Za-z0-9_.\x80-\uffff][A-Za-z0-9_.\x80-\uffff]*+(?:-(?!-)[A-Za-z0-9_.]++)*+)'
    r"|(?P<mark>--|[{}\[\]:;,=\n])"
)
Token = tuple[str, str, int]
"""``text`` or ``mark``, what it holds, and its line."""


def render_ptm(plan: Plan, _: str) -> Files:
    """Write the routers with their roles, and the cables."""
    system = plan.told("os", "cumulus")
    leaves = plan.topology.endpoints_per_router.tolist() * plan.planes
    nodes = "".join(
        f'{name} [label={name} role="{"leaf" if count else "spine"}" os={_quoted(system)}]\n'
        for name, count in zip(map(_quoted, plan.routers), leaves, strict=True)
    )
    edges = "".join(
        f"{_quoted(name)}:{_quoted(port)} -- {_quoted(other)}:{_quoted(other_port)}\n"
        for _, name, port, _, other, other_port in plan.ends()
    )
    return {"": f"graph network {{\n{nodes}{edges}}}\n".encode()}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def parse_ptm(path: str, files: Files, ports: PortReader) -> Wiring:
    r"""Read such a file: attributes are passed over; systems that are not declared are endpoints.

    Where none is declared, systems with one cable are endpoints.

    Raises:
        FormatError: no undirected graph of edges between ports.

    Example:
        >>> text = b'graph G { LLDP="x" "a":"swp1" -- "b":"swp3" [BFD="y"]; "b":"swp1" -- "h":"eth1" }'
        >>> found = parse_ptm("x.dot", {"": text}, PortReader())
        >>> found.names, found.is_router.tolist(), found.cables.tolist()
        (('b', 'a', 'h'), [True, False, False], [[1, 1, 0, 3], [0, 1, 2, 1]])
    """
    reader = _Reader(path, [*_tokens(path, text_of(path, next(iter(files.values()))))])
    reader.read()
    counts = Counter(name for end in reader.gathered.ends for name in end[::2])
    declared = reader.declared or [name for name, count in counts.items() if count > 1]
    reader.gathered.routers |= dict.fromkeys(declared, True)
    return reader.gathered.wiring(ports)


def _tokens(path: str, text: str) -> Iterator[Token]:
    """Split a text into words and marks, without blanks and comments."""
    line, place = 1, 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise FormatError(path, f"found {quoted(text[place : place + 20])}, expected DOT", line)
        if found.lastgroup and found[0] != "\n":
            word = found[0]
            if word.startswith('"'):
                word = re.sub(r"\\(.)", r"\1", word[1:-1])
            yield found.lastgroup, word, line
        line += found[0].count("\n")
        place = found.end()
    yield "mark", "", line


class _Reader:
    """The statements of a file, read one after the other."""

    def __init__(self, path: str, tokens: list[Token]) -> None:
        self.path, self.tokens, self.place = path, tokens, 0
        self.gathered = Gathered(path)
        self.declared: list[str] = []

    def read(self) -> None:
        """Read the whole file."""
        if self.take("text").lower() == "strict":
            self.place += 1
        if self.tokens[self.place - 1][1].lower() != "graph":
            raise self.fault("an undirected graph, 'graph NAME {'")
        if self.tokens[self.place][0] == "text":
            self.place += 1
        self.mark("{")
        while not self.found("}"):
            self.statement()
        if self.tokens[self.place][1]:
            raise self.fault("the end of the file")

    def statement(self) -> None:
        """Read an attribute, a system or a cable."""
        line = self.tokens[self.place][2]
        name = self.take("text")
        if self.found("="):
            self.take("text")
        elif self.found(":"):
            port = self.take("text")
            self.mark("--")
            other = self.take("text")
            self.mark(":")
            self.gathered.cable(name, port, other, self.take("text"), line)
            self.attributes()
        else:
            if self.tokens[self.place][:2] == ("mark", "--"):
                raise self.fault(f"a port before it, '{name}:swp1 -- …'; Graphviz's networks are not read")
            self.attributes()
            if name not in ("graph", "node", "edge"):
                self.declared.append(name)
        self.found(";")

    def attributes(self) -> None:
        """Pass over what stands in brackets."""
        while self.found("["):
            while not self.found("]"):
                self.take("text")
                if self.found("="):
                    self.take("text")
                self.found(",") or self.found(";")

    def take(self, kind: str) -> str:
        """The word that comes next."""
        if self.tokens[self.place][0] != kind:
            raise self.fault("a name")
        self.place += 1
        return self.tokens[self.place - 1][1]

    def found(self, mark: str) -> bool:
        """Whether a mark comes next, which is passed over then."""
        here = self.tokens[self.place][:2] == ("mark", mark)
        self.place += here
        return here

    def mark(self, mark: str) -> None:
        """Pass over a mark that must come next."""
        if not self.found(mark):
            raise self.fault(f"'{mark}'")

    def fault(self, expected: str) -> FormatError:
        """The error at this place."""
        _, word, line = self.tokens[self.place]
        return FormatError(
            self.path, f"found {quoted(word) if word else 'the end'}, expected {expected}", line
        )


PTM = Target(
    name="ptm",
    title="topology.dot of ptmd",
    remark="For ptmd of Cumulus Linux and FRRouting, and NVIDIA's Cable Validation Tool, which asks for the "
    "roles and for `os` of the names; Graphviz draws it.",
    suffixes=(".dot",),
    port="swp{n}",
    endpoint_port="eth{n}",
    letters=re.compile(r'[^\s"\\]+'),
    render=render_ptm,
    parse=parse_ptm,
)
