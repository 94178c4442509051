"""Our fake of Przelewy24 with an independent client: both must accept each other's signatures.

The tests run the adapter against the same fake.
"""

import asyncio
import json
from pathlib import Path

from tests.peers.record import Record

from prawko.hooks.payments import NextAction, PaymentRef
from support.servers.przelewy24 import API_KEY, CRC_KEY, EVENTS_URL, MERCHANT, FakePrzelewy24

PROGRAM = Path(__file__).with_suffix(".mjs")
ORDER = {
    "sessionId": "sess-ąę-1", "amount": 18327, "currency": "PLN", "description": "zażółć / gęślą",
    "email": "anna@acme.test", "client": "Łucja", "country": "PL", "language": "pl",
    "urlReturn": "https://panel.prawko.test/", "urlStatus": EVENTS_URL,
}  # fmt: skip


async def run(folder: str) -> None:
    server, record = FakePrzelewy24(), Record()
    account = json.dumps({"merchant": MERCHANT, "key": API_KEY, "crc": CRC_KEY})

    async with server.serve():

        async def client(method: str, argument: object, account: str = account) -> object:
            program = await asyncio.create_subprocess_exec(
                "node", str(PROGRAM), server.url, account, method, json.dumps(argument),
                cwd=folder, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            output, _ = await program.communicate()
            return json.loads(output)

        await record.step("It registers an order", client("createTransaction", ORDER))
        wrong_key = json.dumps({"merchant": MERCHANT, "key": API_KEY, "crc": "another"})
        await record.step(
            "It does with another CRC key", client("createTransaction", ORDER, wrong_key)
        )
        page = NextAction(ref=PaymentRef(ORDER["sessionId"]), url=server.url)
        notification = json.loads((await server.pay(page)).body)
        await record.step("It reads our notification", client("verifyNotification", notification))
        changed = {**notification, "amount": 1}
        await record.step("It reads a changed one", client("verifyNotification", changed))
        payment = {
            name: notification[name] for name in ("sessionId", "amount", "currency", "orderId")
        }
        await record.step("It verifies", client("verifyTransaction", payment))
        payment["amount"] = 1
        await record.step("It verifies another sum", client("verifyTransaction", payment))
