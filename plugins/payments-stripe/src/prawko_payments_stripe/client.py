"""The calls of Stripe's API that we use, through its SDK, each under one deadline."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Generic, TypeVar

import msgspec
import stripe
from stripe.params import PaymentIntentCreateParams
from stripe.params.checkout import SessionCreateParams, SessionListParams

from prawko.hooks.payments import Money, PaymentError
from prawko_payments_stripe import responses
from prawko_payments_stripe.clock import utc_now
from prawko_payments_stripe.errors import StripeRequestError, translate_error
from prawko_payments_stripe.http_transport import StripeHttpClient
from prawko_payments_stripe.responses import CHARGE_METADATA, ORDER_METADATA, REFUND_METADATA
from prawko_payments_stripe.settings import StripeSettings

T = TypeVar("T")

DEADLINE_SECONDS = 20.0  # of a whole call, retries included
API_VERSION = "2026-10-28.endive"
MAX_RETRIES = 2
PAGE_SIZE = 100
MAX_PAGES = 10
LOOKBACK = timedelta(hours=25)  # a session stays open for at most 24
INTENT_EXPANSIONS = ["latest_charge", "payment_method"]
SESSION_EXPANSIONS = [f"payment_intent.{name}" for name in INTENT_EXPANSIONS]


class _ListPage(msgspec.Struct, Generic[T]):
    data: list[T]


class StripeGateway:
    """One account's calls.

    They raise PaymentError, ProviderAccountError or StripeRequestError.
    """

    def __init__(self, settings: StripeSettings) -> None:
        self._deadline = DEADLINE_SECONDS
        # An attempt takes at most half of the time, which leaves room for another.
        self._http_client = StripeHttpClient(deadline=DEADLINE_SECONDS / 2)
        self._stripe = stripe.StripeClient(
            settings.secret_key,
            stripe_version=API_VERSION,
            base_addresses={"api": str(settings.url).rstrip("/")},
            max_network_retries=MAX_RETRIES,
            http_client=self._http_client,
        )

    async def create_session(
        self, params: SessionCreateParams, idempotency_key: str
    ) -> responses.CheckoutSession:
        """Create a session, once per idempotency key."""
        call = self._sessions.create_async(params, {"idempotency_key": idempotency_key})
        return await self._call(call, responses.CheckoutSession)

    async def get_session(self, session_id: str) -> responses.CheckoutSession | None:
        """Return a session with its payment; None if there is none of this id."""
        call = self._sessions.retrieve_async(session_id, {"expand": SESSION_EXPANSIONS})
        session = await self._get_or_none(call, responses.CheckoutSession)
        if session is not None and isinstance(session.payment_intent, str):
            session.payment_intent = await self.get_intent(session.payment_intent)
        return session

    async def find_session(self, reference: str) -> responses.CheckoutSession | None:
        """Return a session of the last day by our reference."""
        since = int((utc_now() - LOOKBACK).timestamp())
        return await self._find_session({"created": {"gte": since}}, reference)

    async def find_session_of_customer(
        self, customer_id: str, reference: str
    ) -> responses.CheckoutSession | None:
        """Return a customer's session by our reference."""
        return await self._find_session({"customer": customer_id}, reference)

    async def find_session_of_intent(
        self, intent_id: str, reference: str
    ) -> responses.CheckoutSession | None:
        """Return the session of a payment."""
        return await self._find_session({"payment_intent": intent_id}, reference)

    async def expire_session(self, session_id: str) -> None:
        """Expire a session if it is open."""
        await self._end_if_open(self._sessions.expire_async(session_id))

    async def create_charge(
        self, params: PaymentIntentCreateParams, idempotency_key: str
    ) -> responses.StripePaymentIntent:
        """Charge a saved card, once per idempotency key.

        Also raises AuthenticationRequiredError if its holder must consent.
        """
        call = self._intents.create_async(params, {"idempotency_key": idempotency_key})
        return await self._call(call, responses.StripePaymentIntent)

    async def get_intent(self, intent_id: str) -> responses.StripePaymentIntent | None:
        """Return a payment; None if there is none of this id."""
        call = self._intents.retrieve_async(intent_id, {"expand": INTENT_EXPANSIONS})
        return await self._get_or_none(call, responses.StripePaymentIntent)

    async def find_charge(
        self, customer_id: str, reference: str
    ) -> responses.StripePaymentIntent | None:
        """Return a customer's charge by our reference. Unlike a search, this is consistent."""
        expand = [f"data.{name}" for name in INTENT_EXPANSIONS]
        call = self._intents.list_async(
            {"customer": customer_id, "limit": PAGE_SIZE, "expand": expand}
        )
        for intent in await self._fetch_list(call, responses.StripePaymentIntent):
            if responses.our_reference(intent.metadata, CHARGE_METADATA) == reference:
                return intent
        return None

    async def search_intents(self, reference: str) -> list[responses.StripePaymentIntent]:
        """Return all payments with our reference; those of the last minute may be missing."""
        query = " OR ".join(
            f"metadata['{name}']:'{reference}'" for name in (ORDER_METADATA, CHARGE_METADATA)
        )
        expand = [f"data.{name}" for name in INTENT_EXPANSIONS]
        call = self._intents.search_async({"query": query, "limit": PAGE_SIZE, "expand": expand})
        return await self._fetch_list(call, responses.StripePaymentIntent)

    async def cancel_intent(self, intent_id: str) -> None:
        """Cancel a payment if it is open."""
        await self._end_if_open(self._intents.cancel_async(intent_id))

    async def list_refunds(self, intent_id: str) -> list[responses.StripeRefund]:
        """Return the refunds of a payment so far."""
        call = self._stripe.v1.refunds.list_async({"payment_intent": intent_id, "limit": PAGE_SIZE})
        return await self._fetch_list(call, responses.StripeRefund)

    async def create_refund(
        self, intent_id: str, reference: str, amount: Money, refund_reference: str
    ) -> responses.StripeRefund:
        """Refund a payment, once per refund reference."""
        call = self._stripe.v1.refunds.create_async(
            {
                "payment_intent": intent_id,
                "amount": amount.grosze,
                "metadata": {REFUND_METADATA: refund_reference, ORDER_METADATA: reference},
            },
            {"idempotency_key": f"refund-{refund_reference}"},
        )
        return await self._call(call, responses.StripeRefund)

    async def list_configurations(self) -> list[responses.PaymentMethodConfiguration]:
        """Return the configurations of the account's payment methods."""
        call = self._stripe.v1.payment_method_configurations.list_async({"limit": PAGE_SIZE})
        return await self._fetch_list(call, responses.PaymentMethodConfiguration)

    async def close(self) -> None:
        """Close the connections."""
        await self._http_client.close_async()

    @property
    def _sessions(self) -> stripe.checkout.SessionService:
        return self._stripe.v1.checkout.sessions

    @property
    def _intents(self) -> stripe.PaymentIntentService:
        return self._stripe.v1.payment_intents

    async def _find_session(
        self, filters: SessionListParams, reference: str
    ) -> responses.CheckoutSession | None:
        filters["limit"] = PAGE_SIZE
        for _ in range(MAX_PAGES):
            page = await self._fetch_list(self._sessions.list_async(filters), responses.ListItem)
            for item in page:
                if responses.our_reference(item.metadata, ORDER_METADATA) == reference:
                    return await self.get_session(item.id)
            if len(page) < PAGE_SIZE:
                break
            filters["starting_after"] = page[-1].id
        return None

    async def _get_or_none(self, call: Awaitable[stripe.StripeObject], kind: type[T]) -> T | None:
        try:
            return await self._call(call, kind)
        except StripeRequestError as error:
            if error.is_missing:
                return None
            raise

    async def _fetch_list(self, call: Awaitable[stripe.StripeObject], kind: type[T]) -> list[T]:
        return (await self._call(call, _ListPage[kind])).data  # type: ignore[valid-type]

    async def _end_if_open(self, call: Awaitable[stripe.StripeObject]) -> None:
        try:
            await self._call(call, responses.ListItem)
        except StripeRequestError:
            return  # it ended before; a query of its state will tell how

    async def _call(self, call: Awaitable[object], kind: type[T]) -> T:
        try:
            async with asyncio.timeout(self._deadline):
                result = await call
        except TimeoutError:
            raise PaymentError(f"no response within {self._deadline:g} s") from None
        except stripe.StripeError as error:
            raise translate_error(error) from None
        except (
            AttributeError,
            KeyError,
            TypeError,
        ):  # the SDK fails so on an error that is not an object
            raise PaymentError("Stripe's response cannot be parsed") from None
        try:
            # The SDK returns a response that is not an object unchanged.
            content = result.to_dict() if isinstance(result, stripe.StripeObject) else result
            return msgspec.convert(content, kind)
        except msgspec.ValidationError:
            # Not quoted: a payment contains personal data.
            raise PaymentError("Stripe's response cannot be parsed") from None
