"""The register's simulator, knowing every driver of the fleet: python -m ... HOME DRIVERS."""

import asyncio
import sys
from pathlib import Path

from tests.bench import fleet

from prawko_demo.register.documents import Document
from prawko_demo.register.server import running_register


async def serve(home: Path, drivers: int) -> None:
    async with running_register(home) as register:
        for n in range(drivers):
            first_name, last_name = fleet.name(n)
            register.shelf.put(fleet.number(n), Document(first_name, last_name))
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
