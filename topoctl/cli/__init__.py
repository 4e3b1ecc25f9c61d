"""The command line: parse, call, hand to report."""

from __future__ import annotations

import rich_click as click

from topoctl.cli.exit_codes import EXIT_CODES, TopoctlGroup
from topoctl.version import __version__

EXAMPLES = f"""Examples:
  topoctl search equality                            ten seconds on a published network
  topoctl search equality --n 2048 --k 28 --p 8 --seconds 60
  topoctl optimize grid --width 30 --height 30 --k 6 --l 6 --seconds 60
  topoctl enumerate all --balanced --endpoints 900..1100 --router-radix ..48
  topoctl evaluate 'slimfly(q=19,p=15)' 'N14K6[-1,1,3,9](4)'
  topoctl evaluate network.edges --json
  topoctl bounds --n 2048 --k 28
  topoctl plot network.edges -o network.svg

Results go to standard output, progress and messages to standard error.
Exit codes: {"; ".join(f"{code} {said}" for code, said in EXIT_CODES.items())}."""


HELP = {
    "options_table_column_types": ["required", "opt_all_metavar", "help"],
    "append_metavars_help_string": "{}",
    "delimiter_comma": ", ",
}
"""The names of an option in one column, so that its sentence has room at 80 columns."""


@click.group(
    "topoctl",
    cls=TopoctlGroup,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "rich_help_config": HELP},
)
@click.version_option(__version__, prog_name="topoctl")
def main() -> None:
    """Explore the design space of interconnection networks: search, certify and rank topologies."""
