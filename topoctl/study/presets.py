"""Presets: published networks worth searching again, as TOML files, validated all errors at once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, computed_field

from topoctl.errors import FormatError, InvalidParameters


class Published(BaseModel):
    """The published network and its score, re-measured: the mark to beat."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    spec: str
    diameter: int = Field(ge=1)
    distance_sum: int = Field(ge=1)


class SearchValues(BaseModel):
    """What a search of this preset is asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    order: int = Field(ge=4, multiple_of=2)
    network_radix: int = Field(ge=2)
    concentration: int = Field(ge=0)


class Preset(BaseModel):
    """One preset.

    Attributes:
        name: folder and file name, e.g. ``equality/e361``; the folder is the family.
        title: what it is, in a line.
        source: the publication.
        search: options of the search.
        published: the mark to beat.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    source: str
    search: SearchValues
    published: Published

    @computed_field  # type: ignore[prop-decorator]
    @property
    def published_aspl(self) -> float:
        """The published network's average shortest path length, hops."""
        return 2 * self.published.distance_sum / (self.search.order * (self.search.order - 1))


def folder() -> Traversable:
    """Where the presets are: in the installed package, or beside it in a source checkout."""
    installed = files("topoctl") / "presets"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "presets"


def parse(name: str, text: str) -> Preset:
    """Read one preset.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or out of range; all are named at once.

    Example:
        >>> try:
        ...     parse("equality/small", "title = 3")
        ... except FormatError as error:
        ...     print(str(error)[:78])
        preset equality/small: title: Input should be a valid string; source: Field re
    """
    try:
        return Preset.model_validate({**tomllib.loads(text), "name": name})
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"preset {name}", f"not TOML: {error}") from error
    except ValidationError as error:
        raise FormatError(f"preset {name}", faults_of(error)) from error


def faults_of(error: ValidationError) -> str:
    """All faults of a file in a line."""
    return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())


@cache
def all_presets() -> tuple[Preset, ...]:
    """Every preset, by name."""
    texts = {
        f"{family.name}/{file.name.removesuffix('.toml')}": file.read_text(encoding="utf-8")
        for family in folder().iterdir()
        if family.is_dir() and family.name != "compare"
        for file in family.iterdir()
        if file.name.endswith(".toml")
    }
    return tuple(parse(name, texts[name]) for name in sorted(texts))


def preset(name: str) -> Preset:
    """Find a preset by its name, in any case, with or without its folder.

    Raises:
        InvalidParameters: there is none of that name.

    Example:
        >>> preset("E361").search.order
        2048
    """
    wanted = name.casefold()
    for candidate in all_presets():
        if wanted in (candidate.name, candidate.name.partition("/")[2]):
            return candidate
    raise InvalidParameters(
        f"preset {name!r} is unknown; expected one of those that `topoctl presets list` shows"
    )


def preset_of(family: str, order: int, network_radix: int) -> Preset | None:
    """The preset whose published network has this family, order and network radix, if there is one."""
    for candidate in all_presets():
        values = candidate.search
        same = (values.order, values.network_radix) == (order, network_radix)
        if candidate.name.startswith(f"{family}/") and same:
            return candidate
    return None
