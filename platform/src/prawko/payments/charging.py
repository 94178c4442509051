"""Charges mandates: once under its key, and only what is still wanted when it is charged.

A payment that is to be charged is written first, so whoever dies on the way leaves it to the
next. Each try asks the buyer, in a short transaction that holds the company, whether the order
is still wanted. Who cancelled or ordered something else before that is not charged. The provider
is asked after it, with no transaction open: who cancels in that moment, or while the charge is
on its way to the bank, is too late, and what comes through is flagged (`void_order`).
"""

import msgspec

from prawko.base import logs
from prawko.base.jobs import Tools
from prawko.base.secrets import LostKeyError
from prawko.hooks.payments import (
    Mandate,
    Order,
    Payer,
    PaymentError,
    PaymentProvider,
    RenewingProvider,
)
from prawko.payments.asking import answer, last_word
from prawko.payments.buyers import Buyers
from prawko.payments.recording import Recorder
from prawko.payments.repository import PaymentRepository, Stored
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)

AFTER_CONSENT = "/panel/subscription"
UNWANTED = "what it was to buy is no longer wanted"
MANDATE_ENDED = "the mandate has ended"


class Told(msgspec.Struct, frozen=True):
    """What a charge tells its provider; kept sealed until it has ended."""

    title: str
    payer: Payer


class Charging:
    """Charges one payment at a time, for whoever holds no transaction."""

    def __init__(self, tools: Tools, buyers: Buyers) -> None:
        self._tools = tools
        self._buyers = buyers

    async def charge(self, payment: Stored) -> Stored:
        """Charge it, if it may be, and write what came of it. Raises NoAnswerError."""
        provider = self._tools.plugins.payments[payment.provider]
        async with self._tools.database.tenant(payment.tenant_id) as session:
            ready = await self._ready(session, payment)
        if isinstance(ready, str):
            return await self._let_go(payment, provider, ready)
        if not isinstance(provider, RenewingProvider):
            return await self._let_go(payment, provider, MANDATE_ENDED)
        mandate, order = ready
        try:
            said = await answer(self._tools, provider, provider.charge(mandate, order))
        except PaymentError as error:
            return await self._refuse(payment, str(error))
        async with self._tools.database.tenant(payment.tenant_id) as session:
            return await Recorder(self._tools, session, self._buyers).record(payment, said)

    async def _ready(self, session: TenantSession, payment: Stored) -> tuple[Mandate, Order] | str:
        """What to tell the provider; or why it is told nothing."""
        payments = PaymentRepository(session)
        if not await payments.company_is_there(payment.tenant_id):
            return UNWANTED
        if not await self._buyers.still_wanted(session, payment.order_id):
            return UNWANTED
        mandate = (
            None
            if payment.mandate_id is None
            else await payments.mandate(payment.tenant_id, payment.mandate_id)
        )
        if mandate is None or payment.sealed is None:
            return MANDATE_ENDED
        payloads = self._tools.vault.payloads
        try:
            token = payloads.open(mandate.key_id, mandate.token, about=mandate.id.bytes)
            told = payloads.open(payloads.current, payment.sealed, about=payment.id.bytes)
        except LostKeyError:
            return MANDATE_ENDED
        charge = msgspec.json.decode(told, type=Told)
        order = Order(
            key=payment.key,
            money=payment.money,
            method=payment.method,
            title=charge.title,
            payer=charge.payer,
            return_url=f"{self._tools.settings.base_url}{AFTER_CONSENT}",
        )
        return Mandate(token.decode(), mandate.label), order

    async def _let_go(self, payment: Stored, provider: PaymentProvider, why: str) -> Stored:
        """End what is not to be charged, unless it was charged before.

        Whoever was here first may have died behind the bank, so its provider is asked by the
        key. What it knows counts, as ever; only what it does not know ends here.
        """
        said = await last_word(self._tools, provider, payment)
        if said is None:
            log.info("charge_let_go", payment_id=str(payment.id), reason=why)
            return await self._refuse(payment, why)
        async with self._tools.database.tenant(payment.tenant_id) as session:
            return await Recorder(self._tools, session, self._buyers).record(payment, said)

    async def _refuse(self, payment: Stored, reason: str) -> Stored:
        async with self._tools.database.tenant(payment.tenant_id) as session:
            return await Recorder(self._tools, session, self._buyers).refuse(payment, reason)
