"""Groups that import a command's module when the command is named, and help that ends in examples."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli.commands import COMMANDS, file_name, module_of
from topoctl.cli.epilogs import epilog_lines
from topoctl.cli.numbers import plain
from topoctl.errors import hint, quoted


class ExamplesCommand(click.RichCommand):
    """A command whose epilog is examples: printed line by line, not joined into a paragraph."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for parameter in self.params:
            parameter.type = plain(parameter.type)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Suggest what was meant by an option that there is not, and refuse one that is given twice."""
        try:
            if not ctx.resilient_parsing:
                refuse_twice(self.make_parser(ctx).parse_args([*args])[2], ctx)
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [name for parameter in self.get_params(ctx) for name in parameter.opts]
            likely = hint(error.option_name, (name for name in known if name.startswith("--")))
            raise click.UsageError(f"no such option {error.option_name}{likely}", ctx) from None

    def format_epilog(self, ctx: click.Context, formatter: Any) -> None:  # noqa: ARG002 - click calls it
        """Print the epilog in lines that fit."""
        from rich.padding import Padding
        from rich.text import Text

        if self.epilog:
            lines = epilog_lines(self.epilog, formatter.console.width - 2)
            formatter.write(Padding(Text("\n".join(lines), overflow="fold"), (0, 1, 1, 1)))


def refuse_twice(given: list[click.Parameter], ctx: click.Context) -> None:
    """Refuse an option that takes one value and is given two, of which click would take the last."""
    single = [one for one in given if isinstance(one, click.Option) and not (one.multiple or one.is_flag)]
    for option in single:
        if single.count(option) > 1:
            raise click.UsageError(f"{' or '.join(option.opts)} is given twice; expected once", ctx)


class LazyGroup(ExamplesCommand, click.RichGroup):  # type: ignore[misc]
    """A group whose commands are those of COMMANDS, each imported when it is named.

    Args:
        words: the group's command line words; none for the root's.
    """

    def __init__(self, *args: Any, words: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.words = words

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it
        """The last word of every command of the group."""
        named = (command.rpartition(" ") for command in COMMANDS)
        return [last for words, _, last in named if words == self.words]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command of the group."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = f"{self.words} {cmd_name}".strip()
        found: click.Command = getattr(module_of(command), file_name(command))
        found.name = cmd_name  # help lists it by this name
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a bare group that does nothing by itself for a question: print the help and end well."""
        if not (args or self.invoke_without_command or ctx.resilient_parsing):
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest what was meant by a command that there is not."""
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            likely = hint(args[0], self.list_commands(ctx))
            raise click.UsageError(f"no such command {quoted(args[0])}{likely}", ctx)
        return super().resolve_command(ctx, args)
