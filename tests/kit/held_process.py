"""A process with an event loop, whose plugin does one call that never ends in order.

`python -m kit.held_process FOLDER FORM`: `sleep` holds the loop, `compute` and `c_call` hold the
interpreter, `swallow` swallows every exception, `exit` ends the process, `raise_memory` is killed
by the limit of its memory.
"""

import asyncio
import ctypes
import os
import re
import resource
import signal
import sys
import time
from pathlib import Path

from prawko.kit.providers.call_slot import SLOT
from prawko.kit.providers.calls import await_plugin
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.hard_limit import HardLimit

HOUR = 3600


def _sleep() -> None:
    time.sleep(HOUR)


def _compute() -> None:
    re.match(r"(a+)+$", "a" * 60 + "b")  # exponential, in C, and holds the interpreter


def _c_call() -> None:
    ctypes.PyDLL(None).sleep(HOUR)  # does not release the interpreter


def _swallow() -> None:
    while True:
        try:
            time.sleep(HOUR)
        except BaseException:  # noqa: BLE001 (that is the fault)
            continue


def _exit() -> None:
    os._exit(0)


def _kill() -> None:  # as the limit of a container's memory does
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGKILL)


FORMS = {
    "sleep": _sleep, "compute": _compute, "c_call": _c_call, "swallow": _swallow, "exit": _exit,
    "kill": _kill,
}  # fmt: skip


async def _run(folder: Path, form: str) -> None:
    HardLimit(SLOT.open(folder, "worker"), SLOT.note_tick).start()

    async def send() -> None:
        await asyncio.sleep(0.1)
        FORMS[form]()

    await await_plugin(PluginExperience("channel odd"), send, deadline=HOUR)


if __name__ == "__main__":
    asyncio.run(_run(Path(sys.argv[1]), sys.argv[2]))
