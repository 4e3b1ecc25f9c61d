"""What a shell offers when Tab is pressed: names, specs, runs and files, read when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr
from io import StringIO
from typing import TYPE_CHECKING

import rich_click as click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, add_completion_class

if TYPE_CHECKING:
    Offer = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]

VARIABLE = "_TOPOCTL_COMPLETE"


def answer(command: click.Command) -> int:
    """Answer a shell, as ``_TOPOCTL_COMPLETE=bash_complete`` asks; whatever goes wrong, without a word."""
    from click.shell_completion import shell_complete

    instruction = os.environ[VARIABLE]
    if not instruction.endswith("_complete"):
        return shell_complete(command, {}, "topoctl", VARIABLE, instruction)
    try:
        with redirect_stderr(StringIO()):
            return shell_complete(command, {}, "topoctl", VARIABLE, instruction)
    except (Exception, KeyboardInterrupt):  # noqa: BLE001 - a line that is being typed is no place for errors
        return 1


def offered(names: Callable[[click.Context], Iterable[tuple[str, str | None]]]) -> Offer:
    """Offer those of some names, each with what a shell can say of it, that begin like the word."""

    def offer(context: click.Context, _: click.Parameter, word: str) -> list[CompletionItem[str]]:
        return [CompletionItem(name, help=said) for name, said in names(context) if name.startswith(word)]

    return offer


@offered
def families(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of families."""
    from topoctl.families import FAMILIES

    return [(family.name, family.title) for family in FAMILIES.values()]


def families_listed() -> list[tuple[str, str]]:
    """Names of families that can be enumerated, with their titles."""
    from topoctl.families import FAMILIES

    return [(family.name, family.title) for family in FAMILIES.values() if family.lattice]


@offered
def families_or_all(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of families that can be enumerated, and ``all``."""
    return [("all", "every family but random ones"), *families_listed()]


@offered
def families_designed(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """What a design can look at: families that are listed, and networks that are searched."""
    from topoctl.search.design.request import SEARCHED

    listed = [(name, said) for name, said in families_listed() if name not in SEARCHED]
    return [*listed, *((name, "networks that are searched") for name in SEARCHED)]


@offered
def examples(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """A spec of every family, to be edited."""
    from topoctl.families import FAMILIES

    return [(family.examples[0], family.title) for family in FAMILIES.values()]


def networks(context: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """Specs and files."""
    return [*examples(context, parameter, word), CompletionItem(word, type="file")]


@offered
def presets(context: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of the presets of a command, or of all, with and without their folder."""
    from topoctl.definitions import texts
    from topoctl.papers.presets import KINDS

    own = [kind for kind, model in KINDS.items() if context.command_path.endswith(f" {model.command}")]
    found = [(kind, name) for kind in own or KINDS for name in texts(kind)]
    return [(f"{kind}/{name}", None) for kind, name in found] + [(name, kind) for kind, name in found]


@offered
def routings(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of routings."""
    from topoctl.routing import ROUTINGS

    return [(routing.name, routing.title) for routing in ROUTINGS.values()]


@offered
def patterns(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of patterns of traffic."""
    from topoctl.routing.patterns import PATTERNS

    return [(pattern.name, pattern.title) for pattern in PATTERNS.values()]


@offered
def targets(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of tools that take a plan of cables."""
    from topoctl.wiring.targets import TARGETS

    return [(target.name, target.title) for target in TARGETS.values()]


@offered
def workloads(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of work to be completed."""
    from topoctl.simulation.workloads import WORKLOADS

    return [(workload.name, workload.title) for workload in WORKLOADS.values()]


@offered
def words(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Words of the glossary."""
    from topoctl.report.glossary import TERMS

    return [(term.name, term.meaning) for term in TERMS]


def listed(names: Callable[[], Iterable[str]]) -> Offer:
    """Names that may stand one after the other, with commas between: the last one is completed."""

    def offer(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem[str]]:
        before, comma, last = word.rpartition(",")
        left = [name for name in names() if name not in before.split(",")]
        return [CompletionItem(before + comma + name) for name in left if name.startswith(last)]

    return offer


def measure_names() -> Iterable[str]:
    """What a network can be asked."""
    from topoctl.measures import MEASURES

    return MEASURES


def objective_names() -> Iterable[str]:
    """What designs are compared by."""
    from topoctl.search.design.objectives import OBJECTIVES

    return OBJECTIVES


def routing_names() -> Iterable[str]:
    """Names of routings."""
    from topoctl.routing import ROUTINGS

    return ROUTINGS


def pattern_names() -> Iterable[str]:
    """Names of patterns of traffic."""
    from topoctl.routing.patterns import PATTERNS

    return PATTERNS


def workload_names() -> Iterable[str]:
    """Names of work to be completed."""
    from topoctl.simulation.workloads import WORKLOADS

    return WORKLOADS


def scheme_names() -> Iterable[str]:
    """Names of schemes of virtual channels."""
    from topoctl.routing.channels import SCHEMES

    return SCHEMES


def target_names() -> Iterable[str]:
    """Names of tools that take a plan of cables."""
    from topoctl.wiring.targets import TARGETS

    return TARGETS


def format_names() -> Iterable[str]:
    """Names of the formats of files."""
    from topoctl.formats.registry import SIGNATURES

    return SIGNATURES


measures, objectives = listed(measure_names), listed(objective_names)


@offered
def formats(_: click.Context) -> Iterable[tuple[str, str | None]]:
    """Names of the formats of files, with what they are."""
    from topoctl.formats import FORMATS

    return [(name, known.title) for name, known in FORMATS.items()]


def defined(kind: str) -> Offer:
    """Names of the definitions of a kind: sweeps, or tables to compare with."""

    @offered
    def names(_: click.Context) -> Iterable[tuple[str, str | None]]:
        from topoctl.definitions import texts

        return [(name, None) for name in texts(kind)]

    return names


floors, prices, sweeps = defined("floors"), defined("prices"), defined("sweeps")


@offered
def runs(context: click.Context) -> Iterable[tuple[str, str | None]]:
    """Ids of the runs and groups in the study that the command line names."""
    from topoctl.files import DEFAULT_STUDY
    from topoctl.study.rows import ListedRun
    from topoctl.study.store import Study

    with Study(context.params.get("study") or DEFAULT_STUDY, read_only=True) as study:
        found = [run for run in study.runs() if isinstance(run, ListedRun)]
    groups = dict.fromkeys(run.group for run in found if run.group is not None)
    named = [(str(run.id), f"{run.command} {run.status}") for run in found]
    return [*named, *((f"g{group}", "group") for group in groups)]


# click's script offers either files or words, and inserts brackets and spaces without quotes.
BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value
    response=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD %(complete_var)s=bash_complete $1)
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) COMPREPLY+=($(compgen -d -- "$2")); compopt -o filenames ;;
            file) COMPREPLY+=($(compgen -f -- "$2")); compopt -o filenames ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

# click's script cuts words at their commas.
FISH = """\
function %(complete_func)s;
    set -l response (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) \
COMP_CWORD=(commandline -t) %(prog_name)s);
    for completion in $response;
        set -l metadata (string split -m 1 "," $completion);
        switch $metadata[1];
            case dir;
                __fish_complete_directories $metadata[2];
            case file;
                __fish_complete_path $metadata[2];
            case plain;
                echo $metadata[2];
        end;
    end;
end;

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)";
"""


@add_completion_class
class Bash(BashComplete):
    """Words and files together, quoted as they need."""

    source_template = BASH


@add_completion_class
class Fish(FishComplete):
    """Words with commas in them."""

    source_template = FISH
