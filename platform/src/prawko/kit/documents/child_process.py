"""Runs a module of ours on bytes in a process of its own, within limits.

PDFs are drawn there, because the library takes 50 MB, which no panel should keep, and files that
companies upload are read there, because they may be made to take any amount of memory and time. The
process has no environment, and no open file or socket of the panel, cannot read those of the panel
(`process_protection`), gives way to requests, and is the first that the kernel ends without memory.
"""

import asyncio
import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from prawko.kit.errors import UnavailableError
from prawko.kit.observability import logs

RETRY_SECONDS = 5
NICENESS = 5  # a quarter of a busy processor, so that an honest file is read within its seconds

log = logs.get_logger(__name__)


class ProcessLimits(msgspec.Struct, frozen=True):
    """At most so many seconds, so many of a processor, and so many bytes of memory and output.

    Seconds of a processor bound what the content costs, and how busy the machine is hardly changes
    them. The seconds of the clock are for a machine too busy to give the process that many.
    """

    seconds: float
    processor_seconds: int
    memory: int
    output: int


PDF_LIMITS = ProcessLimits(
    seconds=30, processor_seconds=30, memory=1024 * 1024**2, output=32 * 1024**2
)


class ProcessFailedError(UnavailableError):
    """The process ended with an error or by a limit, or wrote nothing."""


class ProcessDelayedError(ProcessFailedError):
    """The machine is too busy: the process did not start, or did not end in time."""


async def run_in_process(module: str, content: bytes, limits: ProcessLimits) -> bytes:
    """Return what `python -m module` writes for `content` on its standard input.

    Raises ProcessFailedError, and ProcessDelayedError if the content is not the reason.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", module, env={},
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as error:  # too many processes, or no memory for one
        log.warning("process_not_started", module=module, error=type(error).__name__)
        raise ProcessDelayedError(retry_after=RETRY_SECONDS) from None
    output = b""
    is_delayed = False
    try:
        async with asyncio.timeout(limits.seconds):
            output = await _exchange(process, content, limits)
    except TimeoutError:
        is_delayed = True
    except OSError:
        pass
    finally:
        if process.returncode is None:
            process.kill()
        async with asyncio.timeout(limits.seconds):
            await process.communicate()
    if process.returncode != 0 or not output:
        log.warning("process_failed", module=module, code=process.returncode, is_delayed=is_delayed)
        failure = ProcessDelayedError if is_delayed else ProcessFailedError
        raise failure(retry_after=RETRY_SECONDS)
    return output


async def _exchange(
    process: asyncio.subprocess.Process, content: bytes, limits: ProcessLimits
) -> bytes:
    """Return the output of a process that ended; nothing if it is too long."""
    assert process.stdin is not None  # noqa: S101  # both are pipes
    assert process.stdout is not None  # noqa: S101
    _limit_process(process.pid, limits)  # before it has a byte of the content
    process.stdin.write(content)
    process.stdin.close()
    try:
        await process.stdout.readexactly(limits.output + 1)
    except asyncio.IncompleteReadError as end:
        await process.wait()
        return end.partial
    return b""


def _limit_process(pid: int, limits: ProcessLimits) -> None:
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.processor_seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.prlimit(pid, kind, (most, most))
    with suppress(OSError):  # where the system has no /proc to write to, the limits hold alone
        os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000", encoding="ascii")
