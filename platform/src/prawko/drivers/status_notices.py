"""The notices that a driver's outcome and needed categories call for (docs/rules.md R9a, R12)."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

import msgspec

from prawko.drivers.models import MayDrive
from prawko.drivers.needed_categories import Category, CategoryProblem
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.expiry import EXPIRED
from prawko.notifications.payloads import CategoryPayload, Expiry
from prawko.notifications.publisher import NoticeDraft
from prawko_tenants.ids import DriverId

_PROBLEM_KINDS = {
    "invalid": NoticeKind.WITHHELD,
    "attention": NoticeKind.ATTENTION,
    "not_found": NoticeKind.NOT_FOUND,
}
# Of a licence that is valid now, by the outcome before.
_RECOVERY_KINDS = {
    None: None,
    "unknown": None,
    "valid": None,
    "invalid": NoticeKind.RESTORED,
    "attention": NoticeKind.CONFIRMED,
    "not_found": NoticeKind.CONFIRMED,
}


def notice_kind_for(previous: str | None, current: str) -> NoticeKind | None:
    """Return the kind of notice for a change from one outcome to another; None for no notice.

    `previous` is None, or the driver's status `unknown`, before the first outcome of the
    current document. Raises KeyError for an unknown outcome.
    """
    recovery = _RECOVERY_KINDS[previous]
    if current == "valid":
        return recovery
    problem = _PROBLEM_KINDS[current]
    return None if current == previous else problem


class CheckedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The document that a notice names, and when the register answered about it."""

    driver_id: DriverId
    first_name: str
    last_name: str
    license_number: str
    checked_at: datetime


def to_category_notice(
    document: CheckedDocument, problems: Iterable[CategoryProblem], day: date, dedup_key: str
) -> NoticeDraft:
    """The notice about needed categories that do not entitle on a Warsaw day."""
    problems = tuple(problems)
    return NoticeDraft(
        kind=NoticeKind.CATEGORY_INVALID,
        dedup_key=dedup_key,
        driver_id=document.driver_id,
        payload=CategoryPayload(
            first_name=document.first_name,
            last_name=document.last_name,
            license_number=document.license_number,
            checked_at=document.checked_at,
            may_drive=MayDrive.NO,
            day=day,
            expiries=tuple(
                Expiry(problem.expired_on, problem.category, EXPIRED)
                for problem in problems
                if problem.expired_on is not None
            ),
            missing=tuple(problem.category for problem in problems if problem.expired_on is None),
        ),
    )


def new_problems(
    current: Sequence[CategoryProblem], known: Sequence[CategoryProblem]
) -> tuple[CategoryProblem, ...]:
    """The problems that were not there before; a renewed and lost category is another problem."""
    return tuple(problem for problem in current if problem not in known)


def stored_categories(latest: dict[str, Any] | str | None) -> list[Category]:
    """The categories of a stored verification (`Driver.latest`), decoded or not."""
    if isinstance(latest, str):
        latest = msgspec.json.decode(latest, type=dict[str, Any])
    return [
        (entry["kategoria"], msgspec.convert(entry["dataWaznosci"], date | None))
        for entry in (latest or {}).get("categories") or ()
    ]
