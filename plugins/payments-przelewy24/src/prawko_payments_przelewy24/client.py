"""Przelewy24's REST API, as far as we use it: each call once, signed where it must be."""

import base64
from urllib.parse import quote, urlencode

import msgspec
from yarl import URL

from prawko.hooks.carrier_connection import CarrierConnection, CarrierReply
from prawko.hooks.channels import DeliveryError
from prawko.hooks.payments import Money, PaymentError
from prawko_payments_przelewy24 import answers, signs
from prawko_payments_przelewy24.answers import RejectedRequestError
from prawko_payments_przelewy24.settings import Settings

NOT_FOUND = "not found"
SAID_BEFORE = "already exists"


class Client:
    """One account's calls. They raise PaymentError, AccountError or RejectedRequestError."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._base = settings.url.rstrip("/")
        login = base64.b64encode(f"{settings.shop}:{settings.key}".encode()).decode()
        self._connection = CarrierConnection(
            deadline=settings.deadline, headers={"Authorization": f"Basic {login}"}
        )

    async def register(self, transaction: dict[str, object]) -> str:
        """Register a transaction and return its token. The account and the sign are added."""
        body = self._signed(signs.REGISTER, transaction)
        reply = await self._ask("POST", "transaction/register", body)
        return answers.read(reply, answers.Registered).token

    async def verify(self, key: str, order_id: int, money: Money) -> bool:
        """Say that this payment is what we expected; False when that is refused."""
        body = self._signed(
            signs.VERIFY,
            {
                "sessionId": key,
                "orderId": order_id,
                "amount": money.grosze,
                "currency": money.currency,
            },
        )
        reply = await self._ask("PUT", "transaction/verify", body)
        try:
            return answers.read(reply, answers.Verified).status == "success"
        except RejectedRequestError:
            return False

    async def transaction(self, key: str) -> answers.Transaction | None:
        """A transaction by our key; None when Przelewy24 says that there is none."""
        reply = await self._ask("GET", f"transaction/by/sessionId/{quote(key, safe='')}")
        if _is_not_found(reply):
            return None
        found = answers.read(reply, answers.Transaction)
        if found.session_id != key:
            raise PaymentError("the answer is about another transaction")
        return found

    async def charge_blik(self, token: str, code: str) -> int:
        """Take a BLIK code for a registered transaction and return its order's number."""
        body: dict[str, object] = {"token": token, "blikCode": code}
        reply = await self._ask("POST", "paymentMethod/blik/chargeByCode", body)
        try:
            return answers.read(reply, answers.Charged, 201).order_id
        except RejectedRequestError as error:  # the code is wrong, old or used
            raise PaymentError(str(error), permanent=True) from None

    async def offline(self, token: str) -> answers.Offline:
        """Make a registered transaction one that is paid by a bank transfer."""
        reply = await self._ask("POST", "transaction/registerOffline", {"token": token})
        return answers.read(reply, answers.Offline)

    async def refund(self, key: str, order_id: int, refund_key: str, amount: Money) -> str | None:
        """Give money back; why not, or None when the refund was taken.

        Raises KeyError when there was such a refund before.
        """
        body: dict[str, object] = {
            "requestId": refund_key,
            "refundsUuid": refund_key,
            "urlStatus": self._settings.events,
            "refunds": [{"orderId": order_id, "sessionId": key, "amount": amount.grosze}],
        }
        reply = await self._ask("POST", "transaction/refund", body)
        said = answers.refusal(reply)
        if reply.status == 400 and SAID_BEFORE in said:
            raise KeyError(refund_key)
        if reply.status == 400 and "Concurrent" in said:
            raise PaymentError(reply.said)
        if reply.status == 409 and said:
            return said
        given = answers.read(reply, list[answers.Given], 201)
        if len(given) != 1:
            raise PaymentError("the answer names no refund, or several")
        return None if given[0].status else given[0].message or "refused"

    async def refunds(self, order_id: int) -> list[answers.Back]:
        """The refunds of a transaction so far."""
        reply = await self._ask("GET", f"refund/by/orderId/{order_id}")
        if _is_not_found(reply):
            return []
        return answers.read(reply, answers.Backs).refunds

    async def methods(self, money: Money) -> list[answers.OfferedMethod]:
        """What the account can be paid by, for this sum."""
        query = urlencode({"amount": money.grosze, "currency": money.currency})
        reply = await self._ask("GET", f"payment/methods/pl?{query}")
        return answers.read(reply, list[answers.OfferedMethod])

    def page(self, token: str) -> str:
        """Where the payer of a registered transaction goes on."""
        return f"{self._base}/trnRequest/{token}"

    async def close(self) -> None:
        """Give back the connections."""
        await self._connection.close()

    def _signed(self, names: tuple[str, ...], values: dict[str, object]) -> dict[str, object]:
        settings = self._settings
        body = {**values, "merchantId": settings.merchant, "posId": settings.shop}
        return {**body, "sign": signs.sign(names, body, settings.crc)}

    async def _ask(
        self, method: str, path: str, body: dict[str, object] | None = None
    ) -> CarrierReply:
        url = URL(f"{self._base}/api/v1/{path}", encoded=True)
        try:
            if body is None:
                return await self._connection.ask(method, url)
            return await self._connection.ask(
                method, url, msgspec.json.encode(body), media_type="application/json"
            )
        except DeliveryError as error:
            raise PaymentError(str(error)) from None


def _is_not_found(reply: CarrierReply) -> bool:
    """Whether Przelewy24 itself says so: a misrouted call ends in a 404, too."""
    return reply.status == 404 and NOT_FOUND in answers.refusal(reply)
