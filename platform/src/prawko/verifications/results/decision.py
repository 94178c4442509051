"""Decides whether a register answer takes effect on its driver (docs/rules.md R10, R11)."""

from datetime import datetime
from enum import StrEnum

from prawko.drivers.models import UNKNOWN, Outcome
from prawko.verifications.mass_change.rules import is_suspicious
from prawko.verifications.register.client import SentQuery
from prawko.verifications.register.retry import RECHECK_MISSING_AFTER


class Decision(StrEnum):
    """Effect of an answer."""

    EFFECTIVE = "effective"  # it becomes the driver's status
    OVERTAKEN = "overtaken"  # a newer query was answered: history only
    RECHECK = "recheck"  # the document is missing for the first time: query it again
    QUARANTINE = "quarantine"  # effective if the run turns out to be no mass change


def decide_effect(
    query: SentQuery,
    outcome: Outcome,
    *,
    previous_status: str,
    newest_asked_at: datetime | None,
    missing_since: datetime | None,
    quarantines: bool,
) -> Decision:
    """Decide about an answer that concerns the driver's current document.

    `newest_asked_at` is the system time of the driver's latest effective query, `missing_since`
    the time of the first query since which the document has been missing, None for this one.
    A manual check quarantines nothing: a person sees its answer.
    """
    if is_overtaken(query, newest_asked_at):
        return Decision.OVERTAKEN
    if went_missing(previous_status, outcome) and (
        missing_since is None or query.asked_at - missing_since < RECHECK_MISSING_AFTER
    ):
        return Decision.RECHECK
    if quarantines and is_suspicious(previous_status, outcome):
        return Decision.QUARANTINE
    return Decision.EFFECTIVE


def is_overtaken(query: SentQuery, newest_asked_at: datetime | None) -> bool:
    """Whether a query sent later has taken effect already."""
    return newest_asked_at is not None and newest_asked_at > query.asked_at_system


def went_missing(previous_status: str, outcome: Outcome) -> bool:
    """Whether the register does not have a document any more that it had before."""
    return outcome is Outcome.NOT_FOUND and previous_status not in {UNKNOWN, Outcome.NOT_FOUND}


def still_missing_since(
    not_found_since: datetime | None, verified_at: datetime | None
) -> datetime | None:
    """`not_found_since`, unless the document was found in between (`verified_at` is later)."""
    if not_found_since is None or (verified_at is not None and verified_at > not_found_since):
        return None
    return not_found_since
