"""A fake of Przelewy24 as its documents describe it, on a real socket, with its payers."""

import base64
import hashlib
import json
from collections.abc import Mapping

import msgspec
from aiohttp import web

from prawko.hooks.payments import NextAction, PaymentRef
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from support.servers.carriers import FakeServer

MERCHANT = 999999
CRC_KEY = "a123b456"
API_KEY = "api-key"
EVENTS_URL = "https://panel.prawko.test/api/webhooks/przelewy24"
FIRST_ORDER = 3_000_000_001  # beyond 32 bits, as theirs are
INVALID_INPUT = {"error": "Invalid input data", "code": 400}


class Exchange(msgspec.Struct):
    """One request and its response, to be compared with the published description."""

    method: str
    path: str
    body: dict | None
    status: int
    answer: dict


def compute_sign(text: str) -> str:
    """Return the signature of a text that was composed without the adapter's code."""
    return hashlib.sha384(text.encode()).hexdigest()


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class FakePrzelewy24(FakeServer):
    """Stores transactions and refunds, and refuses what the real server would."""

    def __init__(self) -> None:
        super().__init__()
        self.transactions: dict[str, dict] = {}
        self.tokens: dict[str, str] = {}
        self.refund_requests: dict[str, dict] = {}
        self.exchanges: list[Exchange] = []
        self.verified_sessions: list[str] = []
        self.balance = 10**9
        self.methods = [
            {"id": 154, "name": "BLIK", "group": "Blik", "status": True},
            {"id": 178, "name": "Przelew", "group": "TraditionalTransfer", "status": True},
            {"id": 25, "name": "Bank", "group": "FastTransfers", "status": True},
        ]

    async def handle_request(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read()) if request.can_read_body else None
        status, answer = self.respond(request, body)
        path = request.raw_path.partition("?")[0]
        self.exchanges.append(Exchange(request.method, path, body, status, answer))
        return web.json_response(answer, status=status)

    def respond(self, request: web.Request, body: dict | None) -> tuple[int, dict]:
        login = base64.b64encode(f"{MERCHANT}:{API_KEY}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {login}":
            quoted = request.headers.get("Authorization", "") + f" {body}"
            return 401, {"error": f"Incorrect authentication: {quoted}", "code": 401}
        path = request.path.removeprefix("/api/v1/")
        operation = f"{request.method} {path}"
        for prefix, find in (
            ("GET transaction/by/sessionId/", self.find_by_session),
            ("GET refund/by/orderId/", self.list_refunds),
        ):
            if operation.startswith(prefix):
                return find(operation.removeprefix(prefix))
        handler = {
            "POST transaction/register": self.register_transaction,
            "PUT transaction/verify": self.verify_transaction,
            "POST transaction/refund": self.create_refund,
            "GET payment/methods/pl": self.list_methods,
            "POST transaction/registerOffline": self.register_offline,
            "POST paymentMethod/blik/chargeByCode": self.charge_blik,
        }.get(operation)
        return handler(body) if handler else (404, {"error": "Wrong path", "code": 404})

    def list_methods(self, _: None) -> tuple[int, dict]:
        return 200, {"data": self.methods, "agreements": [], "responseCode": "0"}

    def register_transaction(self, body: dict) -> tuple[int, dict]:
        text = (
            f'{{"sessionId":{to_json(body["sessionId"])},"merchantId":{body["merchantId"]},'
            f'"amount":{body["amount"]},"currency":{to_json(body["currency"])},"crc":"{CRC_KEY}"}}'
        )
        if body["sign"] != compute_sign(text):
            return 400, {"error": "Incorrect CRC value", "code": 400}
        max_lengths = {"sessionId": 100, "email": 50, "client": 40, "description": 1024,
                   "urlReturn": 250, "urlStatus": 250, "sign": 100}  # fmt: skip
        if any(len(body[name]) > length for name, length in max_lengths.items()):
            return 400, INVALID_INPUT
        if body["sessionId"] in self.transactions:
            return 400, INVALID_INPUT
        self.transactions[body["sessionId"]] = {
            **body, "status": 0, "orderId": FIRST_ORDER + len(self.transactions), "paid": 0,
        }  # fmt: skip
        token = f"TOKEN-{len(self.tokens)}"
        self.tokens[token] = body["sessionId"]
        return 200, {"data": {"token": token}, "responseCode": 0}

    def verify_transaction(self, body: dict) -> tuple[int, dict]:
        text = (
            f'{{"sessionId":{to_json(body["sessionId"])},"orderId":{body["orderId"]},'
            f'"amount":{body["amount"]},"currency":{to_json(body["currency"])},"crc":"{CRC_KEY}"}}'
        )
        if body["sign"] != compute_sign(text):
            return 400, {"error": "Incorrect CRC value", "code": 400}
        transaction = self.transactions.get(body["sessionId"])
        if transaction is None or (body["orderId"], body["amount"], body["currency"]) != (
            transaction["orderId"], transaction["paid"], transaction["currency"],
        ):  # fmt: skip
            return 400, INVALID_INPUT
        transaction["status"] = 2
        self.verified_sessions.append(body["sessionId"])
        return 200, {"data": {"status": "success"}, "responseCode": 0}

    def find_by_session(self, session_id: str) -> tuple[int, dict]:
        transaction = self.transactions.get(session_id)
        if transaction is None:
            return 404, {"error": "Transaction not found", "responseCode": 0}
        data = {
            "statement": "p24-A1B-C2D usługa", "orderId": transaction["orderId"],
            "sessionId": session_id, "status": transaction["status"],
            "amount": transaction["paid"] or transaction["amount"],
            "currency": transaction["currency"], "date": "202611211000",
            "clientEmail": transaction["email"], "clientName": transaction["client"], "fee": "0",
        }  # fmt: skip
        return 200, {"data": data, "responseCode": 0}

    def create_refund(self, body: dict) -> tuple[int, dict]:
        [requested] = body["refunds"]
        if len(body["requestId"]) > 45 or len(body["refundsUuid"]) > 35:
            return 400, INVALID_INPUT
        if body["requestId"] in self.refund_requests:
            return 400, {"error": "Request already exists", "code": 400}
        transaction = self.transactions.get(requested["sessionId"])
        result = {**requested, "description": "", "status": False}
        refunded = self.refunded_amount(PaymentRef(requested["sessionId"]))
        if (
            transaction is None
            or transaction["orderId"] != requested["orderId"]
            or transaction["status"] != 2
        ):
            message = "Transaction in wrong status - cannot refund"
        elif requested["amount"] > transaction["paid"] - refunded:
            message = "The amount of refund exceeds available amount for the transaction"
        elif requested["amount"] > self.balance:
            message = "Insufficient funds available"
        else:
            self.refund_requests[body["requestId"]] = {**requested, "status": 3}
            result = {**result, "status": True, "message": "success"}
            return 201, {"data": [result], "responseCode": 0}
        return 409, {"error": [{**result, "message": message}], "code": 409}

    def list_refunds(self, order_id: str) -> tuple[int, dict]:
        number = int(order_id)
        refunds = [
            {"batchId": 1, "requestId": key, "date": "2026-11-21", "login": "x",
             "description": "", "status": refund["status"], "amount": refund["amount"]}
            for key, refund in self.refund_requests.items() if refund["orderId"] == number
        ]  # fmt: skip
        if not refunds:
            return 404, {"error": "Transaction not found", "responseCode": 0}
        data = {"orderId": number, "sessionId": "", "amount": 0, "currency": "PLN"}
        return 200, {"data": {**data, "refunds": refunds}, "responseCode": 0}

    def register_offline(self, body: dict) -> tuple[int, dict]:
        key = self.tokens.get(body["token"])
        if key is None:
            return 409, {"error": "Unable to create offline transaction", "code": 409}
        transaction = self.transactions[key]
        data = {
            "orderId": transaction["orderId"], "sessionId": key, "amount": transaction["amount"],
            "statement": f"p24-{transaction['orderId']}", "iban": "61109010140000071219812874",
            "ibanOwner": "PayPro SA", "ibanOwnerAddress": "ul. Pastelowa 8, Poznań",
        }  # fmt: skip
        return 200, {"data": data, "responseCode": 0}

    def charge_blik(self, body: dict) -> tuple[int, dict]:
        transaction = self.transactions[self.tokens[body["token"]]]
        if set(transaction.get("additional", {}).get("PSU", {})) != {"IP", "userAgent"}:
            return 400, INVALID_INPUT
        if not body["blikCode"].startswith("777"):  # as in its sandbox
            return 400, {"error": "Incorrect BLIK code", "code": 400}
        transaction["paid"], transaction["status"] = transaction["amount"], 1
        data = {"orderId": transaction["orderId"], "message": "success"}
        return 201, {"data": data, "responseCode": 0}

    async def pay(self, next_action: NextAction, amount: int | None = None) -> WebhookRequest:
        """Pay as the payer, the requested amount or `amount`; return Przelewy24's webhook."""
        transaction = self.transactions[next_action.ref.reference]
        transaction["paid"], transaction["status"] = amount or transaction["amount"], 1
        return payment_webhook(
            sessionId=next_action.ref.reference,
            amount=transaction["paid"],
            originAmount=transaction["amount"],
            orderId=transaction["orderId"],
        )

    def refunded_amount(self, ref: PaymentRef) -> int:
        requests = self.refund_requests.values()
        return sum(
            request["amount"] for request in requests if request["sessionId"] == ref.reference
        )


def payment_webhook(crc: str = CRC_KEY, **changed: object) -> WebhookRequest:
    """Return the webhook about a payment."""
    values = {
        "merchantId": MERCHANT, "posId": MERCHANT, "sessionId": "k1", "amount": 18327,
        "originAmount": 18327, "currency": "PLN", "orderId": FIRST_ORDER, "methodId": 154,
        "statement": "p24-A1B-C2D usługa", **changed,
    }  # fmt: skip
    return webhook_request({**values, "sign": compute_sign(to_json({**values, "crc": crc}))})


def refund_webhook(**changed: object) -> WebhookRequest:
    """Return the webhook about a refund; `status` 0 is completed, 1 rejected."""
    values = {
        "orderId": FIRST_ORDER, "sessionId": "k1", "refundsUuid": "r1", "merchantId": MERCHANT,
        "amount": 100, "currency": "PLN", "status": 0, **changed,
    }  # fmt: skip
    sign = compute_sign(to_json({**values, "crc": CRC_KEY}))
    return webhook_request({**values, "timestamp": 1795240123, "sign": sign})


def webhook_request(values: Mapping[str, object] | bytes) -> WebhookRequest:
    """Return a webhook with this body."""
    body = values if isinstance(values, bytes) else json.dumps(values).encode()
    return WebhookRequest(headers={}, query={}, body=body, received_at=utc_now())
