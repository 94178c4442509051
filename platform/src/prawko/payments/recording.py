"""Writes a provider's word: the payment, its mandate, its buyer and the findings at once.

One transaction, all of it or nothing: killed before the end, it is asked for and written again.
The payment's row is held from the first line, so two who heard the same word write it once.
"""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from prawko.base import logs
from prawko.base.jobs import Tools
from prawko.hooks.payments import Mandate, Money, PaymentRef
from prawko.hooks.payments import Payment as Said
from prawko.payments.buyers import Buyers, FailedPayment, PaidPayment, RefundedPayment, Verdict
from prawko.payments.findings import Kind, find
from prawko.payments.pauses import resume
from prawko.payments.repository import PaymentRepository, SealedMandate, Stored
from prawko.payments.settling import (
    LONGEST_OPEN,
    UNFINISHED,
    Act,
    Ruling,
    State,
    Word,
    next_ask,
    rule,
    rule_of_time,
    word_of,
)
from prawko.payments.words import kept_words
from prawko_tenants.ids import new_id
from prawko_tenants.sessions import BatchSession, TenantSession

log = logs.logger(__name__)

AnySession = TenantSession | BatchSession

HAS_PAID = frozenset({State.PAID, State.REFUNDED})
# How long a payer may take to consent to a charge, where the provider names no end.
CONSENT = timedelta(days=1)

EXPIRED = "nobody paid in time"
NEVER_STARTED = "it never reached the provider"
GIVEN_BACK = "the money was given back"
FLAGS = {
    Word.AGAIN: Kind.PAID_TWICE,
    Word.WRONG_AMOUNT: Kind.WRONG_AMOUNT,
    Word.WRONG_CURRENCY: Kind.WRONG_CURRENCY,
}
VERDICTS = {
    Verdict.PAID_TWICE: (Kind.PAID_TWICE, "what it was to buy was bought already"),
    Verdict.VOID: (Kind.VOID_ORDER, "what it was to buy is no longer to be had"),
    Verdict.SUSPENDED: (Kind.SUSPENDED, "an operator has closed the subscription"),
}


class Recorder:
    """Writes words in the caller's transaction, bound to the payment's company."""

    def __init__(self, tools: Tools, session: AnySession, buyers: Buyers) -> None:
        self._tools = tools
        self._session = session
        self._buyers = buyers
        self._payments = PaymentRepository(session)

    async def record(self, payment: Stored, said: Said | None, *, in_turn: bool = False) -> Stored:
        """Write what the provider says of a payment and return it as it is then.

        `in_turn`: it was asked because its time had come, so its time may be up as well.
        """
        now = self._tools.clock.now()
        held = await self._hold(payment)
        word = word_of(said, held.money, held.provider_ref if held.state in HAS_PAID else None)
        ruling = (
            rule_of_time(
                held.state, word, created_at=held.created_at, open_until=held.open_until, now=now
            )
            if in_turn
            else rule(held.state, word)
        )
        await resume(self._session, held.provider)
        written = self._after(held, said, word, ruling, now)
        await self._write(written, now)
        await self._follow(written, said, word, ruling, now)
        if written.state is not held.state:
            log.info(
                "payment_settled" if written.settled_at else "payment_opened",
                payment_id=str(held.id),
                provider=held.provider,
                state=written.state.value,
            )
        return written

    async def refuse(self, payment: Stored, reason: str) -> Stored:
        """Write that a try was refused for good, or never made."""
        now = self._tools.clock.now()
        held = await self._hold(payment)
        await resume(self._session, held.provider)
        if held.state not in UNFINISHED:
            return held  # its money was faster
        written = msgspec.structs.replace(
            held,
            state=State.FAILED,
            reason=kept_words(reason) or None,
            settled_at=now,
            sealed=None,
        )
        await self._write(written, now)
        await self._fail(written, expired=False)
        log.info("payment_refused", payment_id=str(held.id), provider=held.provider)
        return written

    async def open(self, payment: Stored, **known: object) -> Stored:
        """Write where the payer goes on. A word that came before this one stands."""
        now = self._tools.clock.now()
        held = await self._hold(payment)
        await resume(self._session, held.provider)
        if held.state in UNFINISHED:
            held = msgspec.structs.replace(held, state=State.OPEN, **known)
            await self._write(held, now)
        return held

    async def _hold(self, payment: Stored) -> Stored:
        held = await self._payments.hold(payment.tenant_id, payment.id)
        if held is None:
            raise LookupError("the payment is gone")
        return held

    async def _write(self, payment: Stored, now: datetime) -> None:
        provider = self._tools.plugins.payments.get(payment.provider)
        due = next_ask(
            payment.state,
            open_until=payment.open_until,
            settled_at=payment.settled_at,
            now=now,
            answers=provider is None or provider.capabilities.asks,
        )
        await self._payments.write(payment, next_ask_at=due)

    def _after(
        self, held: Stored, said: Said | None, word: Word, ruling: Ruling, now: datetime
    ) -> Stored:
        """The payment as it is after the ruling."""
        changed: dict[str, object] = {"state": ruling.state}
        if said is not None and held.state not in HAS_PAID:
            changed["provider_ref"] = said.ref.provider_ref or held.provider_ref
        if ruling.state is State.OPEN:
            changed["url"] = (said.url if said is not None else None) or held.url
            longest = LONGEST_OPEN if held.mandate_id is None else CONSENT
            changed["open_until"] = held.open_until or now + longest
        elif ruling.state is not held.state:
            changed |= {"settled_at": now, "sealed": None, "reason": _reason(said, word, ruling)}
        return msgspec.structs.replace(held, **changed)

    async def _follow(
        self, payment: Stored, said: Said | None, word: Word, ruling: Ruling, now: datetime
    ) -> None:
        match ruling.act:
            case Act.FULFIL if said is not None:
                await self._fulfil(payment, said.mandate, now)
            case Act.FAIL | Act.EXPIRE:
                await self._fail(payment, expired=ruling.act is Act.EXPIRE)
            case Act.TAKE_BACK:
                await self._take_back(payment, now)
            case Act.FLAG if said is not None:
                told = _difference(payment, said)
                await self._flag(payment, FLAGS[word], told, now, ref=said.ref, money=said.money)
            case _:
                pass

    async def _fulfil(self, payment: Stored, given: Mandate | None, now: datetime) -> None:
        if not await self._payments.company_is_there(payment.tenant_id):
            await self._flag(payment, Kind.VOID_ORDER, "its company was erased", now)
            return
        mandate_id = payment.mandate_id
        if given is not None and payment.save and mandate_id is None:
            mandate_id = await self._keep(payment, given, now)
        verdict = await self._buyers.paid(
            self._session,
            PaidPayment(
                tenant_id=payment.tenant_id,
                payment_id=payment.id,
                order_id=payment.order_id,
                money=payment.money,
                method=payment.method,
                provider=payment.provider,
                mandate_id=mandate_id,
                paid_at=now,
            ),
        )
        if verdict in VERDICTS:
            kind, detail = VERDICTS[verdict]
            await self._flag(payment, kind, detail, now)

    async def _keep(self, payment: Stored, given: Mandate, now: datetime) -> UUID:
        mandate_id = new_id()
        payloads = self._tools.vault.payloads
        await self._payments.add_mandate(
            payment.tenant_id,
            SealedMandate(
                id=mandate_id,
                provider=payment.provider,
                method=payment.method,
                token=payloads.close(given.token.encode(), about=mandate_id.bytes),
                key_id=payloads.current,
                label=kept_words(given.label),
                created_at=now,
            ),
        )
        return mandate_id

    async def _fail(self, payment: Stored, *, expired: bool) -> None:
        if not await self._payments.company_is_there(payment.tenant_id):
            return
        await self._buyers.failed(
            self._session,
            FailedPayment(
                tenant_id=payment.tenant_id,
                payment_id=payment.id,
                order_id=payment.order_id,
                reason=payment.reason or "",
                expired=expired,
            ),
        )

    async def _take_back(self, payment: Stored, now: datetime) -> None:
        if payment.given_back < payment.grosze:  # by nobody whom we know
            await self._flag(payment, Kind.REFUNDED_ELSEWHERE, GIVEN_BACK, now)
        if await self._payments.company_is_there(payment.tenant_id):
            await self._buyers.refunded(
                self._session,
                RefundedPayment(
                    tenant_id=payment.tenant_id,
                    payment_id=payment.id,
                    order_id=payment.order_id,
                    money=payment.money,
                ),
            )

    async def _flag(
        self,
        payment: Stored,
        kind: Kind,
        detail: str,
        now: datetime,
        *,
        ref: PaymentRef | None = None,
        money: Money | None = None,
    ) -> None:
        await find(
            self._session,
            kind,
            provider=payment.provider,
            key=payment.key,
            provider_ref=(ref or payment.ref).provider_ref,
            money=money or payment.money,
            tenant_id=payment.tenant_id,
            detail=detail,
            now=now,
        )


def _reason(said: Said | None, word: Word, ruling: Ruling) -> str | None:
    """Why it came to nothing; None where it did not."""
    if ruling.act is Act.EXPIRE:
        return EXPIRED
    if word is Word.REFUNDED:
        return GIVEN_BACK
    if ruling.act is Act.FAIL:
        return (kept_words(said.reason) or None) if said is not None else NEVER_STARTED
    return None


def _difference(payment: Stored, said: Said) -> str:
    if said.money == payment.money:
        return f"the payment {payment.provider_ref} was there before"
    asked = payment.money
    return f"{said.state.value}, where {asked.grosze / 100:.2f} {asked.currency} were asked for"
