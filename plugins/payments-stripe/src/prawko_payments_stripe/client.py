"""Stripe's API, as far as we use it: each call once, timed, in the SDK's hands."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Generic, TypeVar

import msgspec
import stripe
from stripe.params import PaymentIntentCreateParams
from stripe.params.checkout import SessionCreateParams, SessionListParams

from prawko.hooks.payments import Money, PaymentError
from prawko_payments_stripe import answers
from prawko_payments_stripe.answers import CHARGE, ORDER, REFUND
from prawko_payments_stripe.connection import Connection
from prawko_payments_stripe.failures import RejectedRequestError, failure
from prawko_payments_stripe.machine_clock import machine_now
from prawko_payments_stripe.settings import Settings

T = TypeVar("T")

VERSION = "2026-10-28.endive"
RETRIES = 2
PAGE = 100
PAGES = 10
LOOKED_BACK = timedelta(hours=25)  # no page stays open for longer than 24
WHOLE_INTENT = ["latest_charge", "payment_method"]
WHOLE_SESSION = [f"payment_intent.{name}" for name in WHOLE_INTENT]


class _Page(msgspec.Struct, Generic[T]):
    data: list[T]


class Client:
    """One account's calls. They raise PaymentError, AccountError or RejectedRequestError."""

    def __init__(self, settings: Settings) -> None:
        self._deadline = settings.deadline
        # A try takes half of the time at most, so that silence is met with a second one.
        self._connection = Connection(deadline=settings.deadline / 2)
        self._stripe = stripe.StripeClient(
            settings.secret_key,
            stripe_version=VERSION,
            base_addresses={"api": settings.url.rstrip("/")},
            max_network_retries=RETRIES,
            http_client=self._connection,
        )

    async def open(self, params: SessionCreateParams, key: str) -> answers.Session:
        """Open a page, once for each key."""
        call = self._sessions.create_async(params, {"idempotency_key": key})
        return await self._ask(call, answers.Session)

    async def session(self, name: str) -> answers.Session | None:
        """A page and all that became of it; None when there is none of this name."""
        call = self._sessions.retrieve_async(name, {"expand": WHOLE_SESSION})
        found = await self._find(call, answers.Session)
        if found is not None and isinstance(found.payment_intent, str):
            found.payment_intent = await self.intent(found.payment_intent)
        return found

    async def session_of_key(self, key: str) -> answers.Session | None:
        """The page of an order that was placed within a day, by our key."""
        since = int((machine_now() - LOOKED_BACK).timestamp())
        return await self._session_among({"created": {"gte": since}}, key)

    async def session_of_customer(self, customer: str, key: str) -> answers.Session | None:
        """The page of a customer's order, by our key."""
        return await self._session_among({"customer": customer}, key)

    async def session_of_intent(self, intent: str, key: str) -> answers.Session | None:
        """The page on which a payment was made."""
        return await self._session_among({"payment_intent": intent}, key)

    async def expire(self, name: str) -> None:
        """End a page, if it is open."""
        await self._end(self._sessions.expire_async(name))

    async def charge(self, params: PaymentIntentCreateParams, key: str) -> answers.Intent:
        """Charge a saved card, once for each key.

        Raises ConsentNeededError where its holder must be asked.
        """
        call = self._intents.create_async(params, {"idempotency_key": key})
        return await self._ask(call, answers.Intent)

    async def intent(self, name: str) -> answers.Intent | None:
        """A payment; None when there is none of this name."""
        call = self._intents.retrieve_async(name, {"expand": WHOLE_INTENT})
        return await self._find(call, answers.Intent)

    async def charge_of_customer(self, customer: str, key: str) -> answers.Intent | None:
        """What was charged to a customer under our key. Unlike a search, this is never late."""
        expand = [f"data.{name}" for name in WHOLE_INTENT]
        call = self._intents.list_async({"customer": customer, "limit": PAGE, "expand": expand})
        for found in await self._list(call, answers.Intent):
            if answers.ours(found.metadata, CHARGE) == key:
                return found
        return None

    async def intents_of_key(self, key: str) -> list[answers.Intent]:
        """All payments under our key, whenever they were; those of the last minute may lack."""
        query = f"metadata['{ORDER}']:'{key}' OR metadata['{CHARGE}']:'{key}'"
        expand = [f"data.{name}" for name in WHOLE_INTENT]
        call = self._intents.search_async({"query": query, "limit": PAGE, "expand": expand})
        return await self._list(call, answers.Intent)

    async def cancel(self, name: str) -> None:
        """End a payment, if it is open."""
        await self._end(self._intents.cancel_async(name))

    async def refunds(self, intent: str) -> list[answers.Given]:
        """What was given back of a payment so far."""
        call = self._stripe.v1.refunds.list_async({"payment_intent": intent, "limit": PAGE})
        return await self._list(call, answers.Given)

    async def refund(self, intent: str, order: str, amount: Money, key: str) -> answers.Given:
        """Give money back, once for each key."""
        call = self._stripe.v1.refunds.create_async(
            {
                "payment_intent": intent,
                "amount": amount.grosze,
                "metadata": {REFUND: key, ORDER: order},
            },
            {"idempotency_key": f"refund-{key}"},
        )
        return await self._ask(call, answers.Given)

    async def configurations(self) -> list[answers.Configuration]:
        """What the account can be paid by."""
        call = self._stripe.v1.payment_method_configurations.list_async({"limit": PAGE})
        return await self._list(call, answers.Configuration)

    async def close(self) -> None:
        """Give back the connections."""
        await self._connection.close_async()

    @property
    def _sessions(self) -> stripe.checkout.SessionService:
        return self._stripe.v1.checkout.sessions

    @property
    def _intents(self) -> stripe.PaymentIntentService:
        return self._stripe.v1.payment_intents

    async def _session_among(self, filters: SessionListParams, key: str) -> answers.Session | None:
        filters["limit"] = PAGE
        for _ in range(PAGES):
            found = await self._list(self._sessions.list_async(filters), answers.Listed)
            for one in found:
                if answers.ours(one.metadata, ORDER) == key:
                    return await self.session(one.id)
            if len(found) < PAGE:
                break
            filters["starting_after"] = found[-1].id
        return None

    async def _find(self, call: Awaitable[stripe.StripeObject], kind: type[T]) -> T | None:
        try:
            return await self._ask(call, kind)
        except RejectedRequestError as error:
            if error.is_missing:
                return None
            raise

    async def _list(self, call: Awaitable[stripe.StripeObject], kind: type[T]) -> list[T]:
        return (await self._ask(call, _Page[kind])).data  # type: ignore[valid-type]

    async def _end(self, call: Awaitable[stripe.StripeObject]) -> None:
        try:
            await self._ask(call, answers.Listed)
        except RejectedRequestError:
            return  # it has ended before, one way or another: its state says which

    async def _ask(self, call: Awaitable[object], kind: type[T]) -> T:
        try:
            async with asyncio.timeout(self._deadline):
                found = await call
        except TimeoutError:
            raise PaymentError(f"no answer within {self._deadline:g} s") from None
        except stripe.StripeError as error:
            raise failure(error) from None
        except (AttributeError, KeyError, TypeError):  # the SDK on an error that is no object
            raise PaymentError("Stripe's answer cannot be read") from None
        try:
            # What is no object comes out of the SDK as it is.
            whole = found.to_dict() if isinstance(found, stripe.StripeObject) else found
            return msgspec.convert(whole, kind)
        except msgspec.ValidationError:
            # Unquoted: a payment names its payer.
            raise PaymentError("Stripe's answer cannot be read") from None
