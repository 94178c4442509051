"""Prints the database logins that a command has created."""

from collections.abc import Mapping

import click

from prawko_tenants.roles import ROLE_NAMES


def print_logins(created: Mapping[str, str]) -> None:
    """Print name and URL of each new login, and on standard error the names of the others."""
    for name, url in created.items():
        click.echo(f"{name}\t{url}")
    if kept := [name for name in ROLE_NAMES if name not in created]:
        click.echo(f"unchanged: {', '.join(kept)}", err=True)
