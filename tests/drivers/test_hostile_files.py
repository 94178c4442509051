"""Many hostile files in a row, and another company's list beside them."""

import asyncio
import time
from base64 import b64encode
from pathlib import Path

import pytest

from prawko import limits
from prawko.kit.process_protection import return_large_buffers
from support.workbooks import xlsx

pytestmark = pytest.mark.anyio

ROUNDS = 3  # the best of them counts
FILES = 504
LISTS = 200
MAX_GROWTH = 50  # MB
HOSTILE = (
    xlsx("<row><c><v>1</v></c></row>", texts=f"<si><t>{'a' * 100_000_000}</t></si>"),
    xlsx('<row r="1"><c r="A1"><v>1</v></c></row><row r="9"><c r="XFD1048576"><v>2</v></c></row>'),
    xlsx("", texts="<si><t>a</t></si>" * 3_000_000),
    b"PK\x03\x04 no archive",
    b"a;b;c\n" * 300_000,
    "ą".encode("cp1250") * 1_500_000,
)


def memory() -> float:
    """Return the memory of this process, in which the panel runs, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1_000_000


async def slowest(person, count: int) -> float:
    """Return the 99th percentile of the seconds that a list takes."""
    seconds = []
    for _ in range(count):
        began = time.monotonic()
        assert (await person.get("/api/drivers")).status_code == 200
        seconds.append(time.monotonic() - began)
        await asyncio.sleep(0.01)
    return sorted(seconds)[int(count * 0.99) - 1]


async def test_hostile_files_fill_no_memory_and_delay_no_other_company(
    anna, celina, context, monkeypatch
) -> None:
    return_large_buffers()  # as the panel's process does
    monkeypatch.setattr(limits, "REFUSED_FILE_COST", 1)
    context.max_tries["driver_import_preview"] = 3 * FILES
    bodies = [{"contentBase64": b64encode(content).decode()} for content in HOSTILE]

    async def send(count: int) -> None:
        for number in range(count):
            answer = await anna.post("/api/drivers/import/preview", bodies[number % len(bodies)])
            assert answer.status_code in {422, 503}, answer.text  # 503: the machine is too busy

    ratios, sizes = [], []
    for _ in range(ROUNDS):
        idle = await slowest(celina, LISTS)
        sending = asyncio.create_task(send(FILES // ROUNDS))
        ratios.append(await slowest(celina, LISTS) / idle)
        await sending
        sizes.append(memory())

    # The first files fill the pools of the allocator, those of the test's client included.
    assert sizes[-1] - sizes[0] < MAX_GROWTH, sizes
    assert min(ratios) <= 2, ratios
