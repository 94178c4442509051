"""Prints what documents are generated from: variables, rate limits, roles, the OpenAPI document."""

from pathlib import Path

import click
import msgspec

from prawko import limits
from prawko.apps.cli.context import exit_with_error
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


@click.command()
def openapi() -> None:
    """Print the document that the browser's client is generated from."""
    # Loads the web framework, which no other command needs.
    from prawko.apps.web.openapi import build_openapi_document  # noqa: PLC0415

    click.echo(msgspec.json.format(msgspec.json.encode(build_openapi_document()), indent=2))


@click.command()
@click.option(
    "--write",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="replace what stands between <!-- roles --> and <!-- /roles --> in a file",
)
def roles(file: Path | None) -> None:
    """Print which role in a company may do what, as Markdown."""
    # Loads the web framework, as above.
    from prawko.apps.web.openapi import format_roles  # noqa: PLC0415

    if file is None:
        click.echo(format_roles())
    elif not replace_marked_text(file, "<!-- roles -->\n", "<!-- /roles -->\n", format_roles()):
        exit_with_error(f"{file} has no place for the table of roles")


def replace_marked_text(file: Path, begin: str, end: str, text: str) -> bool:
    """Write a text between two marks of a file; False if the file does not have both."""
    page = file.read_text(encoding="utf-8")
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        return False
    file.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")
    return True
