"""Plans held against what was wired."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from topoctl.api.arguments import checked_arguments
from topoctl.errors import InvalidParameters
from topoctl.options.shared import MOST_PLANES
from topoctl.runs.checks import check_of
from topoctl.topology import Topology
from topoctl.wiring.checking import Check
from topoctl.wiring.who import MATCHES


def check(
    plan: Topology | str | Path,
    found: str | Path | Sequence[str | Path],
    *,
    match: str | None = None,
    anchors: Sequence[str] = (),
    planes: int = 1,
) -> Check:
    """Compare what was wired with what was planned: `topoctl check`.

    Args:
        plan: a network as of build or named, or the file or folder of a plan of cables.
        found: the file, or folder, that tells what is wired; or several, a plane or a subnet each.
        match: how to tell who is who: names, anchors or structure; by default the best that there is.
        anchors: ``NAME=PLAN`` each, what a system that was found is in the plan; or files of such lines.
        planes: copies of a network, each with a port of its own at every endpoint; a file of cables tells its
            own.

    Returns:
        The check: ``differences``, each with its ``action``, the ``summary``, ``matching``, who is who, and
        ``network``, the routers as they are linked.

    Raises:
        FormatError: a file cannot be read.
        InvalidParameters: who is who cannot be told.

    Example:
        >>> import pathlib, tempfile, topoctl
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "cables.csv"
        ...     _ = topoctl.cable("torus(dims=3x3,p=1)", cables=path)
        ...     _ = path.write_text(path.read_text().replace("router 1,R1C1,2,1", "router 1,R1C1,2,9", 1))
        ...     topoctl.check(topoctl.build("torus(dims=3x3,p=1)"), path).summary["moved_ends"]
        1
    """
    if match not in (None, *MATCHES):
        raise InvalidParameters(f"match is {match!r}: expected {', '.join(MATCHES)} or None")
    checked_arguments(check, planes=planes)
    if not 1 <= planes <= MOST_PLANES:
        raise InvalidParameters(f"planes is {planes}: expected 1..{MOST_PLANES}")
    if planes > 1 and not isinstance(plan, Topology):
        raise InvalidParameters(f"planes is {planes}: expected 1 for a file of cables, which tells its own")
    several = [found] if isinstance(found, str | Path) else [*found]
    if not several:
        raise InvalidParameters("found is empty: expected a file at least")
    return check_of(plan, several, match, tuple(anchors), planes)[0]
