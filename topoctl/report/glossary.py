"""The words of tables, options and JSON documents: what each means, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.fields import FIELDS, WORDS, Column, Field, Word, column_of
from topoctl.runs.document import Row

Term = Word | Field
AnyTerm = TypeVar("AnyTerm", bound=Term)
TERMS: tuple[Term, ...] = (*WORDS, *FIELDS.values())


def legend_of(columns: Iterable[Column]) -> str:
    """Explain the signs among the headings in a line; empty where all are words.

    Example:
        >>> legend_of(FIELDS[name] for name in ("rank", "order", "network_radix"))
        "N: routers; k': links per router"
    """
    fields = [FIELDS[column.name] for column in columns if column.name in FIELDS]
    return "; ".join(f"{field.heading}: {field.legend}" for field in fields if field.legend)


def term_named(word: str) -> Term:
    """Find the term of a word, a heading or an option, in any case unless another word is spelled so.

    Raises:
        InvalidParameters: an unknown word; the message names the nearest.

    Example:
        >>> term_named("K'").name, term_named("K").name, term_named("network-radix").name
        ('network_radix', 'degree', 'network_radix')
    """
    return _looked_up(word, TERMS, "word")


def things_named(word: str) -> list[Word]:
    """Find what has a name and is no term: families, routings, patterns, work, schemes, formats, measures.

    Example:
        >>> [thing.meaning for thing in things_named("SlimFly")]
        ['family: Slim Fly (MMS graphs)']
    """
    from topoctl.families import FAMILIES
    from topoctl.formats import FORMATS
    from topoctl.measures import MEASURES
    from topoctl.routing import IN_PAPERS, ROUTINGS
    from topoctl.routing.channels import SCHEMES
    from topoctl.routing.patterns import PATTERNS
    from topoctl.simulation.workloads import WORKLOADS

    name = word.casefold()
    sources: dict[str, Mapping[str, Any]] = {
        "family": FAMILIES, "routing": ROUTINGS, "traffic": PATTERNS, "format of files": FORMATS,
        "measure": MEASURES, "work": {one: work for one, work in WORKLOADS.items() if one not in PATTERNS},
    }  # fmt: skip
    found = [
        Word(name, f"{kind}: {registry[name].title}", getattr(registry[name], "source", ""))
        for kind, registry in sources.items()
        if name in registry
    ]
    if IN_PAPERS.get(name, "").startswith("is called "):
        found.append(Word(name, f"routing that {IN_PAPERS[name]}"))
    if name in SCHEMES:
        said = str(SCHEMES[name].__doc__).partition("\n")[0].rstrip(".")
        found.append(Word(name, f"scheme of virtual channels: {said}"))
    return found


def _looked_up(word: str, terms: Sequence[AnyTerm], what: str) -> AnyTerm:
    """Find a term by any of its spellings, the same case first."""
    spelled = {spelling: term for term in reversed(terms) for spelling in spellings(term)}
    for known in (spelled, {spelling.casefold(): term for spelling, term in reversed(spelled.items())}):
        plain = word.casefold()
        for wanted in (word, plain, plain.replace("-", "_"), plain.replace("-", " "), f"--{plain}"):
            if wanted in known:
                return known[wanted]
    likely = (
        hint(word, (spelling.removeprefix("--") for spelling in spelled))
        or "; expected one that `topoctl glossary` shows"
    )
    raise InvalidParameters(f"{what} {quoted(word)} is unknown{likely}")


def columns_named(text: str) -> tuple[Column, ...]:
    """Read the columns of words separated by commas: fields or headings; none for ``all``.

    What was asked of a cell of a sweep is the option's name behind ``asked_``.

    Raises:
        InvalidParameters: an unknown word; the message names the nearest.

    Example:
        >>> [column.heading for column in columns_named("network,d,links")]
        ['network', 'D', 'links']
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if [word.casefold() for word in words] == ["all"]:
        return ()
    if not words:
        raise InvalidParameters(f"{quoted(text)} names no column; expected such as diameter,aspl, or all")
    fields = tuple(FIELDS.values())
    names = (word if word.startswith("asked_") else _looked_up(word, fields, "column").name for word in words)
    return tuple(column_of(name) for name in dict.fromkeys(names))


def spellings(term: Term) -> tuple[str, ...]:
    """Return all that a user may look a term up by."""
    heading = (term.heading,) if term.heading else ()
    return (term.name, *heading, *term.also)


def term_row(term: Term) -> Row:
    """Return a term as a row of results."""
    return {
        "term": term.name,
        "heading": term.heading or None,
        "meaning": term.meaning,
        "source": term.source or None,
        "spellings": list(term.also),
    }
