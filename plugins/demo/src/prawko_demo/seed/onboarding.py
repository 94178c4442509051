"""Registers the company, its subscription and its drivers by the product's own services."""

from datetime import time

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity, authenticate_token
from prawko.accounts.legal_acceptances import LegalAcceptanceRepository
from prawko.accounts.legal_documents import current_documents
from prawko.accounts.login import create_session
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.passwords import hashing
from prawko.accounts.repository import AccountRepository, SignUp
from prawko.billing.billing_details import BillingDetails, save_details
from prawko.billing.jobs import expire_ended_subscriptions
from prawko.billing.state import require_subscription
from prawko.billing.trial import TrialService
from prawko.drivers.service import DriverService
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.text.i18n import Language
from prawko.notifications.fanout import ChannelPolicy
from prawko_demo.credentials import OWNER_EMAIL, OWNER_PASSWORD
from prawko_demo.seed.company import COMPANY_DETAILS, build_drivers
from prawko_demo.seed.history_clock import HistoryClock
from prawko_demo.seed.orders import buy_period
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id

CLIENT = ClientInfo("127.0.0.1", "demo")
# An order in the first days of a trial suppresses the reminder and the notice of its end.
(
    TRIAL_DAYS_AGO,
    FIRST_ORDER_DAYS_AGO,
    TRIAL_END_DAYS_AGO,
    DRIVERS_DAYS_AGO,
    SECOND_ORDER_DAYS_AGO,
) = 47, 44, 40, 31, 16


async def seed_company(panel: AppContext, worker: AppContext, clock: HistoryClock) -> Identity:
    """Register the owner, start a trial, order a period during it, add drivers, and order again."""
    clock.move_to(TRIAL_DAYS_AGO, time(9, 12))
    owner = await _register_owner(panel)
    await buy_period(panel, worker, clock, owner, CLIENT, FIRST_ORDER_DAYS_AGO)
    clock.move_to(TRIAL_END_DAYS_AGO, time(9, 30))
    await expire_ended_subscriptions(worker)
    for number, driver in enumerate(build_drivers(clock.today)):
        clock.move_to(DRIVERS_DAYS_AGO, time(13, 20 + 2 * number))
        limit = await require_subscription(panel.database, owner.tenant_id, clock.now())
        async with panel.database.tenant(owner.tenant_id) as session:
            fields = {
                "first_name": driver.first_name,
                "last_name": driver.last_name,
                "license_number": driver.serial,
            }
            policy = ChannelPolicy.from_settings(panel.settings)
            await DriverService(session, clock, policy).add(fields, owner.user_id, limit)
    await buy_period(panel, worker, clock, owner, CLIENT, SECOND_ORDER_DAYS_AGO)
    async with panel.database.system() as session:
        await LoginSessionRepository(session).revoke(owner.session_id, utc_now())
    return owner


async def _register_owner(panel: AppContext) -> Identity:
    """Create the account and the company, start the trial, and sign in."""
    tenant_id = TenantId(new_id())
    hashed = await hashing.hash_password(OWNER_PASSWORD)
    now = panel.clock.now()
    async with panel.database.tenant(tenant_id) as session:
        accounts = AccountRepository(session)
        user_id = await accounts.add_user(
            SignUp(
                email=OWNER_EMAIL,
                password_hash=hashed,
                language=Language.PL,
                now=now,
            )
        )
        if user_id is None:
            raise RuntimeError(f"{OWNER_EMAIL} has an account already")
        company = await lifecycle.create_tenant(session, at=now)
        save_details(company, BillingDetails(**COMPANY_DETAILS), now)
        await accounts.add_membership(tenant_id, user_id, now)
        await LegalAcceptanceRepository(session).add_all(
            user_id, current_documents(), CLIENT.ip, now
        )
        await accounts.mark_email_verified(user_id, now, utc_now())
        await session.flush()
        await TrialService(session, panel).start(COMPANY_DETAILS["tax_id"], user_id, CLIENT)
        login = await create_session(session, user_id, tenant_id, CLIENT, email_verified=True)
    owner = await authenticate_token(panel.database, login.token, utc_now())
    if owner is None:
        raise RuntimeError(f"{OWNER_EMAIL} cannot sign in")
    return owner
