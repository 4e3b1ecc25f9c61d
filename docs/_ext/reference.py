"""Sphinx extension: reference pages from what the program declares of itself, made before every build.

The pages are written to ``reference/generated``; ``reference/index.md`` names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _restructured import heading, indented, literal, table, text

from topoctl import __version__
from topoctl.cli.exit_codes import EXIT_CODES
from topoctl.cli.manual import DescribedCommand, described_commands
from topoctl.fields import COLUMNS, Field
from topoctl.fields.kinds import Kind
from topoctl.report.glossary import TERMS, Term
from topoctl.report.schema import EVERY, results_schema
from topoctl.report.schema.documents import DOCUMENTS
from topoctl.report.schema.parameters import ASKED, parameters_kind
from topoctl.report.schema.rows import ROWS, RowKind

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = Path("reference") / "generated"
SCHEMA_FILE = "results-1.schema.json"


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for sources."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / FOLDER))
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(folder: Path) -> None:
    """Write all pages; those that say what they said are left, so that they are not read again."""
    for name, page in pages().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != page:
            path.write_text(page)


def pages() -> dict[str, str]:
    """The text of every page, by its place in the folder."""
    every = described_commands()
    made = {f"commands/{one.page}.rst": command_page(one, every) for one in every}
    made |= {
        "exit-codes.rst": exit_codes_page(),
        "words.rst": words_page(),
        "documents.rst": documents_page(),
    }
    lines = {name: "\n".join(page).rstrip() + "\n" for name, page in made.items()}
    return lines | {SCHEMA_FILE: json.dumps(results_schema(), indent=2, ensure_ascii=False) + "\n"}


def command_page(command: DescribedCommand, every: tuple[DescribedCommand, ...]) -> list[str]:
    """The page of a command: what its help says."""
    lines = [*heading(command.command), text(command.summary), ""]
    lines += [".. code-block:: text", "", f"   {command.command} {command.arguments}", ""]
    for paragraph in command.paragraphs:
        lines += [text(paragraph), ""]
    below = [one for one in every if one.words[:-1] == command.words]
    if below:
        lines += table(
            ("command", "what it does"), [(f":doc:`{one.page}`", text(one.summary)) for one in below]
        )
        lines += [".. toctree::", "   :hidden:", "", *indented(one.page for one in below), ""]
    if command.examples:
        lines += [*heading("Examples", "-"), ".. code-block:: text", "", *indented(command.examples), ""]
    if command.remarks:
        lines += [text(command.remarks), ""]
    lines += [*heading("Options", "-"), f".. program:: {command.command}", ""]
    for spelled, said in command.options:
        lines += [f".. option:: {spelled}", "", *indented([text(said)]), ""]
    return lines


def exit_codes_page() -> list[str]:
    """The exit codes."""
    rows = [(literal(str(code)), text(said)) for code, said in EXIT_CODES.items()]
    return [*heading("Exit codes"), *table(("code", "meaning"), rows)]


def words_page() -> list[str]:
    """The columns of tables, and the glossary."""
    columns = [(text(column.heading), f":term:`{column.name}`") for column in COLUMNS.values()]
    lines = [
        *heading("Columns and words"),
        "What ``topoctl glossary`` prints, and the columns of tables.",
        "",
    ]
    lines += [*heading("Columns of tables", "-"), *table(("heading", "field"), columns)]
    lines += [*heading("Glossary", "-"), ".. glossary::", ""]
    for term in TERMS:
        lines += indented([term.name, *indented([f"{explained(term)}."]), ""])
    return lines


def explained(term: Term) -> str:
    """What a word means, what values of the field are, and where it comes from."""
    known = [f"column {text(term.heading)}"] if term.heading else []
    known += [type_of(term.kind)] if isinstance(term, Field) else []
    known += [f"source: {text(term.source)}"] if term.source else []
    known += [f"also {', '.join(map(literal, term.also))}"] if term.also else []
    return ". ".join(
        f"{said[0].upper()}{said[1:]}" for said in (text(term.meaning), "; ".join(known)) if said
    )


def type_of(kind: Kind) -> str:
    """What values are, in words.

    Example:
        >>> type_of({"type": ["integer", "null"], "unit": "hops"}), type_of({"enum": ["a", "b"]})
        ('integer or null, in hops', 'a or b')
        >>> type_of({"type": "array", "items": {"type": "number", "unit": "m"}})
        'list of numbers, in m'
    """
    unit = kind.get("unit") or kind.get("items", {}).get("unit")
    return f"{values_of(kind)}, in {unit}" if unit else values_of(kind)


def values_of(kind: Kind) -> str:
    """The same without the unit."""
    if "const" in kind or "enum" in kind:
        return " or ".join(kind.get("enum") or [kind["const"]])
    fields = ", ".join(kind.get("properties", ()))
    named = {
        "string": "text",
        "array": f"list of {values_of(kind['items'])}s" if "items" in kind else "list",
        "object": f"object of {fields}" if fields else "object",
    }
    types = kind.get("type", "row")
    types = types if isinstance(types, list) else [types]
    return " or ".join(named.get(one, one) for one in types)


def documents_page() -> list[str]:
    """The JSON documents: their fields, those of each command, and the rows."""
    lines = [*heading("JSON documents"), *INTRODUCTION, ""]
    lines += [
        *heading("Every document", "-"),
        *field_table(EVERY | {"parameters": parameters_kind() | {"properties": {}}}),
    ]
    lines += heading("By command", "-")
    alike = {
        tuple(one for one in DOCUMENTS if DOCUMENTS[one] == known): known for known in DOCUMENTS.values()
    }
    for commands, known in alike.items():
        kinds = ", or ".join(f":ref:`{ROWS[name].title} <row-{name}>`" for name in known.rows)
        lines += [*heading(", ".join(commands), "^"), f"Rows: {kinds}.", ""]
        lines += field_table(known.required | known.optional)
    lines += heading("Rows", "-")
    for name, row in ROWS.items():
        lines += [f".. _row-{name}:", "", *heading(f"{row.title[0].upper()}{row.title[1:]}", "^")]
        lines += row_lines(row)
    parameters = {name: kind | {"description": meaning} for name, (kind, meaning) in sorted(ASKED.items())}
    return [*lines, ".. _asked:", "", *heading("What was asked for", "-"), *field_table(parameters)]


INTRODUCTION = (
    "What ``--json`` prints and ``--output FILE.json`` writes. Names never change their meaning; later",
    "versions may add some. A field is null where a network has no such number, such as the diameter of one",
    "that is not connected; floats are not rounded. The rows are also those of ``--format csv``.",
    "",
    f"The JSON Schema (2020-12) is what ``topoctl glossary --schema`` prints: :download:`{SCHEMA_FILE}`.",
)


def field_table(fields: dict[str, Kind]) -> list[str]:
    """Fields of documents, which the glossary does not have."""
    rows = [
        (literal(name), type_of(kind), text(kind.get("description", ""))) for name, kind in fields.items()
    ]
    return table(("field", "type", "meaning"), rows) if rows else []


def row_lines(row: RowKind) -> Iterator[str]:
    """The fields of a kind of row, which the glossary explains."""
    for said, names in (
        ("Always", row.required),
        ("In some", row.optional),
        ("May be null", row.null),
    ):
        if names:
            yield from (f"{said}: {', '.join(f':term:`{name}`' for name in dict.fromkeys(names))}.", "")
    for name, kind in row.own.items():
        yield from (f"And {literal(name)}, {values_of(kind)}: {text(kind['description'])}.", "")
