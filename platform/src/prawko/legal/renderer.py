"""Draws agreements in a process of their own, and keeps the latest."""

import asyncio
import sys
from collections import OrderedDict

import msgspec

from prawko.base import logs
from prawko.base.errors import UnavailableError
from prawko.legal.agreement import Agreement

MAX_CACHED = 32
TIMEOUT_SECONDS = 30
RETRY_SECONDS = 5

log = logs.get_logger(__name__)


class AgreementRenderer:
    """Draws agreements, one at a time, and none twice while it is among the latest."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._drawn: OrderedDict[bytes, bytes] = OrderedDict()  # the latest at the end

    async def draw(self, agreement: Agreement) -> bytes:
        """Return the PDF. Raises UnavailableError when it cannot be drawn."""
        content = msgspec.json.encode(agreement)
        async with self._lock:
            pdf = self._drawn.pop(content, None) or await _run_process(content)
            self._drawn[content] = pdf
            while len(self._drawn) > MAX_CACHED:
                self._drawn.popitem(last=False)
        return pdf


async def _run_process(content: bytes) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "prawko.legal.pdf",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        pdf, _ = await asyncio.wait_for(process.communicate(content), TIMEOUT_SECONDS)
    except TimeoutError:
        pdf = b""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0 or not pdf:
        log.error("agreement_not_drawn", code=process.returncode)
        raise UnavailableError(retry_after=RETRY_SECONDS)
    return pdf
