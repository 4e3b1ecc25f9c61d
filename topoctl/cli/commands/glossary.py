"""``topoctl glossary``."""

from __future__ import annotations

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import HIDEABLE, Settings, shared_options_but
from topoctl.report.table import Table

TABLE = Table(("term", "heading", "meaning", "source"))

EXAMPLES = """Examples:
  topoctl glossary
  topoctl glossary "k'"
  topoctl glossary ASPL --json
  topoctl glossary --schema   what --json prints, of every command, as a JSON Schema"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("word", required=False, shell_complete=completion.words)
@click.option(
    "--schema", is_flag=True, help="Print the JSON Schema (2020-12) of the documents of all commands."
)
@shared_options_but(*HIDEABLE)
def glossary(settings: Settings, word: str | None, *, schema: bool) -> None:
    """Explain the words of tables, options and JSON documents, or one of them.

    WORD is the heading of a column, a field of a document, or an option.
    """
    from topoctl.report.glossary import TERMS, term_named, term_row
    from topoctl.runs.document import document

    if schema:
        if word is not None:
            raise click.UsageError(f"--schema is of all words: it goes without {word}")
        print_schema(settings)
        return
    chosen = [term_named(word)] if word is not None else TERMS
    rows = [term_row(term) for term in chosen]
    settings.emit(document("glossary", {"word": word}, rows), None if word else TABLE)


def print_schema(settings: Settings) -> None:
    """Print the schema, which is neither a table nor a document; write it where a file is wanted."""
    from topoctl.report.output import emit
    from topoctl.report.schema import results_schema

    if settings.output is not None and settings.output.suffix == ".csv":
        raise click.UsageError(f"--output {settings.output}: a schema is JSON; expected a name in .json")
    emit(results_schema(), form="json", output=settings.output)
