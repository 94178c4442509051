"""The tables of all environment variables and of all rate limits."""

from pathlib import Path

import click

from prawko import limits
from prawko.apps.cli.context import exit_with_error
from prawko.apps.cli.marked_text import replace_marked_text
from prawko.kit.variables import format_table, list_variables

# By the name in their marks, such as <!-- limits -->.
TABLES = {"variables": lambda: format_table(list_variables()), "limits": limits.format_table}


@click.command()
@click.option(
    "--write",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="replace what stands between <!-- variables --> and <!-- /variables --> in a file, and "
    "the rate limits between <!-- limits --> and <!-- /limits -->",
)
def variables(file: Path | None) -> None:
    """Print every variable of the product and of the installed plugins, as Markdown."""
    if file is None:
        click.echo(TABLES["variables"]())
        return
    for name, create_table in TABLES.items():
        if not replace_marked_text(
            file, f"<!-- {name} -->\n", f"<!-- /{name} -->\n", create_table()
        ):
            exit_with_error(f"{file} has no place for the table of {name}")
