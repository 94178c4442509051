"""Przelewy24 as its documents describe it, on a real socket of this machine, with its payers."""

import base64
import hashlib
import json
from collections.abc import Mapping

import msgspec
from aiohttp import web

from carriers import Carrier
from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import PaymentRef, Redirect

MERCHANT = 999999
CRC = "a123b456"
KEY = "api-key"
EVENTS = "https://panel.prawko.test/api/webhooks/przelewy24"
FIRST_ORDER = 3_000_000_001  # beyond 32 bits, as theirs are
REFUSED = {"error": "Invalid input data", "code": 400}


class Exchange(msgspec.Struct):
    """One call and its answer, to be compared with the contract."""

    method: str
    path: str
    body: dict | None
    status: int
    answer: dict


def signed(text: str) -> str:
    """The sign of a text that was put together by hand."""
    return hashlib.sha384(text.encode()).hexdigest()


def text_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class FakePrzelewy24(Carrier):
    """Keeps transactions and refunds, and refuses what the real one would."""

    def __init__(self) -> None:
        super().__init__()
        self.transactions: dict[str, dict] = {}
        self.tokens: dict[str, str] = {}
        self.refund_requests: dict[str, dict] = {}
        self.exchanges: list[Exchange] = []
        self.verified: list[str] = []
        self.balance = 10**9
        self.methods = [
            {"id": 154, "name": "BLIK", "group": "Blik", "status": True},
            {"id": 178, "name": "Przelew", "group": "TraditionalTransfer", "status": True},
            {"id": 25, "name": "Bank", "group": "FastTransfers", "status": True},
        ]

    async def take(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read()) if request.can_read_body else None
        status, answer = self.answer(request, body)
        path = request.raw_path.partition("?")[0]
        self.exchanges.append(Exchange(request.method, path, body, status, answer))
        return web.json_response(answer, status=status)

    def answer(self, request: web.Request, body: dict | None) -> tuple[int, dict]:
        login = base64.b64encode(f"{MERCHANT}:{KEY}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {login}":
            return 401, {"error": "Incorrect authentication", "code": 401}
        path = request.path.removeprefix("/api/v1/")
        called = f"{request.method} {path}"
        for beginning, given in (
            ("GET transaction/by/sessionId/", self.by_session),
            ("GET refund/by/orderId/", self.refunds_of),
        ):
            if called.startswith(beginning):
                return given(called.removeprefix(beginning))
        taken = {
            "POST transaction/register": self.register,
            "PUT transaction/verify": self.verify,
            "POST transaction/refund": self.refund,
            "GET payment/methods/pl": self.offered,
            "POST transaction/registerOffline": self.offline,
            "POST paymentMethod/blik/chargeByCode": self.charge,
        }.get(called)
        return taken(body) if taken else (404, {"error": "Wrong path", "code": 404})

    def offered(self, _: None) -> tuple[int, dict]:
        return 200, {"data": self.methods, "agreements": [], "responseCode": "0"}

    def register(self, body: dict) -> tuple[int, dict]:
        text = (
            f'{{"sessionId":{text_of(body["sessionId"])},"merchantId":{body["merchantId"]},'
            f'"amount":{body["amount"]},"currency":{text_of(body["currency"])},"crc":"{CRC}"}}'
        )
        if body["sign"] != signed(text):
            return 400, {"error": "Incorrect CRC value", "code": 400}
        longest = {"sessionId": 100, "email": 50, "client": 40, "description": 1024,
                   "urlReturn": 250, "urlStatus": 250, "sign": 100}  # fmt: skip
        if any(len(body[name]) > length for name, length in longest.items()):
            return 400, REFUSED
        if body["sessionId"] in self.transactions:
            return 400, REFUSED
        self.transactions[body["sessionId"]] = {
            **body, "status": 0, "orderId": FIRST_ORDER + len(self.transactions), "paid": 0,
        }  # fmt: skip
        token = f"TOKEN-{len(self.tokens)}"
        self.tokens[token] = body["sessionId"]
        return 200, {"data": {"token": token}, "responseCode": 0}

    def verify(self, body: dict) -> tuple[int, dict]:
        text = (
            f'{{"sessionId":{text_of(body["sessionId"])},"orderId":{body["orderId"]},'
            f'"amount":{body["amount"]},"currency":{text_of(body["currency"])},"crc":"{CRC}"}}'
        )
        if body["sign"] != signed(text):
            return 400, {"error": "Incorrect CRC value", "code": 400}
        found = self.transactions.get(body["sessionId"])
        asked = (body["orderId"], body["amount"], body["currency"])
        if found is None or asked != (found["orderId"], found["paid"], found["currency"]):
            return 400, REFUSED
        found["status"] = 2
        self.verified.append(body["sessionId"])
        return 200, {"data": {"status": "success"}, "responseCode": 0}

    def by_session(self, key: str) -> tuple[int, dict]:
        found = self.transactions.get(key)
        if found is None:
            return 404, {"error": "Transaction not found", "responseCode": 0}
        data = {
            "statement": "p24-A1B-C2D usługa", "orderId": found["orderId"], "sessionId": key,
            "status": found["status"], "amount": found["paid"] or found["amount"],
            "currency": found["currency"], "date": "202611211000", "clientEmail": found["email"],
            "clientName": found["client"], "fee": "0",
        }  # fmt: skip
        return 200, {"data": data, "responseCode": 0}

    def refund(self, body: dict) -> tuple[int, dict]:
        [asked] = body["refunds"]
        if len(body["requestId"]) > 45 or len(body["refundsUuid"]) > 35:
            return 400, REFUSED
        if body["requestId"] in self.refund_requests:
            return 400, {"error": "Request already exists", "code": 400}
        found = self.transactions.get(asked["sessionId"])
        told = {**asked, "description": "", "status": False}
        if found is None or found["orderId"] != asked["orderId"] or found["status"] != 2:
            message = "Transaction in wrong status - cannot refund"
        elif asked["amount"] > found["paid"] - self.refunded(PaymentRef(asked["sessionId"])):
            message = "The amount of refund exceeds available amount for the transaction"
        elif asked["amount"] > self.balance:
            message = "Insufficient funds available"
        else:
            self.refund_requests[body["requestId"]] = {**asked, "status": 3}
            told = {**told, "status": True, "message": "success"}
            return 201, {"data": [told], "responseCode": 0}
        return 409, {"error": [{**told, "message": message}], "code": 409}

    def refunds_of(self, order_id: str) -> tuple[int, dict]:
        number = int(order_id)
        listed = [
            {"batchId": 1, "requestId": key, "date": "2026-11-21", "login": "x",
             "description": "", "status": one["status"], "amount": one["amount"]}
            for key, one in self.refund_requests.items() if one["orderId"] == number
        ]  # fmt: skip
        if not listed:
            return 404, {"error": "Transaction not found", "responseCode": 0}
        data = {"orderId": number, "sessionId": "", "amount": 0, "currency": "PLN"}
        return 200, {"data": {**data, "refunds": listed}, "responseCode": 0}

    def offline(self, body: dict) -> tuple[int, dict]:
        key = self.tokens.get(body["token"])
        if key is None:
            return 409, {"error": "Unable to create offline transaction", "code": 409}
        found = self.transactions[key]
        data = {
            "orderId": found["orderId"], "sessionId": key, "amount": found["amount"],
            "statement": f"p24-{found['orderId']}", "iban": "61109010140000071219812874",
            "ibanOwner": "PayPro SA", "ibanOwnerAddress": "ul. Pastelowa 8, Poznań",
        }  # fmt: skip
        return 200, {"data": data, "responseCode": 0}

    def charge(self, body: dict) -> tuple[int, dict]:
        found = self.transactions[self.tokens[body["token"]]]
        if set(found.get("additional", {}).get("PSU", {})) != {"IP", "userAgent"}:
            return 400, REFUSED
        if not body["blikCode"].startswith("777"):  # as in its sandbox
            return 400, {"error": "Incorrect BLIK code", "code": 400}
        found["paid"], found["status"] = found["amount"], 1
        data = {"orderId": found["orderId"], "message": "success"}
        return 201, {"data": data, "responseCode": 0}

    async def pay(self, redirect: Redirect, amount: int | None = None) -> Callback:
        """Be the payer, who pays what was asked, or `amount`; return Przelewy24's call."""
        found = self.transactions[redirect.ref.key]
        found["paid"], found["status"] = amount or found["amount"], 1
        return paid_call(sessionId=redirect.ref.key, amount=found["paid"],
                         originAmount=found["amount"], orderId=found["orderId"])  # fmt: skip

    def refunded(self, ref: PaymentRef) -> int:
        requests = self.refund_requests.values()
        return sum(one["amount"] for one in requests if one["sessionId"] == ref.key)


def paid_call(crc: str = CRC, **changed: object) -> Callback:
    """The call after a payment."""
    values = {
        "merchantId": MERCHANT, "posId": MERCHANT, "sessionId": "k1", "amount": 18327,
        "originAmount": 18327, "currency": "PLN", "orderId": FIRST_ORDER, "methodId": 154,
        "statement": "p24-A1B-C2D usługa", **changed,
    }  # fmt: skip
    return call({**values, "sign": signed(text_of({**values, "crc": crc}))})


def refund_call(**changed: object) -> Callback:
    """The call after a refund; `status` 0 is completed, 1 rejected."""
    values = {
        "orderId": FIRST_ORDER, "sessionId": "k1", "refundsUuid": "r1", "merchantId": MERCHANT,
        "amount": 100, "currency": "PLN", "status": 0, **changed,
    }  # fmt: skip
    sign = signed(text_of({**values, "crc": CRC}))
    return call({**values, "timestamp": 1795240123, "sign": sign})


def call(values: Mapping[str, object] | bytes) -> Callback:
    """A call with these values, as they are."""
    body = values if isinstance(values, bytes) else json.dumps(values).encode()
    return Callback(headers={}, query={}, body=body, received_at=machine_now())
