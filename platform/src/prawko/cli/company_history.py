"""The history of one company: acts of its people and of operators, subscription, messages."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from prawko.accounts.models import UserAccount, UserActivity
from prawko.base.clock import warsaw_date
from prawko.base.context import AppContext
from prawko.billing.models import SubscriptionHistory
from prawko.console.models import AdminAction
from prawko.outbox.models import Delivery
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import TenantId


class HistoryEntry(NamedTuple):
    """One event: when, who (a person, an operator, or the product), and what."""

    at: datetime
    who: str
    what: str


async def load_history(
    context: AppContext, tenant_id: TenantId, since: datetime
) -> list[HistoryEntry]:
    """Return the company's events since then, the oldest first; needs the owner's login."""
    admin = aliased(UserAccount)
    async with context.database.tenant(tenant_id) as session:
        activities = await session.execute(
            select(UserActivity, UserAccount.email)
            .join(UserAccount, UserAccount.id == UserActivity.user_id)
            .where(UserActivity.tenant_id == tenant_id, UserActivity.created_at >= since)
        )
        entries = [
            HistoryEntry(row.created_at, email, f"{row.activity_type}{_format(row.details)}")
            for row, email in activities
        ]
        actions = await session.execute(
            select(AdminAction, admin.email)
            .outerjoin(admin, admin.id == AdminAction.admin_id)
            .where(AdminAction.tenant_id == tenant_id, AdminAction.created_at >= since)
        )
        entries += (
            HistoryEntry(
                row.created_at,
                f"operator {email or '(erased)'}",
                f"{row.action_type}{_format(row.details)}, reason: {row.reason or '-'}",
            )
            for row, email in actions
        )
        changes = await session.scalars(
            select(SubscriptionHistory).where(SubscriptionHistory.changed_at >= since)
        )
        entries += (
            HistoryEntry(
                row.changed_at,
                "product",
                f"subscription {row.old_status or '(none)'} -> {row.new_status}, until"
                f" {row.new_end_date:%Y-%m-%d %H:%M}Z {row.note or ''}".rstrip()
                if row.new_end_date
                else f"subscription {row.old_status or '(none)'} -> {row.new_status}",
            )
            for row in changes
        )
        messages = await session.scalars(
            select(Delivery).where(Delivery.tenant_id == tenant_id, Delivery.created_at >= since)
        )
        entries += (HistoryEntry(row.created_at, "product", _describe(row)) for row in messages)
        checks = await session.execute(
            select(
                CheckItem.day, CheckItem.state, CheckItem.outcome, CheckItem.error_kind,
                func.count().label("number"), func.max(CheckItem.done_at).label("at"),
            )
            .where(CheckItem.tenant_id == tenant_id, CheckItem.day >= warsaw_date(since))
            .group_by(CheckItem.day, CheckItem.state, CheckItem.outcome, CheckItem.error_kind)
        )  # fmt: skip
        for row in checks:
            at = row.at or datetime.combine(row.day, since.time(), since.tzinfo)
            result = row.outcome or row.error_kind or "not queried yet"
            text = f"check of {row.day}: {row.number} driver(s) {row.state}, {result}"
            entries.append(HistoryEntry(at, "product", text))
    return sorted(entries)


def _describe(row: Delivery) -> str:
    reason = ": ".join(filter(None, (row.error_kind, row.error)))
    state = row.report or row.state
    return f"{row.channel_medium} {row.kind} {state}" + (f" ({reason})" if reason else "")


def _format(details: Mapping[str, Any] | None) -> str:
    return f" {msgspec.json.encode(details).decode()}" if details else ""


def format_entries(entries: list[HistoryEntry]) -> Iterator[str]:
    """Yield a line for each event."""
    for one in entries:
        yield f"{one.at:%Y-%m-%d %H:%M:%S}Z  {one.who}  {one.what}"
