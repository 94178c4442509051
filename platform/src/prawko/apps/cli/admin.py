"""Commands about people: operators of the console, and sessions."""

import getpass
import sys

import click

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.email_address import parse_email
from prawko.accounts.errors import LastOperatorError, SecondFactorDisabledError
from prawko.accounts.operators import (
    make_operator,
    remove_operator,
    revoke_user_sessions,
    switch_off_second_factor,
)
from prawko.accounts.passwords.policy import password_issues
from prawko.apps.cli.context import exit_with_error, with_acts
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language, translate


@click.group()
def admin() -> None:
    """Operators and sessions."""


@admin.command()
@click.argument("email")
@with_acts(as_owner=True)
async def create(context: AppContext, acts: OperatorActs, email: str, reason: str | None) -> None:
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
    await make_operator(context, acts, address, password, reason)
    click.echo(f"{address} is an operator")


@admin.command()
@click.argument("email")
@with_acts(as_owner=True)
async def remove(context: AppContext, acts: OperatorActs, email: str, reason: str | None) -> None:
    """Take the operator's right away from a person, and end the person's sessions at once.

    The account remains as that of any other user. The last operator cannot be removed.
    """
    try:
        await remove_operator(context, acts, email, reason)
    except NotFoundError:
        exit_with_error(f"{email} is no operator")
    except LastOperatorError:
        exit_with_error(f"{email} is the last operator: make another one first")
    click.echo(f"{email} is no operator any more")


@admin.command("sign-out")
@click.argument("email")
@with_acts(as_owner=True)
async def sign_out(context: AppContext, acts: OperatorActs, email: str, reason: str | None) -> None:
    """End every session of a person, at once and everywhere."""
    try:
        ended = await revoke_user_sessions(context, acts, email, reason)
    except NotFoundError:
        exit_with_error(f"nobody signs in as {email}")
    click.echo(f"{email}: {ended} session(s) ended")


@admin.command("second-factor-off")
@click.argument("email")
@with_acts(as_owner=True)
async def second_factor_off(
    context: AppContext, acts: OperatorActs, email: str, reason: str | None
) -> None:
    """Switch off the second factor of a person who has lost it, and end the person's sessions."""
    try:
        await switch_off_second_factor(context, acts, email, reason)
    except NotFoundError:
        exit_with_error(f"nobody signs in as {email}")
    except SecondFactorDisabledError:
        exit_with_error(f"{email} has no second factor")
    click.echo(f"{email}: the second factor is off")
