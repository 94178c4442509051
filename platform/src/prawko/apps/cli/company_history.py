"""The history of one company: acts of its people and of operators, subscription, messages."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select

from prawko.accounts.acts.models import AdminAction
from prawko.accounts.models import UserAccount, UserActivity
from prawko.billing.models import SubscriptionHistory
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.outbox.models import Delivery
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession


class HistoryEntry(NamedTuple):
    """One event: when, who (a person, an operator, or the product), and what."""

    at: datetime
    who: str
    what: str


async def load_history(
    context: AppContext, tenant_id: TenantId, since: datetime
) -> list[HistoryEntry]:
    """Return the company's events since then, the oldest first; needs the owner's login."""
    async with context.database.tenant(tenant_id) as session:
        return sorted(
            [
                *await _load_activities(session, since),
                *await _load_actions(session, since),
                *await _load_subscription_changes(session, since),
                *await _load_messages(session, since),
                *await _load_checks(session, since),
            ]
        )


async def _load_activities(session: TenantSession, since: datetime) -> Iterator[HistoryEntry]:
    rows = await session.execute(
        select(UserActivity, UserAccount.email)
        .join(UserAccount, UserAccount.id == UserActivity.user_id)
        .where(UserActivity.tenant_id == session.tenant_id, UserActivity.created_at >= since)
    )
    return (
        HistoryEntry(row.created_at, email, f"{row.activity_type}{_format_details(row.details)}")
        for row, email in rows
    )


async def _load_actions(session: TenantSession, since: datetime) -> Iterator[HistoryEntry]:
    rows = await session.execute(
        select(AdminAction, UserAccount.email)
        .outerjoin(UserAccount, UserAccount.id == AdminAction.admin_id)
        .where(AdminAction.tenant_id == session.tenant_id, AdminAction.created_at >= since)
    )
    return (
        HistoryEntry(
            row.created_at,
            f"operator {email or '(erased)'}",
            f"{row.action_type}{_format_details(row.details)}, reason: {row.reason or '-'}",
        )
        for row, email in rows
    )


async def _load_subscription_changes(
    session: TenantSession, since: datetime
) -> Iterator[HistoryEntry]:
    rows = await session.scalars(
        select(SubscriptionHistory).where(SubscriptionHistory.changed_at >= since)
    )
    return (HistoryEntry(row.changed_at, "product", _describe_change(row)) for row in rows)


async def _load_messages(session: TenantSession, since: datetime) -> Iterator[HistoryEntry]:
    rows = await session.scalars(
        select(Delivery).where(
            Delivery.tenant_id == session.tenant_id, Delivery.created_at >= since
        )
    )
    return (HistoryEntry(row.created_at, "product", _describe_message(row)) for row in rows)


async def _load_checks(session: TenantSession, since: datetime) -> Iterator[HistoryEntry]:
    """Return an entry for each day, state and result of the checks."""
    rows = await session.execute(
        select(
            CheckItem.day, CheckItem.state, CheckItem.outcome, CheckItem.error_kind,
            func.count().label("number"), func.max(CheckItem.done_at).label("at"),
        )
        .where(CheckItem.tenant_id == session.tenant_id, CheckItem.day >= warsaw_date(since))
        .group_by(CheckItem.day, CheckItem.state, CheckItem.outcome, CheckItem.error_kind)
    )  # fmt: skip
    return (
        HistoryEntry(
            row.at or datetime.combine(row.day, since.time(), since.tzinfo),
            "product",
            f"check of {row.day}: {row.number} driver(s) {row.state},"
            f" {row.outcome or row.error_kind or 'not queried yet'}",
        )
        for row in rows
    )


def _describe_change(row: SubscriptionHistory) -> str:
    statuses = f"subscription {row.old_status or '(none)'} -> {row.new_status}"
    if row.new_end_date is None:
        return statuses
    return f"{statuses}, until {row.new_end_date:%Y-%m-%d %H:%M}Z {row.note or ''}".rstrip()


def _describe_message(row: Delivery) -> str:
    state = row.report or row.state
    reason = f" ({row.failure})" if row.failure else ""
    return f"{row.channel_medium} {row.kind} {state}{reason}"


def _format_details(details: Mapping[str, Any] | None) -> str:
    return f" {msgspec.json.encode(details).decode()}" if details else ""


def format_entries(entries: list[HistoryEntry]) -> Iterator[str]:
    """Yield a line for each event."""
    for one in entries:
        yield f"{one.at:%Y-%m-%d %H:%M:%S}Z  {one.who}  {one.what}"
