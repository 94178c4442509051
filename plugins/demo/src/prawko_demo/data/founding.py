"""How the company came to its subscription and its drivers, by the product's own services."""

from datetime import time

from prawko.accounts import passwords
from prawko.accounts.repository import AccountRepository
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.billing.jobs import close_ended_subscriptions
from prawko.billing.service import SubscriptionService
from prawko.drivers.service import DriverService
from prawko_demo.account import EMAIL, PASSWORD
from prawko_demo.data.company import DETAILS, everybody
from prawko_demo.data.past import PastClock
from prawko_demo.data.paying import buy_period
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, UserId, new_id

# Days ago. Who orders in the first days of a trial is not reminded of its end, nor told of it.
TRIAL, ORDER, TRIAL_OVER, DRIVERS, SECOND_ORDER = 47, 44, 40, 31, 16


async def found_company(panel: Tools, worker: Tools, clock: PastClock) -> tuple[TenantId, UserId]:
    """Sign up, order the product while it is tried for a week, add the drivers, order again."""
    tenant_id = TenantId(new_id())
    clock.go(TRIAL, time(9, 12))
    user_id = await _sign_up(panel, tenant_id)
    await buy_period(panel, worker, clock, (tenant_id, user_id), ORDER)
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
    await buy_period(panel, worker, clock, (tenant_id, user_id), SECOND_ORDER)
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
