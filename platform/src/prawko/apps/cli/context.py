"""Shared by the commands: their application context, variables and errors."""

import asyncio
import functools
import os
import pwd
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar

import click

from prawko.accounts.acts.operator_acts import (
    NamedOperatorRequiredError,
    OperatorActs,
    ReasonRequiredError,
)
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.email_address import normalise_email
from prawko.accounts.repository import AccountRepository
from prawko.apps.composition_root import create_context
from prawko.hooks.environment import SettingsError
from prawko.kit.bootstrap import close_context
from prawko.kit.context import AppContext
from prawko.kit.work.queue import RecordingQueue
from prawko_tenants.roles import ROLE_NAMES

P = ParamSpec("P")
T = TypeVar("T")

DATE = click.DateTime(["%Y-%m-%d"])
INTERRUPTED = 130  # the exit code of a command that was stopped by Ctrl-C


class CommandError(click.ClickException):
    """A command failed for the reason in its message. The exit code is 1."""


def exit_with_error(message: str) -> NoReturn:
    """End the command with exit code 1 and the reason on standard error. Raises CommandError."""
    raise CommandError(message)


def require_variable(variables: Mapping[str, str], name: str) -> str:
    """Return a variable's value. Raises SettingsError where it is missing."""
    if not variables.get(name):
        raise SettingsError(name, "is missing")
    return variables[name]


def with_context(
    *, as_owner: bool = False
) -> Callable[[Callable[Concatenate[AppContext, P], Coroutine[Any, Any, T]]], Callable[P, T]]:
    """Return a decorator that runs a coroutine function as a command that reads, with a context.

    Its transactions are read-only. With `as_owner` it has the owner's login, for what panel and
    worker may not see.
    """

    def decorate(
        function: Callable[Concatenate[AppContext, P], Coroutine[Any, Any, T]],
    ) -> Callable[P, T]:
        @click.pass_obj
        @functools.wraps(function)
        def run(variables: Mapping[str, str], /, *args: P.args, **kwargs: P.kwargs) -> T:
            async def call() -> T:
                async with _open_context(variables, as_owner=as_owner, read_only=True) as context:
                    return await function(context, *args, **kwargs)

            return asyncio.run(call())

        return run

    return decorate


def with_acts(
    *, as_owner: bool = False
) -> Callable[
    [Callable[Concatenate[AppContext, OperatorActs, P], Coroutine[Any, Any, T]]], Callable[..., T]
]:
    """Return a decorator that runs a coroutine function as a command that acts.

    It adds `--as EMAIL` and `--reason TEXT`; the function gets a context, the log in which it
    records its act, and the reason. A refusal of the log ends the command with a sentence.
    """

    def decorate(
        function: Callable[Concatenate[AppContext, OperatorActs, P], Coroutine[Any, Any, T]],
    ) -> Callable[..., T]:
        @click.option("--as", "operator_email", metavar="EMAIL", help="the operator who acts")
        @click.option("--reason", metavar="TEXT", help="why, for the log of acts")
        @click.pass_context
        @functools.wraps(function)
        def run(
            command: click.Context, /, *args: Any, operator_email: str | None, **kwargs: Any
        ) -> T:
            async def call() -> T:
                async with _open_context(command.obj, as_owner=as_owner) as context:
                    acts = await _open_acts(context, operator_email, command.command_path)
                    return await function(context, acts, *args, **kwargs)

            try:
                return asyncio.run(call())
            except ReasonRequiredError:
                exit_with_error("say why: --reason TEXT")
            except NamedOperatorRequiredError:
                exit_with_error("name the operator who acts: --as EMAIL")

        return run

    return decorate


async def _open_acts(context: AppContext, operator_email: str | None, command: str) -> OperatorActs:
    """Return the log of a command's acts; ends the command where nobody has the address."""
    operator = None
    if operator_email is not None:
        async with context.database.system() as session:
            accounts = AccountRepository(session)
            operator = await accounts.find_operator(normalise_email(operator_email.strip()))
        if operator is None:
            exit_with_error(f"no operator has the address {operator_email}")
    agent = f"{command} ({_system_user()})"
    return OperatorActs(context, operator, ClientInfo(ip="", user_agent=agent))


def _system_user() -> str:
    """Return the name of the account that runs the process, or its number where it has no name.

    Not `getpass.getuser`, which believes the variables LOGNAME and USER.
    """
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


@asynccontextmanager
async def _open_context(
    variables: Mapping[str, str], *, as_owner: bool, read_only: bool = False
) -> AsyncGenerator[AppContext]:
    """Open a context that enqueues nothing: the workers find the work in the database."""
    if as_owner:
        variables = {**variables, "DATABASE_URL": variables.get("OWNER_DATABASE_URL", "")}
    context = create_context(variables, queue=RecordingQueue(), read_only=read_only)
    try:
        yield context
    finally:
        await close_context(context)


def print_logins(created: Mapping[str, str]) -> None:
    """Print name and URL of each new login, and on standard error the names of the others."""
    for name, url in created.items():
        click.echo(f"{name}\t{url}")
    if kept := [name for name in ROLE_NAMES if name not in created]:
        click.echo(f"unchanged: {', '.join(kept)}", err=True)
