"""The notices about one driver, and whether their mails and SMS arrived."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from sqlalchemy import text

from prawko.drivers.notice_history import delivery_state
from prawko.drivers.schemas import NoticeDeliveryState
from prawko.hooks.channels import Medium
from prawko.kit.outbox.models import Delivery
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import DriverPayload, Expiry, ExpiryPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import DriverId, TenantId
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
POLICY = ChannelPolicy(media=frozenset(Medium), sms_from_hour=0)
PERSON = {
    "first_name": "Jan", "last_name": "Kowalski", "license_number": "AA123456", "checked_at": AT,
}  # fmt: skip
WITHHELD = DriverPayload(**PERSON, state="Zatrzymany", reasons=("24 punkty",))
EXPIRING = ExpiryPayload(
    **PERSON, day=date(2026, 11, 21), expiries=(Expiry(date(2026, 12, 1), "C", 14),)
)


async def publish(person, worker, driver_ids, kind=NoticeKind.WITHHELD, payload=WITHHELD) -> None:
    tenant_id = TenantId(await person.tenant_id(worker))
    async with worker.database.batch() as session:
        await session.switch_tenant(tenant_id)
        await publish_notices(
            session,
            tenant_id,
            [
                NoticeDraft(
                    kind=kind, dedup_key=f"{driver_id} {number}", payload=payload,
                    driver_id=DriverId(UUID(driver_id)),
                )
                for number, driver_id in enumerate(driver_ids)
            ],
            policy=POLICY,
            now=worker.clock.now(),
        )  # fmt: skip


async def list_notices(person, driver_id: str, **params):
    answer = await person.get(f"/api/drivers/{driver_id}/notices", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_notice_says_how_many_of_its_mails_arrived(anna, bartek, worker) -> None:
    driver_id = await anna.add_driver("AA123456")
    other = await anna.add_driver("AA123457")
    await publish(anna, worker, [driver_id])

    [notice] = await list_notices(anna, driver_id)
    assert notice["kind"] == "withheld"
    assert "Jan Kowalski" in notice["title"]
    assert notice["deliveries"] == [{"medium": "email", "state": "waiting", "count": 2}]
    assert await list_notices(anna, other) == []

    await deliver_outbox(worker)
    [notice] = await list_notices(bartek, driver_id)
    assert notice["deliveries"] == [{"medium": "email", "state": "sent", "count": 2}]
    assert "@" not in str(notice), "nobody's address is shown"

    async with worker.database.system() as session:
        await session.execute(
            text(
                "UPDATE delivery SET report = CASE key WHEN (SELECT max(key) FROM delivery"
                " WHERE kind = 'notice') THEN 'bounced' ELSE 'delivered' END"
            )
        )
    [notice] = await list_notices(anna, driver_id)
    assert notice["deliveries"] == [
        {"medium": "email", "state": "delivered", "count": 1},
        {"medium": "email", "state": "refused", "count": 1},
    ]


async def test_a_message_about_several_notices_counts_for_each(anna, worker) -> None:
    first, second = await anna.add_driver("AA123456"), await anna.add_driver("AA123457")
    await publish(anna, worker, [first, second, second], NoticeKind.EXPIRING, EXPIRING)

    for driver_id, count in ((first, 1), (second, 2)):
        notices = await list_notices(anna, driver_id)
        assert [notice["deliveries"] for notice in notices] == [
            [{"medium": "email", "state": "waiting", "count": 1}]
        ] * count


async def test_notices_are_paged_newest_first(anna, worker, clock) -> None:
    driver_id = await anna.add_driver("AA123456")
    for kind in (NoticeKind.WITHHELD, NoticeKind.RESTORED, NoticeKind.NOT_FOUND):
        await publish(anna, worker, [driver_id], kind)
        clock.forward(seconds=60)

    kinds = [notice["kind"] for notice in await list_notices(anna, driver_id, pageSize=2)]
    assert kinds == ["not_found", "restored"]
    [last] = await list_notices(anna, driver_id, pageSize=2, page=2)
    assert last["kind"] == "withheld"


async def test_a_notification_names_its_driver(anna, worker) -> None:
    driver_id = await anna.add_driver("AA123456")
    await publish(anna, worker, [driver_id])

    [notification] = (await anna.get("/api/notifications")).json()
    assert (notification["driverId"], notification["kind"]) == (driver_id, "withheld")
    read = (await anna.post(f"/api/notifications/{notification['id']}/read")).json()
    assert (read["driverId"], read["kind"]) == (driver_id, "withheld")


@pytest.mark.parametrize(
    ("state", "report", "error_kind", "shown"),
    [
        ("pending", None, None, NoticeDeliveryState.WAITING),
        ("pending", None, "transient", NoticeDeliveryState.WAITING),
        ("sent", None, None, NoticeDeliveryState.SENT),
        ("sent", "delivered", None, NoticeDeliveryState.DELIVERED),
        ("sent", "spam", None, NoticeDeliveryState.DELIVERED),
        ("sent", "bounced", None, NoticeDeliveryState.REFUSED),
        ("sent", "dropped", None, NoticeDeliveryState.REFUSED),
        ("sent", "failed", None, NoticeDeliveryState.REFUSED),
        ("failed", None, "address_rejected", NoticeDeliveryState.REFUSED),
        ("failed", None, "obsolete", NoticeDeliveryState.NOT_SENT),
        ("failed", None, "internal_error", NoticeDeliveryState.NOT_SENT),
    ],
)
def test_what_a_company_sees_of_a_message(state, report, error_kind, shown) -> None:
    assert delivery_state(Delivery(state=state, report=report, error_kind=error_kind)) is shown
