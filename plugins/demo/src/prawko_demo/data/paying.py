"""How the company ordered its periods and paid for them: through the sandbox, like anybody."""

from datetime import time
from urllib.parse import urlsplit

from prawko.accounts.activity import Origin
from prawko.accounts.identity import Identity
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.billing.desk import Desk
from prawko.billing.details import Details
from prawko.billing.orders import OrderKind
from prawko.billing.paying import send
from prawko.billing.placing import Buying, Placing
from prawko.billing.situation import situation
from prawko.drivers.head_count import DriversCounted
from prawko.hooks.payments import Method
from prawko.payments.jobs import ask_open_payments
from prawko.payments.service import Payments
from prawko_demo import payments as sandbox
from prawko_demo.data.company import DETAILS, DRIVER_LIMIT
from prawko_demo.data.past import PastClock
from prawko_demo.payments.provider import PAGE, Button
from prawko_tenants.ids import TenantId, UserId, new_id

ORDERED, ASKED = time(10, 5), time(10, 25)  # by then its payment is asked for


async def buy_period(
    panel: Tools, worker: Tools, clock: PastClock, who: tuple[TenantId, UserId], days_ago: int
) -> None:
    """Order a period, press the sandbox's button, and let the worker find it paid."""
    clock.go(days_ago, ORDERED)
    tenant_id, user_id = who
    payments = Payments(panel)
    (way,) = (way for way in payments.methods() if way.method is Method.PRZELEWY24)
    identity, origin = _identity(tenant_id, user_id), Origin("127.0.0.1", "demo")
    desk = Desk(panel, payments, DriversCounted(), identity, origin)
    async with panel.database.tenant(tenant_id) as session:
        found = await situation(session, desk.head_count, clock.now(), hold=True)
        quote = found.period(DRIVER_LIMIT)
        buying = Buying(
            kind=OrderKind.PERIOD,
            limit=quote.limit,
            lines=quote.lines,
            details=Details(**DETAILS),
            end=found.running.end if found.running is not None else None,
        )
        placed = await Placing(desk, session).on_a_page(buying, way, None)
    url = await send(desk, placed)
    await sandbox.of(panel).press(urlsplit(url).path.removeprefix(PAGE), Button.PAID)
    clock.go(days_ago, ASKED)
    await ask_open_payments(worker)


def _identity(tenant_id: TenantId, user_id: UserId) -> Identity:
    return Identity(
        session_id=new_id(),
        user_id=user_id,
        tenant_id=tenant_id,
        email_verified=True,
        is_admin=False,
        language=Language.PL,
        last_seen_at=machine_now(),
        impersonator_id=None,
    )
