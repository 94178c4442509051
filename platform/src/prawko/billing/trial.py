"""The free trial, once per business (docs/rules.md R3)."""

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.email_address import normalise_email
from prawko.accounts.repository import AccountRepository
from prawko.billing.billing_details import BillingDetails
from prawko.billing.errors import (
    AlreadySubscribedError,
    InvalidTaxIdError,
    SubscriptionSuspendedError,
    TrialUsedError,
)
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.periods import trial_end
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.state import Lifecycle, lifecycle_of
from prawko.billing.transitions import (
    HistoryEvent,
    TransitionTrigger,
    create_subscription,
)
from prawko.kit.context import AppContext
from prawko.kit.rate_limit import client_network
from prawko.kit.text.letters import normalise_typed
from prawko.kit.text.nip import TaxId, has_nip_format, has_valid_check_digit
from prawko_tenants.ids import UserId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

TRIAL_DRIVER_LIMIT = 5


class TrialService:
    """Starts a company's trial, in the session's transaction."""

    def __init__(self, session: TenantSession, context: AppContext) -> None:
        self._session = session
        self._context = context
        self._subscriptions = SubscriptionRepository(session)
        self._throttle = context.throttle

    async def start(self, raw_tax_id: str, user_id: UserId, client_info: ClientInfo) -> None:
        """Start the trial of the company.

        A business is identified by its company, its tax ids and the caller's e-mail address; the
        last two are stored as keyed digests that outlive the account. Raises InvalidTaxIdError,
        TooManyRequestsError, TrialUsedError, SubscriptionSuspendedError, AlreadySubscribedError.
        """
        tax_id = parse_tax_id(raw_tax_id, strict=self._context.settings.strict_tax_id)
        # Before this session has a connection: each count takes one of its own.
        await self._throttle.hit(limits.TRIALS_PER_PERSON, str(user_id))
        await self._throttle.hit(limits.TRIALS_PER_NETWORK, client_network(client_info.ip))
        now = self._context.clock.now()
        company = await self._subscriptions.lock_company()
        if company.trial_started_at is not None:
            raise TrialUsedError
        current = await self._subscriptions.get_current()
        if lifecycle_of(current, now) is Lifecycle.SUSPENDED:
            raise SubscriptionSuspendedError
        if current is not None and current.status_at(now) is SubscriptionStatus.ACTIVE:
            raise AlreadySubscribedError
        claims = await self._trial_claims(company, tax_id, user_id)
        if not await self._subscriptions.claim_trial(self._session.tenant_id, claims, now):
            raise TrialUsedError
        company.tax_id = company.tax_id or tax_id
        company.trial_started_at = now
        company.updated_at = now
        trial = Subscription(
            status=SubscriptionStatus.ACTIVE,
            driver_limit=TRIAL_DRIVER_LIMIT,
            is_trial=True,
            start_date=now,
            end_date=trial_end(now),
            monitored_until=trial_end(now),
            created_at=now,
            updated_at=now,
            **BillingDetails.of(company).to_dict(),
        )
        await create_subscription(
            self._session, trial, TransitionTrigger.CUSTOMER, HistoryEvent.TRIAL_STARTED
        )

    async def _trial_claims(
        self, company: Tenant, tax_id: TaxId, user_id: UserId
    ) -> list[tuple[str, bytes]]:
        """Return the kind and digest of each identifier of the business.

        A stored tax id may belong to another company, until this company has paid under it.
        """
        profile = await AccountRepository(self._session).get(user_id)
        identifiers = [("email", normalise_email(profile.email)), ("tax_id", tax_id)]
        if company.tax_id and await self._subscriptions.has_paid_as(company.tax_id):
            identifiers.append(("tax_id", company.tax_id))
        digest = self._context.key_ring.digest
        return [(kind, digest(f"trial_{kind}", value)) for kind, value in identifiers]


def parse_tax_id(raw: str, *, strict: bool) -> TaxId:
    """The tax id. `strict` also checks the check digit (R17).

    Raises InvalidTaxIdError with the message of the field.
    """
    tax_id = normalise_typed(raw)
    if not has_nip_format(tax_id):
        raise InvalidTaxIdError(fields={"taxId": "billing.tax_id.format"})
    if strict and not has_valid_check_digit(tax_id):
        raise InvalidTaxIdError(fields={"taxId": "billing.tax_id.checksum"})
    return TaxId(tax_id)
