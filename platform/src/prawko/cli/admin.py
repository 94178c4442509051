"""Commands about people: operators of the console, and sessions."""

import getpass
import sys
from collections.abc import Mapping

import click

from prawko.accounts.email_address import parse_email
from prawko.accounts.operators import make_operator, revoke_user_sessions
from prawko.accounts.passwords.policy import password_issues
from prawko.base.i18n import Language, translate
from prawko.cli.context import exit_with_error, open_owner_context, run_async


@click.group()
def admin() -> None:
    """Operators and sessions."""


@admin.command()
@click.argument("email")
@click.pass_obj
@run_async
async def create(variables: Mapping[str, str], email: str) -> None:
    """Make a person an operator.

    The password comes from the terminal or the first line of standard input, never from an
    argument that others can read.
    """
    address = parse_email(email)
    if address is None:
        exit_with_error(translate("accounts.email.invalid", Language.EN))
    is_terminal = sys.stdin.isatty()
    password = getpass.getpass() if is_terminal else sys.stdin.readline().rstrip("\n")
    for issue in password_issues(password, refuse_common=True):
        exit_with_error(translate(f"accounts.password.{issue.value}", Language.EN))
    # The panel's own login may make nobody an operator.
    async with open_owner_context(variables) as context:
        await make_operator(context, address, password)
    click.echo(f"{address} is an operator")


@admin.command("sign-out")
@click.argument("email")
@click.pass_obj
@run_async
async def sign_out(variables: Mapping[str, str], email: str) -> None:
    """End every session of a person, at once and everywhere."""
    async with open_owner_context(variables) as context:
        ended = await revoke_user_sessions(context, email)
    if ended is None:
        exit_with_error(f"nobody signs in as {email}")
    click.echo(f"{email}: {ended} session(s) ended")
