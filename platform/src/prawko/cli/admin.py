"""Commands about people: operators of the console, and sessions."""

import getpass
import sys

import click

from prawko.accounts.email_address import parse_email
from prawko.accounts.operators import (
    make_operator,
    revoke_user_sessions,
    switch_off_second_factor,
)
from prawko.accounts.passwords.policy import password_issues
from prawko.base.context import AppContext
from prawko.base.text.i18n import Language, translate
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
    # The panel's own login cannot make a user an operator.
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


@admin.command("second-factor-off")
@click.argument("email")
@with_context(as_owner=True)
async def second_factor_off(context: AppContext, email: str) -> None:
    """Switch off the second factor of a person who has lost it, and end the person's sessions."""
    switched_off = await switch_off_second_factor(context, email)
    if switched_off is None:
        exit_with_error(f"nobody signs in as {email}")
    if not switched_off:
        exit_with_error(f"{email} has no second factor")
    click.echo(f"{email}: the second factor is off")
