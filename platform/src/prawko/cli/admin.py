"""Makes operators: persons who may use the console."""

import argparse
import getpass
import sys
from collections.abc import Mapping

from prawko.accounts import passwords
from prawko.accounts.addresses import parse_email
from prawko.accounts.operators import make_operator, sign_out
from prawko.base.texts import Language, say
from prawko.cli.opening import as_owner, complain, opened
from prawko.cli.processes import Commands


def add_commands(commands: Commands) -> None:
    """Add admin create."""
    group = commands.add_parser("admin", help="operators").add_subparsers(required=True)
    create = group.add_parser("create", help="make a person an operator; asks for the password")
    create.add_argument("email")
    create.set_defaults(run=run_create)
    out = group.add_parser("sign-out", help="end every session of a person")
    out.add_argument("email")
    out.set_defaults(run=run_sign_out)


async def run_create(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Create an operator, or make one of a known account. The password comes from a terminal
    or the first line of standard input, never from an argument that others can read.
    """  # noqa: D205
    email = parse_email(parsed.email)
    if email is None:
        return complain(say("accounts.email.invalid", Language.EN))
    asks = sys.stdin.isatty()
    password = getpass.getpass() if asks else sys.stdin.readline().rstrip("\n")
    for fault in passwords.faults(password, refuse_common=True):
        return complain(say(f"accounts.password.{fault.value}", Language.EN))
    # The panel's own login may make nobody an operator.
    async with opened(as_owner(variables)) as tools:
        await make_operator(tools, email, password)
    print(f"{email} is an operator")
    return 0


async def run_sign_out(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """End every session of a person, at once and everywhere."""
    async with opened(as_owner(variables)) as tools:
        ended = await sign_out(tools, parsed.email)
    if ended is None:
        return complain(f"nobody signs in as {parsed.email}")
    print(f"{parsed.email}: {ended} session(s) ended")
    return 0
