"""What is installed and configured."""

from collections.abc import Mapping

import click

from prawko.base.plugins import discover_plugins, load_plugins
from prawko.hooks.environment import Environment


@click.command()
@click.pass_obj
def plugins(variables: Mapping[str, str]) -> None:
    """List the plugins and what each configured one offers."""
    loaded = load_plugins(Environment(variables), discover_plugins())
    for label, names in (
        ("plugins installed", loaded.names),
        ("licence registers", sorted(loaded.registers)),
        ("channels", sorted(loaded.channels)),
        ("payment providers", sorted(loaded.payments)),
        ("invoice issuers", sorted(loaded.issuers)),
    ):
        click.echo(f"{label}: {', '.join(names) or 'none configured'}")
