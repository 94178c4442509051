"""Runs code of plugins in child processes: a plugin may end the process that calls it."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from prawko.hooks.environment import Environment
from prawko.kit.process_protection import end_with_parent
from prawko.kit.providers.call_slot import SLOT, read_ended
from prawko.kit.providers.entries import InstalledPlugin, discover_plugins
from prawko.kit.providers.loader import inspect_plugins
from prawko.kit.providers.thread import LOADED

CHILD_SECONDS = 600.0  # each call of a plugin ends within 35
_ROLE, _RESULT = "inspection", "result"

Ended = Mapping[str, str]
"""How plugins ended a process, by the names that its slot has for them."""


class ChildRun(msgspec.Struct, frozen=True):
    """What the last child returned, None if it did not, and the plugins that ended one before."""

    result: bytes | None
    ended: Ended
    exit_code: int | None


def run_in_child(work: Callable[[Ended], bytes], *, seconds: float = CHILD_SECONDS) -> ChildRun:
    """Run `work` in a child process, again without each plugin that ends one.

    `work` gets those that did; it leaves them alone. What it prints goes to standard error.
    """
    ended: dict[str, str] = {}
    with TemporaryDirectory() as name:
        folder, known = Path(name), -1
        while len(ended) > known:
            known = len(ended)
            child = get_context("fork").Process(target=partial(_run, folder, work, ended))
            child.start()
            child.join(seconds)
            child.kill()
            child.join(seconds)
            with suppress(FileNotFoundError):
                return ChildRun((folder / _RESULT).read_bytes(), ended, child.exitcode)
            how = f"ends the process that calls it, with the code {child.exitcode}"
            ended |= {
                one.plugin: "holds the process that calls it" if one.traceback else how
                for one in read_ended(folder, _ROLE)
                if one.is_new and one.plugin
            }
    return ChildRun(None, ended, child.exitcode)


def find_loading_faults(ended: Ended) -> dict[str, str]:
    """Return how plugins ended the process that loaded them, by the plugins' names."""
    return {
        name.removeprefix(LOADED): how for name, how in ended.items() if name.startswith(LOADED)
    }


def discover_in_child(variables: Mapping[str, str]) -> list[InstalledPlugin]:
    """Return the installed plugins as `discover_plugins` does, after loading them in a child.

    Those that ended it are not imported, and returned with the fault.
    """

    def load(ended: Ended) -> bytes:
        installed = discover_plugins(variables, faults=find_loading_faults(ended))
        inspect_plugins(Environment(variables), installed)
        return b""

    return discover_plugins(variables, faults=find_loading_faults(run_in_child(load).ended))


def _run(folder: Path, work: Callable[[Ended], bytes], ended: Ended) -> None:
    end_with_parent()
    os.dup2(2, 1)
    SLOT.open(folder, _ROLE)
    (folder / _RESULT).write_bytes(work(ended))
    sys.stdout.flush()
    os._exit(0)  # whatever threads the plugins have started
