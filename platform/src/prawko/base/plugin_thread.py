"""Calls code of plugins at the start: whatever it does, the process says which plugin it was."""

import threading
from collections.abc import Callable
from typing import TypeVar

from prawko.base.plain_text import to_single_line
from prawko.hooks.deadlines import LOADING_SECONDS

T = TypeVar("T")


class PluginCallError(Exception):
    """The code did not return: the rest of a sentence, on one line."""


def call_plugin(function: Callable[[], T], *, seconds: float = LOADING_SECONDS) -> T:
    """Call a function of a plugin and return what it returns.

    It runs in a thread of its own, which is left behind if it does not end in time; a process that
    does not start ends without it. Raises PluginCallError if it raises, exits, or takes too long.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001 (SystemExit, too: it would end silently)
            errors.append(error)

    thread = threading.Thread(target=run, name="plugin", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise PluginCallError(f"did not end within {seconds:g} seconds")
    if not errors:
        return results[0]
    error = errors[0]
    if isinstance(error, SystemExit | KeyboardInterrupt):
        raise PluginCallError(f"ends the process with {_describe(error)}") from error
    raise PluginCallError(f"failed: {_describe(error)}") from error


def _describe(error: BaseException) -> str:
    """Return the error's class and text, if it has one, as one line."""
    return to_single_line(": ".join(filter(None, (type(error).__name__, str(error)))))
