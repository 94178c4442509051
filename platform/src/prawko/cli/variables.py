"""The table of all environment variables."""

from pathlib import Path

import click

from prawko.base.variables import format_table, list_variables
from prawko.cli.context import exit_with_error
from prawko.cli.marked_text import replace_marked_text

BEGIN, END = "<!-- variables -->\n", "<!-- /variables -->\n"


@click.command()
@click.option(
    "--write",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help=f"replace what stands between {BEGIN.strip()} and {END.strip()} in a file",
)
def variables(file: Path | None) -> None:
    """Print every variable of the product and of the installed plugins, as Markdown."""
    table = format_table(list_variables())
    if file is None:
        click.echo(table)
    elif not replace_marked_text(file, BEGIN, END, table):
        exit_with_error(f"{file} has no place for the table")
