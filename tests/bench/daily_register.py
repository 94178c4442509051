"""The register simulator with the documents of every driver: python -m ... HOME DRIVERS."""

import asyncio
import sys
from pathlib import Path

from tests.bench import fleet

from prawko_demo.register.documents import RegisterDocument
from prawko_demo.register.server import run_register_simulator


async def serve_register(home: Path, drivers: int) -> None:
    async with run_register_simulator(home) as register:
        for n in range(drivers):
            first_name, last_name = fleet.driver_name(n)
            register.document_store.put(
                fleet.licence_number(n), RegisterDocument(first_name, last_name)
            )
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve_register(Path(sys.argv[1]), int(sys.argv[2])))
