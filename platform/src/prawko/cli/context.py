"""Shared by the commands: their application context, variables and errors."""

import asyncio
import functools
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar

import click

from prawko.base.bootstrap import close_context, create_context
from prawko.base.context import AppContext
from prawko.base.queue import RecordingQueue
from prawko.hooks.environment import SettingsError

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
    """Return a decorator that runs a coroutine function as a command, with a context.

    With `as_owner` it has the owner's login, for actions that panel and worker may not do.
    """

    def decorate(
        function: Callable[Concatenate[AppContext, P], Coroutine[Any, Any, T]],
    ) -> Callable[P, T]:
        @click.pass_obj
        @functools.wraps(function)
        def run(variables: Mapping[str, str], /, *args: P.args, **kwargs: P.kwargs) -> T:
            async def call() -> T:
                async with _open_context(variables, as_owner=as_owner) as context:
                    return await function(context, *args, **kwargs)

            return asyncio.run(call())

        return run

    return decorate


@asynccontextmanager
async def _open_context(
    variables: Mapping[str, str], *, as_owner: bool
) -> AsyncGenerator[AppContext]:
    """Open a context that enqueues nothing: the workers find the work in the database."""
    if as_owner:
        variables = {**variables, "DATABASE_URL": variables.get("OWNER_DATABASE_URL", "")}
    context = create_context(variables, queue=RecordingQueue())
    try:
        yield context
    finally:
        await close_context(context)
