"""What billing asks of payments. Whoever calls a provider holds no transaction meanwhile."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.hooks.payments import Method, Money, Order, Payer, PaymentError, PaymentProvider
from prawko.payments.asking import NoAnswerError, answer
from prawko.payments.buyers import Buyers, till
from prawko.payments.charging import Charging, Told
from prawko.payments.errors import PaymentRefusedError, PaymentUnavailableError
from prawko.payments.keys import new_key
from prawko.payments.offers import availability, chosen, offered
from prawko.payments.pauses import paused
from prawko.payments.purchase import MandateView, OfferedMethod, PaymentView, Purchase, Started
from prawko.payments.recording import Recorder
from prawko.payments.repository import PaymentRepository, Stored
from prawko.payments.settling import ASK_EVERY, LONGEST_OPEN, UNFINISHED, State
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)


class Payments:
    """Payments of this process. `buyers` are those of the till unless others are handed in."""

    def __init__(self, tools: Tools, buyers: Buyers | None = None) -> None:
        self._tools = tools
        self._handed_in = buyers

    def methods(self) -> tuple[OfferedMethod, ...]:
        """The ways to pay, the page's default first; none when payments are off."""
        return offered(chosen(self._tools))

    async def available(self, money: Money) -> tuple[OfferedMethod, ...]:
        """Those that take this sum at present. Asks the providers: hold no transaction."""
        providers = chosen(self._tools)
        return offered(providers, await availability.of(self._tools, providers, money))

    async def prepare(self, session: TenantSession, purchase: Purchase) -> UUID:
        """Write a payment in the caller's transaction, before its provider hears of it.

        Raises PaymentUnavailableError when nobody takes this method, or all who do rest.
        """
        resting = await paused(session, machine_now())
        for provider in chosen(self._tools):
            able = provider.capabilities
            fits = purchase.method in able.methods and (
                purchase.blik_code is None or able.blik_codes
            )
            if fits and provider.name not in resting:
                return await self._add(
                    session,
                    provider.name,
                    purchase.order_id,
                    purchase.money,
                    purchase.method,
                    save=purchase.save and purchase.method in able.renews,
                )
        raise PaymentUnavailableError

    async def start(
        self, tenant_id: TenantId, payment_id: UUID, purchase: Purchase,
        *, on_transfer: Callable[[TenantSession], Awaitable[None]] | None = None,
    ) -> Started:  # fmt: skip
        """Ask the provider where the payer goes on. Whoever comes later is told the same.

        `on_transfer` writes in the transaction that writes where a transfer goes to: both, or
        neither. Raises PaymentRefusedError when this try is refused for good. Raises
        PaymentUnavailableError when nobody knows: the payment stays and is asked for.
        """
        payment = await self._get(tenant_id, payment_id)
        if payment.state is not State.STARTING:
            return Started(payment_id=payment.id, url=payment.url, transfer=payment.transfer)
        order = Order(
            key=payment.key,
            money=payment.money,
            method=payment.method,
            title=purchase.title,
            payer=purchase.payer,
            return_url=purchase.return_url,
            blik_code=purchase.blik_code,
            save=payment.save,
        )
        provider = self._provider(payment.provider)
        try:
            redirect = await answer(self._tools, provider, provider.start(order))
        except PaymentError as error:
            async with self._tools.database.tenant(tenant_id) as session:
                await self._recorder(session).refuse(payment, str(error))
            raise PaymentRefusedError from None
        except NoAnswerError:
            raise PaymentUnavailableError from None
        open_for = (
            LONGEST_OPEN
            if redirect.open_seconds is None
            else timedelta(seconds=redirect.open_seconds)
        )
        async with self._tools.database.tenant(tenant_id) as session:
            written = await self._recorder(session).open(
                payment,
                provider_ref=redirect.ref.provider_ref,
                url=redirect.url,
                transfer=redirect.transfer,
                open_until=self._tools.clock.now() + open_for,
            )
            if on_transfer is not None and written.transfer is not None:
                await on_transfer(session)
        return Started(payment_id=payment.id, url=redirect.url, transfer=redirect.transfer)

    async def prepare_charge(
        self,
        session: TenantSession,
        order_id: UUID,
        money: Money,
        mandate_id: UUID,
        title: str,
        payer: Payer,
    ) -> UUID:
        """Write a payment by a mandate in the caller's transaction; `charge` is the next step.

        Should that never come, the payment is charged when it is asked for. Raises
        PaymentUnavailableError when the mandate has ended.
        """
        mandate = await PaymentRepository(session).mandate(session.tenant_id, mandate_id)
        if mandate is None:
            raise PaymentUnavailableError
        return await self._add(
            session,
            mandate.provider,
            order_id,
            money,
            mandate.method,
            mandate_id=mandate.id,
            told=Told(title, payer),
        )

    async def charge(self, tenant_id: TenantId, payment_id: UUID) -> PaymentView:
        """Charge a mandate, however often it is called: once. Hold no transaction.

        The answer is PAID, FAILED, or OPEN with the `url` where the payer must consent. What
        is no longer wanted is not charged and has FAILED. Raises PaymentUnavailableError when
        nobody knows: the payment stays and is asked for.
        """
        payment = await self._get(tenant_id, payment_id)
        if payment.state not in UNFINISHED:
            return payment.view()
        self._provider(payment.provider)
        try:
            return (await Charging(self._tools, self._buyers).charge(payment)).view()
        except NoAnswerError:
            raise PaymentUnavailableError from None

    async def of_order(self, session: TenantSession, order_id: UUID) -> PaymentView | None:
        """The newest payment of an order."""
        found = await PaymentRepository(session).of_order(session.tenant_id, order_id)
        return None if found is None else found.view()

    async def give_up(self, tenant_id: TenantId, order_ids: Sequence[UUID]) -> None:
        """End what is open of these orders, where its provider can; elsewhere it expires."""
        async with self._tools.database.tenant(tenant_id) as session:
            open_ones = await PaymentRepository(session).unfinished(tenant_id, order_ids)
        for payment in open_ones:
            provider = self._tools.plugins.payments.get(payment.provider)
            if provider is None or not provider.capabilities.cancels:
                continue
            try:
                said = await answer(self._tools, provider, provider.cancel(payment.ref))
            except (NoAnswerError, PaymentError):
                continue  # asked for later, as any other
            async with self._tools.database.tenant(tenant_id) as session:
                await self._recorder(session).record(payment, said)

    async def mandate(self, session: TenantSession, mandate_id: UUID) -> MandateView | None:
        """A mandate as its company may see it; None when it has ended."""
        found = await PaymentRepository(session).mandate(session.tenant_id, mandate_id)
        return None if found is None else found.view()

    async def end_mandate(self, session: TenantSession, mandate_id: UUID) -> None:
        """Charge it no more."""
        now = self._tools.clock.now()
        await PaymentRepository(session).end_mandate(session.tenant_id, mandate_id, now)

    async def _add(
        self,
        session: TenantSession,
        provider: str,
        order_id: UUID,
        money: Money,
        method: Method,
        *,
        save: bool = False,
        mandate_id: UUID | None = None,
        told: Told | None = None,
    ) -> UUID:
        now, payment_id = self._tools.clock.now(), new_id()
        sealed = None
        if told is not None:
            sealed = self._tools.vault.payloads.close(
                msgspec.json.encode(told), about=payment_id.bytes
            )
        payment = Stored(
            id=payment_id,
            tenant_id=session.tenant_id,
            key=new_key(),
            order_id=order_id,
            provider=provider,
            method=method,
            grosze=money.grosze,
            currency=money.currency,
            save=save,
            state=State.STARTING,
            provider_ref=None,
            url=None,
            transfer=None,
            mandate_id=mandate_id,
            sealed=sealed,
            reason=None,
            open_until=None,
            attempts=0,
            created_at=now,
            settled_at=None,
        )
        await PaymentRepository(session).add(payment, next_ask_at=now + ASK_EVERY)
        return payment_id

    async def _get(self, tenant_id: TenantId, payment_id: UUID) -> Stored:
        async with self._tools.database.tenant(tenant_id) as session:
            payment = await PaymentRepository(session).get(tenant_id, payment_id)
        if payment is None:
            raise LookupError("there is no such payment")
        return payment

    def _provider(self, name: str) -> PaymentProvider:
        provider = self._tools.plugins.payments.get(name)
        if provider is None:
            log.error("provider_gone", provider=name)
            raise PaymentUnavailableError
        return provider

    @property
    def _buyers(self) -> Buyers:
        return self._handed_in or till.buyers

    def _recorder(self, session: TenantSession) -> Recorder:
        return Recorder(self._tools, session, self._buyers)
