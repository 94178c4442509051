"""Calls code of plugins at the start, in a thread, so that every failure names the plugin."""

import faulthandler
import os
import sys
import threading
import traceback
from collections.abc import Callable, Collection
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from prawko.hooks.deadlines import HARD_LIMIT_SECONDS, LOADING_SECONDS
from prawko.hooks.environment import may_be_secret
from prawko.kit.providers.call_slot import SLOT
from prawko.kit.providers.calls import error_text
from prawko.kit.providers.process_state import read_state, restore_state
from prawko.kit.text.plain_text import mask_values, redact, to_single_line

LOADED = "plugin "  # before the name of a plugin that is loaded, in the slot of the process

T = TypeVar("T")


class PluginCallError(Exception):
    """The code did not return: the rest of a sentence, on one line."""


def _secret_values() -> set[str]:
    return {value for name, value in os.environ.items() if may_be_secret(name)}


def call_in_thread(
    function: Callable[[], T],
    *,
    plugin: str,
    seconds: float = LOADING_SECONDS,
    path: str = "",
    find_values: Callable[[], Collection[str]] = _secret_values,
) -> T:
    """Call a function of a plugin and return what it returns.

    It runs in a thread of its own, which is left behind if it does not end in time; a process that
    does not start ends without it. Raises PluginCallError if it raises, exits, takes too long, or
    changes the process (`process_state`), which is put back: with the class of what was raised, its
    text without what `find_values` returns then, and the file and line below the plugin's `path`.
    What it prints goes to standard error. The slot of the process names `plugin` meanwhile; if the
    code holds the interpreter, the process is ended.
    """
    state = read_state(is_loading=True)
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        SLOT.view[0] = number = SLOT.number_of(f"{LOADED}{plugin}")
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001 (SystemExit, too: it would end silently)
            errors.append(error)
        finally:
            if SLOT.view[0] == number:  # a thread that was left behind ends during another's call
                SLOT.view[0] = 0

    thread = threading.Thread(target=run, name="plugin", daemon=True)
    faulthandler.dump_traceback_later(seconds + HARD_LIMIT_SECONDS, exit=True, file=SLOT.file or 2)
    with redirect_stdout(sys.stderr):
        state["sys.stdout or sys.stderr"] = sys.stdout, sys.stderr
        thread.start()
        thread.join(seconds)
        faulthandler.cancel_dump_traceback_later()
        try:
            changed = restore_state(state)
        except (OSError, ValueError):  # the process ends by it, and its slot says whose code did it
            SLOT.view[0] = SLOT.number_of(f"{LOADED}{plugin}")
            raise
    if thread.is_alive():
        raise PluginCallError(f"did not end within {seconds:g} seconds")
    if changed and not errors:
        raise PluginCallError(f"changes the process: {', '.join(changed)}")
    if not errors:
        return results[0]
    error = errors[0]
    described = _describe(error, path, find_values())
    if isinstance(error, SystemExit | KeyboardInterrupt):
        raise PluginCallError(f"ends the process with {described}") from error
    raise PluginCallError(f"failed: {described}") from error


def _describe(error: BaseException, path: str, values: Collection[str]) -> str:
    """Return the error's class, its text, if it has one, and its place, as one line."""
    kind = to_single_line(type(error).__name__)
    text = str(error.msg) if isinstance(error, SyntaxError) else error_text(error)
    said = redact(mask_values(text, [*values, *_find_url_secrets(values)]))
    place = _locate(error, path)
    return "".join([kind, f": {said}" if said not in {"", kind} else "", place and f" ({place})"])


def _find_url_secrets(values: Collection[str]) -> set[str]:
    """Return what may be secret in URLs: an error may quote a part of one."""
    found: set[str] = set()
    for value in values:
        with suppress(ValueError):
            parts = urlsplit(value)
            found |= {parts.password or "", parts.query, parts.path.strip("/")}
    return found


def _locate(error: BaseException, path: str) -> str:
    """Return the file and line of a plugin's code that an error passed last."""
    if isinstance(error, SyntaxError) and error.filename:
        return to_single_line(f"{error.filename}, line {error.lineno}")
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [place for place in places if _is_below(path, place[0])]
    return to_single_line(f"{own[-1][0]}, line {own[-1][1]}") if own else ""


def _is_below(path: str, file: str) -> bool:
    """Whether a file is the plugin's: in its package, or its only module."""
    if not path:
        return Path(file).parent != Path(__file__).parent
    package = Path(path).parent
    return file == path or ((package / "__init__.py").exists() and package in Path(file).parents)
