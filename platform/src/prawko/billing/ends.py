"""What is told of a subscription's end, before it comes and when it has come. Pure.

Days are calendar days in Warsaw. Told are the current subscription's ends alone: a trial that a
paid subscription has followed ends without a word.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.base.clock import warsaw_day
from prawko.billing.models import Subscription
from prawko.billing.notes import Note
from prawko.billing.renewals import grace_end
from prawko.notifications.announcing import Announcement
from prawko.notifications.expiry import lowest_reached
from prawko.notifications.kinds import NoticeKind, SubscriptionFacts

TRIAL_REMINDERS = (2, 1)
SUBSCRIPTION_REMINDERS = (7, 2)
LONGEST_BEFORE = max(*TRIAL_REMINDERS, *SUBSCRIPTION_REMINDERS)


def renews_itself(subscription: Subscription) -> bool:
    """Whether the next period is charged without anybody's doing: a mandate that stands."""
    return (
        not subscription.is_trial
        and subscription.cancelled_at is None
        and subscription.mandate_id is not None
    )


def checked_until(subscription: Subscription) -> datetime:
    """Until when the company's drivers are checked: with a mandate, to the end of the grace."""
    end = subscription.end_date
    return grace_end(end) if renews_itself(subscription) else end


def ending_notice(subscription: Subscription, company: str, now: datetime) -> Announcement | None:
    """The reminder that is due at `now` for an active subscription; None for no reminder.

    Each once: 2 days and 1 day before the end of a trial, 7 and 2 days before that of a
    subscription that will not renew. Of reminders whose days were missed, the last alone.
    """
    if now >= subscription.end_date or renews_itself(subscription):
        return None
    days = (warsaw_day(subscription.end_date) - warsaw_day(now)).days
    reminders = TRIAL_REMINDERS if subscription.is_trial else SUBSCRIPTION_REMINDERS
    reminder = lowest_reached(days, reminders)
    if reminder is None:
        return None
    kind = NoticeKind.TRIAL_ENDING if subscription.is_trial else NoticeKind.SUBSCRIPTION_ENDING
    return Announcement(
        kind=kind,
        dedup=f"{end_name(subscription.id, subscription.end_date)} {reminder}",
        facts=_facts(subscription, company, days),
    )


def ended_notice(subscription: Subscription, company: str, now: datetime) -> Announcement | None:
    """That the end has come; once for this end.

    Where a renewal has failed the grace begins; None when it is over as well, for that is told
    as a step of its own (`renewing`).
    """
    facts = _facts(subscription, company, 0)
    if renews_itself(subscription):
        if now >= subscription.checked_until:
            return None
        kind = NoticeKind.GRACE_STARTED
        facts = msgspec.structs.replace(facts, checked_until=subscription.checked_until)
    else:
        kind = NoticeKind.TRIAL_ENDED if subscription.is_trial else NoticeKind.SUBSCRIPTION_ENDED
    name = end_name(subscription.id, subscription.end_date)
    return Announcement(kind=kind, dedup=name, facts=facts)


def end_note(subscription: Subscription) -> Note:
    """What the history says of the end. One that should have renewed itself was not paid."""
    if subscription.is_trial:
        return Note.TRIAL_ENDED
    if subscription.cancelled_at is not None:
        return Note.ENDED_AFTER_CANCELLING
    return Note.RENEWAL_FAILED if renews_itself(subscription) else Note.ENDED


def end_name(subscription_id: UUID, end_date: datetime) -> str:
    """The name of one end: a subscription may be prolonged, and end again."""
    return f"{subscription_id} {end_date.isoformat()}"


def _facts(subscription: Subscription, company: str, days: int) -> SubscriptionFacts:
    return SubscriptionFacts(
        ends_at=subscription.end_date,
        driver_limit=subscription.driver_limit,
        days=days,
        company=company,
    )
