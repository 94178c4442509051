"""Commands that only show something."""

import argparse
import sys
from collections.abc import Mapping

import msgspec

from prawko.base import plugins
from prawko.cli.processes import Commands
from prawko.hooks.environment import Environment


def add_commands(commands: Commands) -> None:
    """Add plugins and openapi."""
    listing = commands.add_parser("plugins", help="list what is loaded")
    listing.set_defaults(run=run_plugins)
    document = commands.add_parser("openapi", help="print the panel's OpenAPI document")
    document.set_defaults(run=run_openapi)


def run_plugins(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """List the plugins and what each configured one offers."""
    loaded = plugins.load(Environment(variables), plugins.installed())
    print("plugins installed:", ", ".join(loaded.loaded) or "none")
    print("licence registers:", ", ".join(sorted(loaded.registers)) or "none configured")
    print("channels:", ", ".join(sorted(loaded.channels)) or "none configured")
    print("payment providers:", ", ".join(sorted(loaded.payments)) or "none configured")
    print("invoice issuers:", ", ".join(sorted(loaded.issuers)) or "none configured")
    return 0


def run_openapi(_: argparse.Namespace, __: Mapping[str, str]) -> int:
    """Print the document the browser's client is generated from."""
    from prawko.web.document import openapi_document  # noqa: PLC0415 (loads the web framework)

    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(openapi_document()), indent=2))
    sys.stdout.buffer.write(b"\n")
    return 0
