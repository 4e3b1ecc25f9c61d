"""A figure to a file, the same bytes every time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.errors import FormatError, InvalidParameters
from topoctl.files import replacing, require_folder
from topoctl.report.plots.style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, str | None]] = {
    ".svg": {"Date": None},
    ".png": {},
    ".pdf": {"CreationDate": None},
}
"""By suffix: what keeps the time of day out of the file."""

DOTS_PER_INCH = 200


def picture_format(path: str | Path) -> str:
    """The format of a picture by its suffix; for a check before any work.

    Raises:
        InvalidParameters: another suffix.
        FormatError: the folder is missing, or the name is that of a directory.

    Example:
        >>> picture_format("floor.SVG")
        'svg'
        >>> picture_format("floor.jpg")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: floor.jpg: expected a name that ends in .svg, .png or .pdf
    """
    suffix = Path(path).suffix.lower()
    if suffix not in METADATA:
        raise InvalidParameters(f"{path}: expected a name that ends in .svg, .png or .pdf")
    if Path(path).is_dir():
        raise FormatError(path, "is a directory, expected a file name")
    require_folder(path)
    return suffix[1:]


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure as SVG, PNG or PDF by suffix, under a temporary name first.

    Raises:
        InvalidParameters: another suffix.
        FormatError: the folder is missing, or the name is that of a directory.
        OSError: the file cannot be written.
    """
    format_ = picture_format(path)
    with styled(), replacing(path) as file:
        figure.savefig(file, format=format_, dpi=DOTS_PER_INCH, metadata=METADATA[f".{format_}"])
