"""How a subscription begins and ends."""

from datetime import datetime
from decimal import Decimal

from prawko.accounts.addresses import email_key
from prawko.accounts.repository import AccountRepository
from prawko.base.jobs import Tools
from prawko.base.tax_id import TaxId, has_check_digit, has_tax_id_format
from prawko.billing.changes import By, check_change
from prawko.billing.ends import end_note, ended_notice, renews_itself
from prawko.billing.errors import (
    AlreadySubscribedError,
    InvalidTaxIdError,
    SubscriptionSuspendedError,
    TrialUsedError,
)
from prawko.billing.models import Subscription
from prawko.billing.notes import Note, note_text
from prawko.billing.overview import status_at
from prawko.billing.periods import trial_end
from prawko.billing.renewal_repository import RenewalRepository
from prawko.billing.renewals import Step
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.standing import Position, position_of
from prawko.billing.status import Status
from prawko.notifications.announcing import announce
from prawko.notifications.fanout import Rules
from prawko_tenants.company import Tenant
from prawko_tenants.ids import SubscriptionId, UserId
from prawko_tenants.sessions import TenantSession

TRIAL_DRIVERS = 5


class SubscriptionService:
    """One company's subscription, inside one transaction."""

    def __init__(self, session: TenantSession, tools: Tools) -> None:
        self._session = session
        self._tools = tools
        self._subscriptions = SubscriptionRepository(session)

    async def start_trial(self, typed_tax_id: str, user_id: UserId) -> None:
        """Start the one free trial of a business (reading R3).

        The business is known by this company, by its tax ids and by the caller's address, the
        last two as keyed digests that outlive the account. Raises InvalidTaxIdError,
        TrialUsedError, SubscriptionSuspendedError, AlreadySubscribedError.
        """
        tax_id = read_tax_id(typed_tax_id, strict=self._tools.settings.strict_tax_id)
        now = self._tools.clock.now()
        company = await self._subscriptions.lock_company()
        if company.trial_started_at is not None:
            raise TrialUsedError
        current = await self._subscriptions.current()
        if position_of(current, now) is Position.SUSPENDED:
            raise SubscriptionSuspendedError
        if current is not None and status_at(current, now) is Status.ACTIVE:
            raise AlreadySubscribedError
        claims = await self._claims(company, tax_id, user_id)
        if not await self._subscriptions.claim_trial(self._session.tenant_id, claims, now):
            raise TrialUsedError
        company.tax_id = company.tax_id or tax_id
        company.trial_started_at = now
        company.updated_at = now
        trial = Subscription(
            status=Status.ACTIVE,
            driver_limit=TRIAL_DRIVERS,
            price_net=Decimal(0),
            is_trial=True,
            start_date=now,
            end_date=trial_end(now),
            checked_until=trial_end(now),
            company_name=company.company_name,
            tax_id=company.tax_id,
            street=company.street,
            postal_code=company.postal_code,
            city=company.city,
            created_at=now,
            updated_at=now,
        )
        check_change(By.CUSTOMER, None, trial.status, Note.TRIAL_STARTED)
        await self._subscriptions.add(trial, note_text(Note.TRIAL_STARTED))

    async def close_ended(self, subscription_id: SubscriptionId) -> bool:
        """Write what every read already says of a subscription whose end has come.

        Once, however often it is called; says whether this call did. When it was the company's
        current one, its people are told.
        """
        now = self._tools.clock.now()
        company = await self._subscriptions.lock_company()
        subscription = await self._subscriptions.lock(subscription_id)
        if subscription is None:
            return False
        status = status_at(subscription, now)
        if status == subscription.status:
            return False
        if renews_itself(subscription):
            await RenewalRepository(self._session).take(subscription, Step.CLOSING, None, now)
        note = end_note(subscription)
        check_change(By.TIME, subscription.status, status, note)
        self._subscriptions.change_status(subscription, status, note_text(note), now)
        if subscription.is_trial:
            company.trial_ended = True
            company.updated_at = now
        await self._tell_of_end(subscription, now)
        return True

    async def _tell_of_end(self, subscription: Subscription, now: datetime) -> None:
        company, current = await self._subscriptions.company_and_current()
        if current is None or current.id != subscription.id:
            return
        told = ended_notice(subscription, company.company_name, now)
        if told is not None:
            rules = Rules.of(self._tools.settings)
            await announce(self._session, self._session.tenant_id, [told], rules=rules, now=now)

    async def _claims(
        self, company: Tenant, tax_id: TaxId, user_id: UserId
    ) -> list[tuple[str, bytes]]:
        profile = await AccountRepository(self._session).profile(user_id)
        known_by = [("email", email_key(profile.email)), ("tax_id", tax_id)]
        if company.tax_id:
            known_by.append(("tax_id", company.tax_id))
        digest = self._tools.vault.digest
        return [(kind, digest(f"trial_{kind}", value)) for kind, value in known_by]


def read_tax_id(typed: str, *, strict: bool) -> TaxId:
    """The tax id. `strict` also asks for the check digit (reading R17).

    Raises InvalidTaxIdError with the sentence of the field.
    """
    if not has_tax_id_format(typed):
        raise InvalidTaxIdError(fields={"taxId": "billing.tax_id.format"})
    if strict and not has_check_digit(typed):
        raise InvalidTaxIdError(fields={"taxId": "billing.tax_id.checksum"})
    return TaxId(typed)
