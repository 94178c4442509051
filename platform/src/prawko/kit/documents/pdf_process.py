"""Draws PDFs in processes of their own: the library takes 50 MB, which no panel should keep."""

import asyncio
import sys

from prawko.kit.errors import UnavailableError
from prawko.kit.observability import logs

TIMEOUT_SECONDS = 30
RETRY_SECONDS = 5

log = logs.get_logger(__name__)


async def draw_in_process(module: str, content: bytes) -> bytes:
    """Return what `python -m module` writes for `content` on its standard input.

    Raises UnavailableError when it writes nothing, or not in time.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module,
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
        log.error("pdf_not_drawn", module=module, code=process.returncode)
        raise UnavailableError(retry_after=RETRY_SECONDS)
    return pdf
