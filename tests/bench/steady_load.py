"""Sends requests at a steady rate and measures each: python -m tests.bench.steady_load ...

A request is sent when it is due, whether or not the one before was answered, and its time counts
from then on: a server that stalls is measured as its callers see it.
"""

import asyncio
import sys
import time

import msgspec

CONNECTIONS = 16


class Latencies(msgspec.Struct):
    """The median and the 99th percentile in seconds, of so many requests."""

    requests: int
    median: float
    percentile_99: float


async def send_steadily(
    port: int, path: str, cookie: str, seconds: float, per_second: float
) -> Latencies:
    """Send a request every 1 / `per_second` seconds. Raises on an answer other than 200."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
        "Accept: application/json\r\n\r\n"
    ).encode()
    connections = asyncio.Queue()
    for _ in range(CONNECTIONS):
        connections.put_nowait(await asyncio.open_connection("127.0.0.1", port, limit=1 << 20))
    started = time.perf_counter()

    async def send(due: float) -> float:
        reader, writer = await connections.get()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        lines = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:-2])
        await reader.readexactly(int(lines[b"content-length"]))
        connections.put_nowait((reader, writer))
        return time.perf_counter() - due

    requests = []
    for number in range(int(seconds * per_second)):
        due = started + number / per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        requests.append(asyncio.create_task(send(due)))
    times = sorted(await asyncio.gather(*requests))
    while not connections.empty():
        connections.get_nowait()[1].close()
    return Latencies(len(times), times[len(times) // 2], times[int(len(times) * 0.99)])


if __name__ == "__main__":
    PORT, PATH, COOKIE, SECONDS, PER_SECOND = sys.argv[1:]
    figures = asyncio.run(send_steadily(int(PORT), PATH, COOKIE, float(SECONDS), float(PER_SECOND)))
    sys.stdout.buffer.write(msgspec.json.encode(figures))
