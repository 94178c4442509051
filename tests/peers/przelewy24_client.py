"""Our stub of Przelewy24 with another's client: both must make and take the same signs.

The adapter is held to the stub in the tests, so what the stub takes from somebody else is what
it takes from the adapter.
"""

import asyncio
import json
from pathlib import Path

from tests.peers.record import Record

from prawko.hooks.payments import PaymentRef, Redirect
from przelewy24 import CRC, EVENTS, KEY, MERCHANT, FakePrzelewy24

PROGRAM = Path(__file__).with_suffix(".mjs")
ORDER = {
    "sessionId": "sess-ąę-1", "amount": 18327, "currency": "PLN", "description": "zażółć / gęślą",
    "email": "anna@acme.test", "client": "Łucja", "country": "PL", "language": "pl",
    "urlReturn": "https://panel.prawko.test/", "urlStatus": EVENTS,
}  # fmt: skip


async def run(folder: str) -> None:
    server, record = FakePrzelewy24(), Record()
    account = json.dumps({"merchant": MERCHANT, "key": KEY, "crc": CRC})

    async with server.listening():

        async def client(what: str, given: object, account: str = account) -> object:
            program = await asyncio.create_subprocess_exec(
                "node", str(PROGRAM), server.url, account, what, json.dumps(given),
                cwd=folder, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            said, _ = await program.communicate()
            return json.loads(said)

        await record.step("It registers an order", client("createTransaction", ORDER))
        other = json.dumps({"merchant": MERCHANT, "key": KEY, "crc": "another"})
        await record.step("It does with another CRC key", client("createTransaction", ORDER, other))
        page = Redirect(ref=PaymentRef(ORDER["sessionId"]), url=server.url)
        notice = json.loads((await server.pay(page)).body)
        await record.step("It reads our notification", client("verifyNotification", notice))
        changed = {**notice, "amount": 1}
        await record.step("It reads a changed one", client("verifyNotification", changed))
        payment = {name: notice[name] for name in ("sessionId", "amount", "currency", "orderId")}
        await record.step("It verifies", client("verifyTransaction", payment))
        payment["amount"] = 1
        await record.step("It verifies another sum", client("verifyTransaction", payment))
