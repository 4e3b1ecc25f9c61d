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
  topoctl glossary ASPL --json"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("word", required=False, shell_complete=completion.words)
@shared_options_but(*HIDEABLE)
def glossary(settings: Settings, word: str | None) -> None:
    """Explain the words of tables, options and JSON documents, or one of them.

    WORD is the heading of a column, a field of a document, or an option.
    """
    from topoctl.report.document import document
    from topoctl.report.glossary import TERMS, term_named, term_row

    chosen = [term_named(word)] if word is not None else TERMS
    rows = [term_row(term) for term in chosen]
    settings.emit(document("glossary", {"word": word}, rows), None if word else TABLE)
