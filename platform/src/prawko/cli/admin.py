"""Commands about people: operators of the console, and sessions."""

import getpass
import sys

import click

from prawko.accounts.email_address import parse_email
from prawko.accounts.operators import make_operator, revoke_user_sessions
from prawko.accounts.passwords.policy import password_issues
from prawko.base.context import AppContext
from prawko.base.i18n import Language, translate
from prawko.cli.context import exit_with_error, with_context


@click.group()
def admin() -> None:
    """Operators and sessions."""


@admin.command()
@click.argument("email")
@with_context(as_owner=True)
async def create(context: AppContext, email: str) -> None:
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
    await make_operator(context, address, password)
    click.echo(f"{address} is an operator")


@admin.command("sign-out")
@click.argument("email")
@with_context(as_owner=True)
async def sign_out(context: AppContext, email: str) -> None:
    """End every session of a person, at once and everywhere."""
    ended = await revoke_user_sessions(context, email)
    if ended is None:
        exit_with_error(f"nobody signs in as {email}")
    click.echo(f"{email}: {ended} session(s) ended")
