"""The notices about one driver, and whether their mails and SMS arrived."""

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import func, select

from prawko.drivers.models import Driver
from prawko.drivers.schemas import DriverNoticeOut, NoticeDeliveryOut, NoticeDeliveryState
from prawko.hooks.channels import DeliveryReportKind
from prawko.kit.database import Pagination
from prawko.kit.errors import NotFoundError
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.repository import FailureReason
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeKind, decode_payload
from prawko.notifications.models import Notice
from prawko.notifications.publisher import NOTICE_MAIL
from prawko.notifications.templates import render_entry
from prawko_tenants.ids import DriverId, NoticeId
from prawko_tenants.sessions import TenantSession

_ARRIVED = {DeliveryReportKind.DELIVERED, DeliveryReportKind.SPAM}


async def list_driver_notices(
    session: TenantSession, driver_id: DriverId, language: Language, pagination: Pagination
) -> tuple[list[DriverNoticeOut], int]:
    """A page of the notices, newest first, and their total. Raises NotFoundError."""
    if await session.scalar(select(Driver.id).where(Driver.id == driver_id)) is None:
        raise NotFoundError
    is_about = (Notice.driver_id == driver_id) & Notice.kind.in_(NoticeKind)
    total = (await session.scalars(select(func.count()).where(is_about))).one()
    notices = (
        await session.scalars(
            select(Notice)
            .where(is_about)
            .order_by(Notice.created_at.desc(), Notice.id.desc())
            .limit(pagination.size)
            .offset(pagination.offset)
        )
    ).all()
    deliveries = await _load_deliveries(session, notices)
    listed = [
        _to_notice_out(notice, language, deliveries[NoticeId(notice.id)]) for notice in notices
    ]
    return listed, total


async def _load_deliveries(
    session: TenantSession, notices: Sequence[Notice]
) -> dict[NoticeId, Counter[tuple[str, NoticeDeliveryState]]]:
    """The numbers of messages by medium and state. A bundled one belongs to each of its notices."""
    counts = {NoticeId(notice.id): Counter[tuple[str, NoticeDeliveryState]]() for notice in notices}
    bundles = {notice.bundle_id for notice in notices if notice.bundle_id is not None}
    rows = await session.scalars(
        select(Delivery).where(
            Delivery.tenant_id == session.tenant_id,
            Delivery.kind == NOTICE_MAIL,
            Delivery.notice_id.in_(counts) | Delivery.bundle_id.in_(bundles),
        )
    )
    for row in rows:
        for notice in notices:
            if notice.id == row.notice_id or (
                row.notice_id is None and notice.bundle_id == row.bundle_id
            ):
                counts[NoticeId(notice.id)][row.channel_medium, delivery_state(row)] += 1
    return counts


def delivery_state(row: Delivery) -> NoticeDeliveryState:
    """Return the state of a message as a company sees it: a report decides over acceptance."""
    if row.report is not None:
        arrived = DeliveryReportKind(row.report) in _ARRIVED
        return NoticeDeliveryState.DELIVERED if arrived else NoticeDeliveryState.REFUSED
    if row.state == "pending":
        return NoticeDeliveryState.WAITING
    if row.state == "sent":
        return NoticeDeliveryState.SENT
    is_refused = row.error_kind == FailureReason.ADDRESS_REJECTED.value
    return NoticeDeliveryState.REFUSED if is_refused else NoticeDeliveryState.NOT_SENT


def _to_notice_out(
    notice: Notice, language: Language, deliveries: Counter[tuple[str, NoticeDeliveryState]]
) -> DriverNoticeOut:
    kind = NoticeKind(notice.kind)
    entry = render_entry(kind, decode_payload(kind, notice.params), language)
    return DriverNoticeOut(
        id=NoticeId(notice.id),
        kind=kind,
        title=entry.title,
        content=entry.content,
        created_at=notice.created_at,
        deliveries=[
            NoticeDeliveryOut(medium=medium, state=state, count=count)
            for (medium, state), count in sorted(deliveries.items())
        ],
    )
