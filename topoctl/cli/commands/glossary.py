"""``topoctl glossary``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import HIDEABLE, Settings, shared_options_but
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.fields import Word
    from topoctl.report.glossary import Term

TABLE = Table(("term", "heading", "meaning", "source"))

EXAMPLES = """Examples:
  topoctl glossary
  topoctl glossary "k'"
  topoctl glossary --stagnation
  topoctl glossary ASPL --json
  topoctl glossary --schema   what --json prints, of every command, as a JSON Schema"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES, context_settings={"ignore_unknown_options": True})
@click.argument("word", required=False, shell_complete=completion.words)
@click.option(
    "--schema", is_flag=True, help="Print the JSON Schema (2020-12) of the documents of all commands."
)
@shared_options_but(*HIDEABLE)
def glossary(settings: Settings, word: str | None, *, schema: bool) -> None:
    """Explain the words of tables, options and JSON documents, or one of them.

    WORD is the heading of a column, a field of a document, an option, or the name of a family, a routing, a
    pattern of traffic, a scheme of virtual channels, a format, a measure, prices or a floor.
    """
    from topoctl.report.glossary import TERMS, term_row
    from topoctl.runs.document import document

    if schema:
        if word is not None:
            raise click.UsageError(f"--schema is of all words: it goes without {word}")
        print_schema(settings)
        return
    chosen = TERMS if word is None else terms_of(word)
    rows = [term_row(term) for term in chosen]
    settings.emit(document("glossary", {"word": word}, rows), None if word else TABLE)


def terms_of(word: str) -> Sequence[Term]:
    """All that a word stands for.

    Raises:
        InvalidParameters: nothing; the nearest term is named.
    """
    from topoctl.errors import InvalidParameters
    from topoctl.report.glossary import term_named, things_named

    things = things_named(word) + preset_terms(word)
    try:
        return [term_named(word), *things]
    except InvalidParameters:
        found = things + option_terms(word)
        if not found:
            raise
        return found


def preset_terms(word: str) -> list[Word]:
    """The prices and the floor of a name."""
    from topoctl.economics.prices import Prices, price_models
    from topoctl.fields import Word
    from topoctl.floor.floor import Floor, floors

    name = word.casefold()
    kinds: dict[str, Mapping[str, Prices | Floor]] = {"prices": price_models(), "floor": floors()}
    return [
        Word(name, f"{kind}: {known[name].title}", known[name].source)
        for kind, known in kinds.items()
        if name in known
    ]


def option_terms(word: str) -> list[Word]:
    """The option of a word, with or without its dashes: a term for each help that commands give it."""
    from topoctl.cli.manual import described_commands
    from topoctl.fields import Word

    option = f"--{word.removeprefix('--')}"
    helps: dict[str, list[str]] = {}
    for command in described_commands():
        for spelled, said in command.options:
            if option in re.split(r"[ ,]+", spelled):
                helps.setdefault(said.rstrip("."), []).append(command.command)
    return [Word(option, f"{', '.join(commands)}: {said}") for said, commands in helps.items()]


def print_schema(settings: Settings) -> None:
    """Print the schema, which is neither a table nor a document; write it where a file is wanted."""
    from topoctl.report.output import emit
    from topoctl.report.schema import results_schema

    if settings.output is not None and settings.output.suffix == ".csv":
        raise click.UsageError(f"--output {settings.output}: a schema is JSON; expected a name in .json")
    emit(results_schema(), form="json", output=settings.output)
