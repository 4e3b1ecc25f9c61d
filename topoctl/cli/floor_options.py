"""The options that say on which floor a network stands, and at which prices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.cabinet_options import CabinetSizes
from topoctl.cli.numbers import real

if TYPE_CHECKING:
    from topoctl.floor.floor import Floor

Callback = TypeVar("Callback", bound=Callable[..., Any])

FLOOR = (
    click.option(
        "--floor",
        metavar="NAME|FILE.toml",
        shell_complete=completion.defined("floors"),
        help="Racks, rows and ways of cables: racks42, slimfly2014, flex2022, equality2022, grid2016, or a "
        "file of yours [default: racks42].",
    ),
    click.option(
        "--prices",
        metavar="NAME|FILE.toml",
        shell_complete=completion.defined("prices"),
        help="Of routers and cables, and power: fdr10, edr, qdr, slimfly2014, or a file of yours "
        "[default: fdr10].",
    ),
    click.option(
        "--electrical",
        type=float,
        metavar="M",
        help="Cables up to so many metres are electrical, in place of what the prices say.",
    ),
)
RACKS = (
    click.option("--rack", type=CabinetSizes(), metavar="WxD", help="Width and depth of a rack in metres."),
    click.option("--aisle", type=float, metavar="M", help="Metres between two rows of racks."),
    click.option("--units", type=click.IntRange(min=1), metavar="U", help="Units of a rack."),
    click.option(
        "--routers-per-rack", type=click.IntRange(min=1), metavar="R", help="Routers in a rack, at most."
    ),
    click.option("--overhead", type=float, metavar="M", help="Metres of cable more at each of its two ends."),
    click.option("--tray", type=float, metavar="M", help="Metres from the top of the racks to the trays."),
    click.option("--room", type=CabinetSizes(), metavar="WxD", help="Width and depth of the room in metres."),
)
"""What a floor is changed in."""


def options(*chosen: Callable[[Any], Any]) -> Callable[[Callback], Callback]:
    """Add options to a command."""

    def decorate(callback: Callback) -> Callback:
        for option in reversed(chosen):
            callback = option(callback)
        return callback

    return decorate


convention_option = click.option(
    "--convention",
    metavar="NAME",
    help="Count and price as a paper did: slimfly2014, flex2022 or equality2022.",
)
floor_options = options(*FLOOR)
rack_options = options(*RACKS)


def floor_given(word: str | None, **changes: Any) -> Floor:
    """The floor that the options describe.

    Raises:
        InvalidParameters: no preset has that name, or a value is out of range.
        FormatError: the file is missing, or is none of a floor.
    """
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    rack, room = changes.pop("rack", None) or (None, None), changes.pop("room", None) or (None, None)
    sizes = {"rack_width": rack[0], "rack_depth": rack[1], "width": room[0], "depth": room[1]}
    return floor_named(word or DEFAULT_FLOOR).changed(**sizes, **changes)


class Lengths(click.ParamType[tuple[float, ...]]):
    """Metres separated by commas."""

    name = "M,M,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """Text such as ``1,2.5,5`` to a tuple."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(real(length) for length in value.split(","))
        except ValueError:
            self.fail(f"{value!r}: expected metres separated by commas, such as 1,2.5,5", param, ctx)
