"""Plans for other tools: one record each, in one registry; written, read back and compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from topoctl.errors import Contradiction, FormatError, InvalidParameters, TopoctlError, hint, quoted
from topoctl.files import is_special, replacing, require_folder
from topoctl.formats.files import read_files
from topoctl.wiring.names import PortReader
from topoctl.wiring.targets.containerlab import CONTAINERLAB
from topoctl.wiring.targets.netbox import NETBOX
from topoctl.wiring.targets.node_name_map import NODE_NAME_MAP
from topoctl.wiring.targets.ns3 import NS3
from topoctl.wiring.targets.p2p import P2P, P2P_IB
from topoctl.wiring.targets.ptm import PTM
from topoctl.wiring.targets.record import Files, Plan, Target
from topoctl.wiring.targets.slurm import SLURM, SLURM_BLOCK
from topoctl.wiring.targets.sonic import SONIC
from topoctl.wiring.targets.topo import TOPO
from topoctl.wiring.wiring import Wiring

TARGETS = {
    target.name: target
    for target in (
        *(TOPO, NODE_NAME_MAP, P2P_IB, PTM, P2P, NETBOX, SLURM, SLURM_BLOCK, CONTAINERLAB, SONIC, NS3),
    )
}


def target_named(name: str) -> Target:
    """The target of a name.

    Raises:
        InvalidParameters: there is none; the nearest name is suggested.

    Example:
        >>> target_named("NetBox").title
        'NetBox'
    """
    found = TARGETS.get(name.lower())
    if found is None:
        raise InvalidParameters(f"--for {quoted(name)} is unknown{hint(name[:40], TARGETS, listed=True)}")
    return found


def require_place(target: Target, path: Path) -> None:
    """Check, before any work, that the plan of a target can be written there.

    Raises:
        InvalidParameters: a file for a folder, or of another suffix.
        FormatError: there is no folder to write it in.
    """
    if is_special(path) or (target.suffixes and path.is_dir()) or (not target.suffixes and path.is_file()):
        wanted = "a file name" if target.suffixes else "a folder"
        raise FormatError(path, f"cannot hold the plan for {target.name}: expected {wanted}")
    if target.suffixes and not path.name.lower().endswith(target.suffixes):
        raise InvalidParameters(
            f"{path}: expected a name that ends in {' or '.join(target.suffixes)} for {target.name}"
        )
    require_folder(path / "any" if path.is_dir() else path)


def write_plan(target: Target, plan: Plan, path: Path) -> list[Path]:
    """Write the files of a plan, read them back and compare their wiring; they get their names only then.

    Returns:
        The files.

    Raises:
        InvalidParameters: the target cannot hold the plan.
        FormatError: there is no folder to write in, or another plan in it would be read with this one.
        TopoctlError: the files cannot be written, or do not hold the plan.
    """
    require_place(target, path)
    if not len(plan.wiring.cables):
        raise InvalidParameters("no cables: a plan has one at least; --p gives every router endpoints")
    suffix = next((one for one in target.suffixes if path.name.lower().endswith(one)), "")
    files = target.render(plan, suffix)
    places = {name: path / name if name else path for name in files}
    if target.alone and path.is_dir():
        others = sorted({one.name for one in path.glob(f"*{target.alone}")} - files.keys())
        if others:
            raise FormatError(path, f"holds {others[0]} of another plan: remove it, or name another folder")
    try:
        with _made(path, needed="" not in files), ExitStack() as stack:
            opened = {name: stack.enter_context(replacing(place)) for name, place in places.items()}
            for name, file in opened.items():
                file.write(files[name])
                file.seek(0)
            written = {name: file.read() for name, file in opened.items()}
            ports = PortReader(plan.names.ports, plan.names.endpoint_ports)
            if not target.parse(str(path), written, ports).same_as(target.kept(plan)):
                raise Contradiction(
                    f"{path}: read back with other cables than were written; please report this"
                )
    except OSError as error:
        raise TopoctlError(
            f"{error.filename or path}: cannot be written: {error.strerror or error}"
        ) from None
    return [*places.values()]


@contextmanager
def _made(folder: Path, *, needed: bool) -> Iterator[None]:
    """A folder that is there while the block writes into it; where that fails, it is not left behind."""
    new = needed and not folder.exists()
    if new:
        folder.mkdir()
    try:
        yield
    except BaseException:
        if new:
            with suppress(OSError):  # it holds files that were whole before
                folder.rmdir()
        raise


def read_plan(target: Target, path: str | Path, ports: PortReader | None = None) -> Wiring:
    """Read the wiring that a file or a folder of a target holds.

    Args:
        target: whose files they are.
        path: of the file, or of the folder.
        ports: numbers of ports by their names; by default the last number in a name.

    Raises:
        FormatError: missing, unreadable or malformed.
    """
    place, reader = Path(path), ports or PortReader()
    if not place.is_dir():
        return target.parse(str(path), {place.name: read_files(path)[0]}, reader)
    if target.suffixes:
        raise FormatError(path, "is a folder, expected a file")
    found: Files = {one.name: read_files(one)[0] for one in sorted(place.iterdir()) if one.is_file()}
    if not found:
        raise FormatError(path, "an empty folder, expected the files of a plan")
    return target.parse(str(path), found, reader)
