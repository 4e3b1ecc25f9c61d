"""Save a figure: the same bytes every time, and not too many."""

from __future__ import annotations

from io import BytesIO
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

MOST_BYTES = {"svg": 2_000_000, "png": 1_000_000, "pdf": 2_000_000}
"""By format; a picture that takes more is made of fewer colours or dots."""

COARSER, COARSEST = 0.85, 50
"""The share of the dots per inch that is left at most at each try to make a picture smaller; the fewest."""


def picture_format(path: str | Path) -> str:
    """Return the format of a picture by its suffix; for a check before any work.

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
    picture = rendered(figure, format_)
    with replacing(path) as file:
        file.write(picture)


def rendered(figure: Figure, format_: str) -> bytes:
    """Return the bytes of a picture: sharp where that is small enough, else in fewer colours, or coarser.

    Args:
        figure: to be drawn.
        format_: svg, png or pdf.
    """
    picture, most, dots = _at_resolution(figure, format_, DOTS_PER_INCH), MOST_BYTES[format_], DOTS_PER_INCH
    if len(picture) <= most:
        return picture
    if format_ == "png":
        picture = _in_few_colors(picture)
    else:
        _embed_as_pixels(figure)
        picture = _at_resolution(figure, format_, dots)
    while len(picture) > most and dots > COARSEST:
        dots = max(COARSEST, int(dots * min(COARSER, (most / len(picture)) ** 0.5)))
        picture = _at_resolution(figure, format_, dots)
        if format_ == "png":
            picture = _in_few_colors(picture)
    return picture


def _at_resolution(figure: Figure, format_: str, dots: int) -> bytes:
    """Return the bytes of a picture, at this resolution in pixels per inch if it has pixels."""
    file = BytesIO()
    with styled():
        figure.savefig(file, format=format_, dpi=dots, metadata=METADATA[f".{format_}"])
    return file.getvalue()


def _embed_as_pixels(figure: Figure) -> None:
    """Embed all collections of lines as pixels; text, bars and axes stay what they are."""
    for axes in figure.axes:
        for collection in axes.collections:
            collection.set_rasterized(True)


def _in_few_colors(picture: bytes) -> bytes:
    """Return a PNG in the 256 colours that are nearest to its own."""
    from PIL import Image

    file = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        few.save(file, format="png", optimize=True, dpi=image.info.get("dpi"))
    return file.getvalue()
