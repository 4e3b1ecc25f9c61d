"""TOML files of one kind each, validated all errors at once: presets, comparisons, sweeps, floors, prices."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from topoctl.errors import FormatError, InvalidParameters, hint, quoted

Model = TypeVar("Model", bound=BaseModel)

MAX_BYTES = 1_000_000
"""Size limit of a user's own file: far above any definition."""

DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){20}""")
"""A dotted key of more parts than any definition nests: reading one takes the square of their number."""
IN_TOML = {
    "dict_type": "expected a table",
    "model_type": "expected a table",
    "tuple_type": "expected an array",
    "too_short": "expected one at least",
    "float_type": "expected a number",
}
"""Messages about files in the words of TOML, by pydantic's types of errors."""


def folder() -> Traversable:
    """Return the folder of presets: in the installed package, or beside it in a source checkout."""
    installed = files("topoctl") / "presets"
    return installed if installed.is_dir() else Path(__file__).parents[1] / "presets"


def texts(kind: str) -> dict[str, str]:
    """The TOML files of a folder of the presets, by name."""
    found = {file.name: file for file in (folder() / kind).iterdir() if file.name.endswith(".toml")}
    return {name.removesuffix(".toml"): found[name].read_text(encoding="utf-8") for name in sorted(found)}


def file_text(path: str | Path, what: str) -> str:
    """The text of a user's own file.

    Args:
        path: of it.
        what: it should be, for messages.

    Raises:
        FormatError: it is missing, cannot be read, is larger than any such file, or no text.
    """
    expected = f"expected the TOML file of {what}"
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise FormatError(path, f"more than {MAX_BYTES} bytes; {expected}")
        return data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(path, f"no text; {expected}") from error
    except FileNotFoundError:
        raise FormatError(path, "no such file") from None
    except (OSError, ValueError) as error:  # a NUL in the name, too
        raise FormatError(path, str(getattr(error, "strerror", None) or error)) from error


def chosen(label: str, word: str, model: type[Model], known: Mapping[str, Model]) -> Model:
    """Return a definition by its name, or of a file: a word that ends in .toml or holds a slash.

    Raises:
        InvalidParameters: no preset has that name.
        FormatError: the file is missing, unreadable, not TOML, or not such a definition.
    """
    if word.endswith(".toml") or "/" in word:
        return validated(word, file_text(word, label), model, name=Path(word).stem)
    return definition_named(label, word, known)


def parse(label: str, name: str, text: str, model: type[Model]) -> Model:
    """Read one definition.

    Args:
        label: what it is, for messages.
        name: its name, a field of the model too.
        text: of the file.
        model: what it holds.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or out of range; all are named at once.
    """
    return validated(f"{label} {name}", text, model, name=name)


def validated(place: str, text: str, model: type[Model], **more: str) -> Model:
    """Read the text of a TOML file.

    Args:
        place: of the file, for messages.
        text: of it.
        model: what it holds.
        more: values that the file does not say itself.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or out of range; all are named at once.
    """
    if deep := DEEP_KEY.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise FormatError(place, f"a key of many parts, {quoted(deep[0])} (at line {line})")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers and brackets without end, too
        raise FormatError(place, f"not TOML: {error}") from error
    try:
        return model.model_validate({**found, **more})
    except ValidationError as error:
        raise FormatError(place, faults(error)) from error


def faults(error: ValidationError) -> str:
    """Name all faults of some values in one line."""
    found = []
    for fault in error.errors():
        place = ".".join(map(str, fault["loc"]))  # none for what several values together make wrong
        reason = IN_TOML.get(fault["type"], fault["msg"].removeprefix("Value error, "))
        found.append(f"{place}: {reason}" if place else reason)
    return "; ".join(found)


def definition_named(label: str, name: str, known: Mapping[str, Model], lister: str | None = None) -> Model:
    """Find a definition by its name, in any case.

    Args:
        label: what it is.
        name: of it.
        known: all of its kind.
        lister: the command that lists them, where they are many.

    Raises:
        InvalidParameters: no definition has that name.
    """
    if name.casefold() not in known:
        said = hint(name.casefold(), known, listed=True, lister=lister)
        raise InvalidParameters(f"{label} {quoted(name)} is unknown{said}")
    return known[name.casefold()]
