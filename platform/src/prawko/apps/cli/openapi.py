"""The panel's OpenAPI document."""

import click
import msgspec


@click.command()
def openapi() -> None:
    """Print the document that the browser's client is generated from."""
    # Loads the web framework, which no other command needs.
    from prawko.apps.web.openapi import build_openapi_document  # noqa: PLC0415

    click.echo(msgspec.json.format(msgspec.json.encode(build_openapi_document()), indent=2))
