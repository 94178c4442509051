"""A client that holds thousands of connections and signs in all the time, from one address.

python -m ops.hostile_client HOST PORT, until SIGTERM; prints what became of it as JSON.
"""

import asyncio
import json
import resource
import signal
import ssl
import sys
from collections import Counter
from itertools import count

ADDRESS = "127.0.0.9"  # not the visitors'
# In this order, as each may be the one that is refused.
SIGN_IN_CONNECTIONS, HELD_HEADERS, HELD_BODIES, SILENT = 100, 50, 25, 4825
SIGN_INS_PER_SECOND = 250
# A connection that was refused or has ended is opened again after so many seconds.
REOPEN_SECONDS = 10.0
HEAD = (
    b"POST /api/login HTTP/1.1\r\nHost: prawko.test\r\nContent-Type: application/json\r\n"
    b"Sec-Fetch-Site: same-origin\r\n"
)


class HostileClient:
    """Opens everything at once and counts how it ends."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._tls = ssl.create_default_context()
        self._tls.check_hostname = False
        self._tls.verify_mode = ssl.CERT_NONE
        self._numbers = count()
        self.results: Counter[str] = Counter()

    async def run(self) -> None:
        """Go on until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(SIGN_IN_CONNECTIONS):
                tasks.create_task(self._sign_in())
            for _ in range(HELD_HEADERS):
                tasks.create_task(self._hold(HEAD, tls=True))
            for _ in range(HELD_BODIES):
                tasks.create_task(self._hold(HEAD + b"Content-Length: 100\r\n\r\n{", tls=True))
            await asyncio.sleep(1)
            for _ in range(SILENT):
                tasks.create_task(self._hold(b"", tls=False))

    async def _hold(self, data: bytes, *, tls: bool) -> None:
        while True:
            try:
                reader, writer = await self._connect(tls=tls)
                writer.write(data)
                self.results["held"] += 1
                await reader.read()
                writer.close()
            except OSError:
                self.results["refused"] += 1
            await asyncio.sleep(REOPEN_SECONDS)

    async def _sign_in(self) -> None:
        pause = SIGN_IN_CONNECTIONS / SIGN_INS_PER_SECOND
        while True:
            try:
                reader, writer = await self._connect(tls=True)
                while True:
                    body = b'{"email":"who%d@example.com","password":"Wrong-guess-%d"}'
                    body %= (number := next(self._numbers), number)
                    writer.write(HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                    self.results[await _read_status(reader)] += 1
                    await asyncio.sleep(pause)
            except (OSError, EOFError):
                self.results["cut"] += 1
                await asyncio.sleep(pause)

    async def _connect(self, *, tls: bool) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            *self._target, ssl=self._tls if tls else None, local_addr=(ADDRESS, 0)
        )


async def _read_status(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = head.partition("content-length:")[2].partition("\r\n")[0]
    await reader.readexactly(int(length or 0))
    return head.split(" ", 2)[1]


async def main(host: str, port: str) -> None:
    """Run until SIGTERM and print the results."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    client = HostileClient(host, int(port))
    running = asyncio.create_task(client.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        sys.stdout.write(json.dumps(client.results))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
