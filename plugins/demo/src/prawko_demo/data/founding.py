"""How the company came to its subscription and its drivers, by the product's own services."""

from datetime import datetime, time

from prawko.accounts import passwords
from prawko.accounts.repository import AccountRepository
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.billing.jobs import close_ended_subscriptions
from prawko.billing.models import Subscription, SubscriptionHistory
from prawko.billing.notes import Note, note_text
from prawko.billing.periods import paid_end, trial_end
from prawko.billing.price import period_price, zloty
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.service import SubscriptionService
from prawko.billing.status import Status
from prawko.drivers.service import DriverService
from prawko_demo.account import EMAIL, PASSWORD
from prawko_demo.data.company import DETAILS, DRIVER_LIMIT, everybody
from prawko_demo.data.past import PastClock
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, UserId, new_id

# Days ago. Who orders in the first days of a trial is not reminded of its end, nor told of it.
TRIAL, ORDER, TRIAL_OVER, DRIVERS = 47, 44, 40, 31


async def found_company(panel: Tools, worker: Tools, clock: PastClock) -> tuple[TenantId, UserId]:
    """Sign up, order the product while it is tried for a week, add the drivers."""
    tenant_id = TenantId(new_id())
    tried_until = trial_end(clock.go(TRIAL, time(9, 12)))
    user_id = await _sign_up(panel, tenant_id)
    clock.go(ORDER, time(10, 5))
    await _order(panel, tenant_id, tried_until)
    clock.go(TRIAL_OVER, time(9, 30))
    await close_ended_subscriptions(worker)
    for number, person in enumerate(everybody(clock.today)):
        clock.go(DRIVERS, time(13, 20 + 2 * number))
        async with panel.database.tenant(tenant_id) as session:
            given = {
                "first_name": person.first_name,
                "last_name": person.last_name,
                "license_number": person.serial,
            }
            await DriverService(session, clock).add(given, user_id)
    return tenant_id, user_id


async def _sign_up(panel: Tools, tenant_id: TenantId) -> UserId:
    hashed = await passwords.hash_password(PASSWORD)
    now = panel.clock.now()
    async with panel.database.tenant(tenant_id) as session:
        accounts = AccountRepository(session)
        user_id = await accounts.add_user(
            EMAIL, EMAIL, hashed, Language.PL, panel.settings.terms_version, "127.0.0.1", now
        )
        if user_id is None:
            raise RuntimeError(f"{EMAIL} has an account already")
        company = await lifecycle.found(session, at=now)
        for name, text in DETAILS.items():
            setattr(company, name, text)
        await accounts.add_membership(tenant_id, user_id, now)
        await accounts.mark_verified(user_id, now, machine_now())
        await session.flush()
        await SubscriptionService(session, panel).start_trial(DETAILS["tax_id"], user_id)
    return user_id


async def _order(panel: Tools, tenant_id: TenantId, tried_until: datetime) -> None:
    """What paying twice writes: a period after the trial, and the one after it."""
    now = panel.clock.now()
    renewed = paid_end(tried_until, now)
    end = paid_end(renewed, now)
    async with panel.database.tenant(tenant_id) as session:
        subscription = Subscription(
            status=Status.ACTIVE,
            driver_limit=DRIVER_LIMIT,
            price_net=zloty(period_price(DRIVER_LIMIT).net),
            start_date=now,
            end_date=renewed,
            checked_until=renewed,
            created_at=now,
            updated_at=renewed,
            **DETAILS,
        )
        await SubscriptionRepository(session).add(subscription, note_text(Note.PAID))
        await session.flush()
        subscription.end_date = subscription.checked_until = end
        session.add(
            SubscriptionHistory(
                subscription_id=subscription.id,
                changed_at=renewed,
                old_status=Status.ACTIVE,
                new_status=Status.ACTIVE,
                old_end_date=renewed,
                new_end_date=end,
                note=note_text(Note.PROLONGED),
            )
        )
