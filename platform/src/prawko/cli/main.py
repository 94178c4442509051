"""`prawko`: serve, work, migrate, and the operator's commands."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from prawko.base.plugins import PluginError
from prawko.cli import (
    admin,
    checks,
    company,
    database,
    incidents,
    invoices,
    payments,
    processes,
    show,
    support,
)
from prawko.embedded import EmbeddedError
from prawko.hooks.environment import SettingError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. A refused start says why in one line."""
    parser = argparse.ArgumentParser(prog="prawko", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (
        processes,
        database,
        admin,
        company,
        checks,
        incidents,
        payments,
        invoices,
        support,
        show,
    ):
        module.add_commands(commands)
    parsed = parser.parse_args(arguments)
    try:
        outcome = parsed.run(parsed, os.environ)
        if asyncio.iscoroutine(outcome):
            outcome = asyncio.run(outcome)
    except (SettingError, PluginError, EmbeddedError) as error:
        print(f"prawko: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return int(outcome or 0)
