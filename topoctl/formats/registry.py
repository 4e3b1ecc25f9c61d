"""The registry of formats: names, suffixes and tokens, known before a format is imported."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Signature:
    """One line of the registry.

    Attributes:
        module: file of the format's record, which is named in capitals like it.
        suffixes: of the files written in it.
        tokens: every file of the format has one of them, so that most formats are ruled out without import.
        in_parts: whether one network is kept in several files together, one of every suffix.
    """

    module: str
    suffixes: tuple[str, ...]
    tokens: tuple[bytes, ...] = (b"",)
    in_parts: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """The suffixes of files that belong together; empty where a network is one file."""
        return self.suffixes if self.in_parts else ()

    def possible(self, files: tuple[bytes, ...]) -> bool:
        """Whether the first file has a token of the format."""
        return any(token in files[0] for token in self.tokens)


SIGNATURES = {
    "grid": Signature("grid", (".edges", ".grid"), (b",",)),
    "edges": Signature("edges", (".edges", ".edgelist", ".txt")),
    "evalnet": Signature("evalnet", (".adj.txt", ".adj")),
    "caminos": Signature("caminos", (".caminos",), (b"NODOS",)),
    "orp": Signature("orp", (".orp", ".hsgraph", ".hsg")),
    "metis": Signature("metis", (".metis", ".graph")),
    "dimacs": Signature("dimacs", (".gph", ".col", ".dimacs"), (b"p ", b"p\t")),
    "mtx": Signature("matrix_market", (".mtx",), (b"%%MatrixMarket",)),
    "graphml": Signature("graphml", (".graphml", ".xml"), (b"<graphml",)),
    "dot": Signature("dot", (".dot", ".gv"), (b"graph", b"strict")),
    "json": Signature("node_link", (".json",), (b"{",)),
    "npz": Signature("npz", (".npz",), (b"PK",)),
    "anynet": Signature("anynet", (".anynet",), (b"router ", b"node ")),
    "codes": Signature("codes", (".intra", ".inter"), in_parts=True),
    "ibsim": Signature("ibsim", (".ibsim", ".ibnet"), (b"Switch", b"Ca", b"Hca")),
    "inet": Signature("inet", (".inet",)),
}
"""By name, in the order in which they are tried on a content and on a suffix."""


def names_of(path: str | Path) -> list[str]:
    """The formats of the longest suffix that a file name ends in; none where no format has that suffix.

    Example:
        >>> names_of("Graphs/A.ADJ.TXT"), names_of("net.edges"), names_of("net")
        (['evalnet'], ['grid', 'edges'], [])
    """
    name = Path(path).name.lower()
    ends = [suffix for known in SIGNATURES.values() for suffix in known.suffixes if name.endswith(suffix)]
    longest = max(ends, key=len, default=None)
    return [one for one, known in SIGNATURES.items() if longest in known.suffixes]
