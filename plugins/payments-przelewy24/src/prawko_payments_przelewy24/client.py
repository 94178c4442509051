"""The calls of Przelewy24's REST API that we use; each is made once."""

import base64
from urllib.parse import quote, urlencode

import msgspec
from yarl import URL

from prawko.hooks.http_client import HttpClient, HttpError, HttpResponse
from prawko.hooks.payments import Money, PaymentError
from prawko_payments_przelewy24 import responses, signature
from prawko_payments_przelewy24.responses import Przelewy24RequestError
from prawko_payments_przelewy24.settings import Przelewy24Settings

DEADLINE_SECONDS = 20.0  # of a whole call
NOT_FOUND_MESSAGE = "not found"
DUPLICATE_MESSAGE = "already exists"


class DuplicateRefundError(Exception):
    """A refund with this reference was requested before."""


class Przelewy24Client:
    """One account's calls.

    They raise PaymentError, ProviderAccountError or Przelewy24RequestError.
    """

    def __init__(self, settings: Przelewy24Settings) -> None:
        self._settings = settings
        self._base_url = str(settings.url).rstrip("/")
        login = base64.b64encode(f"{settings.effective_pos_id}:{settings.key}".encode()).decode()
        self._http_client = HttpClient(
            deadline=DEADLINE_SECONDS,
            headers={"Authorization": f"Basic {login}", "Accept": "application/json"},
        )

    async def register(self, transaction: dict[str, object]) -> str:
        """Register a transaction and return its token; adds the account and the signature."""
        body = self._signed(signature.REGISTER_FIELDS, transaction)
        response = await self._request("POST", "transaction/register", body)
        return responses.parse_response(response, responses.RegisteredTransaction).token

    async def verify(self, reference: str, order_id: int, money: Money) -> bool:
        """Verify a payment, which makes it ours; False if Przelewy24 refuses."""
        body = self._signed(
            signature.VERIFY_FIELDS,
            {
                "sessionId": reference,
                "orderId": order_id,
                "amount": money.grosze,
                "currency": money.currency,
            },
        )
        response = await self._request("PUT", "transaction/verify", body)
        try:
            return (
                responses.parse_response(response, responses.VerificationResult).status == "success"
            )
        except Przelewy24RequestError:
            return False

    async def find_transaction(self, reference: str) -> responses.Transaction | None:
        """Return a transaction by our reference; None if there is none."""
        response = await self._request(
            "GET", f"transaction/by/sessionId/{quote(reference, safe='')}"
        )
        if _is_not_found(response):
            return None
        transaction = responses.parse_response(response, responses.Transaction)
        if transaction.session_id != reference:
            raise PaymentError("the response is about another transaction")
        return transaction

    async def charge_blik(self, token: str, code: str) -> int:
        """Pay a registered transaction by a BLIK code and return Przelewy24's id of it."""
        body: dict[str, object] = {"token": token, "blikCode": code}
        response = await self._request("POST", "paymentMethod/blik/chargeByCode", body)
        try:
            return responses.parse_response(response, responses.BlikCharge, 201).order_id
        except Przelewy24RequestError as error:  # the code is wrong, expired or used
            raise PaymentError(str(error), permanent=True) from None

    async def register_offline(self, token: str) -> responses.OfflineTransfer:
        """Make a registered transaction payable by bank transfer."""
        response = await self._request("POST", "transaction/registerOffline", {"token": token})
        return responses.parse_response(response, responses.OfflineTransfer)

    async def refund(
        self, reference: str, order_id: int, refund_reference: str, amount: Money
    ) -> str | None:
        """Request a refund; returns None if it was accepted, otherwise the reason.

        Raises DuplicateRefundError.
        """
        body: dict[str, object] = {
            "requestId": refund_reference,
            "refundsUuid": refund_reference,
            "urlStatus": self._settings.events,
            "refunds": [{"orderId": order_id, "sessionId": reference, "amount": amount.grosze}],
        }
        response = await self._request("POST", "transaction/refund", body)
        message = responses.error_message(response)
        if response.status == 400 and DUPLICATE_MESSAGE in message:
            raise DuplicateRefundError(refund_reference)
        if response.status == 400 and "Concurrent" in message:
            raise PaymentError(response.summary)
        if response.status == 409 and message:
            return message
        results = responses.parse_response(response, list[responses.RefundResult], 201)
        if len(results) != 1:
            raise PaymentError("the response names no refund, or several")
        return None if results[0].status else results[0].message or "refused"

    async def list_refunds(self, order_id: int) -> list[responses.RefundRecord]:
        """Return the refunds of a transaction so far."""
        response = await self._request("GET", f"refund/by/orderId/{order_id}")
        if _is_not_found(response):
            return []
        return responses.parse_response(response, responses.RefundList).refunds

    async def list_methods(self, amount: Money) -> list[responses.AccountMethod]:
        """Return the methods of the account for this amount."""
        query = urlencode({"amount": amount.grosze, "currency": amount.currency})
        response = await self._request("GET", f"payment/methods/pl?{query}")
        return responses.parse_response(response, list[responses.AccountMethod])

    def payment_url(self, token: str) -> str:
        """Return the payment page of a registered transaction."""
        return f"{self._base_url}/trnRequest/{token}"

    async def close(self) -> None:
        """Close the connections."""
        await self._http_client.close()

    def _signed(self, names: tuple[str, ...], values: dict[str, object]) -> dict[str, object]:
        settings = self._settings
        body = {**values, "merchantId": settings.merchant, "posId": settings.effective_pos_id}
        return {**body, "sign": signature.compute_signature(names, body, settings.crc)}

    async def _request(
        self, method: str, path: str, body: dict[str, object] | None = None
    ) -> HttpResponse:
        url = URL(f"{self._base_url}/api/v1/{path}", encoded=True)
        try:
            if body is None:
                return await self._http_client.request(method, url)
            return await self._http_client.request(
                method, url, msgspec.json.encode(body), media_type="application/json"
            )
        except HttpError as error:
            raise PaymentError(str(error)) from None


def _is_not_found(response: HttpResponse) -> bool:
    """Return whether Przelewy24 itself knows no such record; a misrouted call is a 404, too."""
    return response.status == 404 and NOT_FOUND_MESSAGE in responses.error_message(response)
