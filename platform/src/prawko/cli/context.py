"""Shared by the commands: the application context, asynchronous commands, errors."""

import asyncio
import functools
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, NoReturn, ParamSpec, TypeVar

import click

from prawko.base.bootstrap import close_context, create_context
from prawko.base.context import AppContext
from prawko.base.queue import RecordingQueue

P = ParamSpec("P")
T = TypeVar("T")

DATE = click.DateTime(["%Y-%m-%d"])
INTERRUPTED = 130  # the exit code of a command that was stopped by Ctrl-C


class CommandError(click.ClickException):
    """A command failed for the reason in its message. The exit code is 1."""


def exit_with_error(message: str) -> NoReturn:
    """End the command with exit code 1 and the reason on standard error. Raises CommandError."""
    raise CommandError(message)


def run_async(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Make a coroutine function callable as a command, in an event loop of its own."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return asyncio.run(function(*args, **kwargs))

    return run


@asynccontextmanager
async def open_context(variables: Mapping[str, str]) -> AsyncGenerator[AppContext]:
    """Open a context that enqueues nothing: the workers find the work in the database."""
    context = create_context(variables, queue=RecordingQueue())
    try:
        yield context
    finally:
        await close_context(context)


@asynccontextmanager
async def open_owner_context(variables: Mapping[str, str]) -> AsyncGenerator[AppContext]:
    """Open a context with the owner's login, for actions that panel and worker may not do."""
    owner = {**variables, "DATABASE_URL": variables.get("OWNER_DATABASE_URL", "")}
    async with open_context(owner) as context:
        yield context
