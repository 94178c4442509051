"""Generates HTTP/1.1 load on a number of connections: python -m tests.bench.load ..."""

import asyncio
import sys
import time

import msgspec

CONNECTIONS = 16


class LoadResult(msgspec.Struct):
    """Requests, failures and the time they took."""

    requests: int
    seconds: float
    failures: int

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


async def _one_connection(host: str, port: int, request: bytes, until: float) -> tuple[int, int]:
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    answered = failed = 0
    while time.perf_counter() < until:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        )
        await reader.readexactly(length)
        answered += 1
        failed += not head.startswith(b"HTTP/1.1 200")
    writer.close()
    return answered, failed


async def generate_load(port: int, path: str, cookie: str, seconds: float) -> LoadResult:
    """Send requests on each connection, one after another, for so many seconds."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
        "Accept: application/json\r\n\r\n"
    ).encode()
    started = time.perf_counter()
    counts = await asyncio.gather(
        *(
            _one_connection("127.0.0.1", port, request, started + seconds)
            for _ in range(CONNECTIONS)
        )
    )
    elapsed = time.perf_counter() - started
    return LoadResult(sum(a for a, _ in counts), elapsed, sum(f for _, f in counts))


if __name__ == "__main__":
    PORT, PATH, COOKIE, SECONDS = sys.argv[1:]
    figures = asyncio.run(generate_load(int(PORT), PATH, COOKIE, float(SECONDS)))
    sys.stdout.buffer.write(msgspec.json.encode(figures))
