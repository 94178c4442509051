"""Adding, updating and removing drivers, and the first checks of their documents.

A first check is a query of the register that no other limit covers. A company that repeatedly added
and removed drivers, or changed their numbers, would otherwise use the whole rate, and could try
names. A job of `verifications`, the domain above, makes the check.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any

import msgspec

from prawko import limits
from prawko.drivers.errors import DriverLimitError, LicenceTakenError
from prawko.drivers.models import UNKNOWN, Driver, Outcome
from prawko.drivers.needed_categories import (
    CategoryProblem,
    Validity,
    continued_until,
    entitled_until,
    find_category_problems,
)
from prawko.drivers.repository import DriverRepository
from prawko.drivers.status_notices import (
    CheckedDocument,
    new_problems,
    stored_categories,
    to_category_notice,
)
from prawko.drivers.validation import join_hyphens, parse_details, sort_key
from prawko.kit.clock import Clock, warsaw_date
from prawko.kit.context import AppContext, QueuedJob
from prawko.kit.errors import NotFoundError
from prawko.kit.text.letters import normalise_typed
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import DriverId, TenantId, UserId
from prawko_tenants.sessions import TenantSession


class DriverService:
    """Drivers of one company, inside one transaction.

    After an update, `has_new_document` says that a first check is due.
    """

    def __init__(self, session: TenantSession, clock: Clock, policy: ChannelPolicy) -> None:
        self._session = session
        self._clock = clock
        self._channel_policy = policy
        self._drivers = DriverRepository(session)
        self.has_new_document = False

    async def add(
        self, values: Mapping[str, Any], created_by: UserId, driver_limit: int
    ) -> DriverId:
        """Add a driver and return its id; the register is queried later (docs/rules.md R12a).

        Raises InvalidDriverDataError, LicenceTakenError and DriverLimitError. A licence number may
        exist in several companies (R2).
        """
        details = parse_details(values)
        await self._drivers.lock_company()
        key = sort_key(details["first_name"], details["last_name"])
        driver_id = await self._drivers.insert(details, key, created_by, self._clock.now())
        if driver_id is None:
            raise LicenceTakenError
        if await self._drivers.count() > driver_limit:
            raise DriverLimitError
        return driver_id

    async def update(self, driver_id: DriverId, values: Mapping[str, Any]) -> bool:
        """Update the given fields; returns whether any value changed.

        A changed name or number is another document: the status becomes unknown and a check is
        due. Verifications of the old document stay in the history only (R12a). Other needed
        categories are judged at once, by the latest answer (R9a).

        Raises InvalidDriverDataError, NotFoundError and LicenceTakenError.
        """
        driver = await self._drivers.lock(driver_id)
        if driver is None:
            raise NotFoundError
        given = {key: new for key, new in values.items() if not _is_kept(driver, key, new)}
        details = parse_details(given).items()
        changed = {key: new for key, new in details if new != getattr(driver, key)}
        if not changed:
            return False
        if changed.keys() == {"needed_categories"}:
            await self._change_needed([driver], changed["needed_categories"])
        else:
            for name, value in changed.items():
                setattr(driver, name, value)
            _forget_results(driver)
            self.has_new_document = True
        if not await self._drivers.flush_changes():
            raise LicenceTakenError
        return True

    async def update_needed(
        self, driver_ids: Collection[DriverId], codes: list[str]
    ) -> list[DriverId]:
        """Replace the needed categories of drivers; returns those that had others.

        Raises InvalidDriverDataError.
        """
        needed = parse_details({"needed_categories": codes})["needed_categories"]
        found = await self._drivers.lock_rows(driver_ids)
        changed = [driver for driver in found if driver.needed_categories != needed]
        await self._change_needed(changed, needed)
        return [DriverId(driver.id) for driver in changed]

    async def _change_needed(self, drivers: Iterable[Driver], needed: list[str]) -> None:
        """Judge the latest answers by other needed categories (R9a); the rows are locked.

        The notices about several drivers share one message.
        """
        now = self._clock.now()
        day = warsaw_date(now)
        lost = [(driver, _judge_anew(driver, needed, now)) for driver in drivers]
        lost = [(driver, problems) for driver, problems in lost if problems]
        if not lost:
            return
        notified = await self._drivers.list_notified_problems({driver.id for driver, _ in lost})
        drafts = [
            draft
            for driver, found in lost
            if (draft := _to_lost_notice(driver, new_problems(found, notified[driver.id]), day))
        ]
        if len(drafts) > 1:
            drafts = [msgspec.structs.replace(draft, digest_at=now) for draft in drafts]
        await publish_notices(
            self._session, self._session.tenant_id, drafts, policy=self._channel_policy, now=now
        )

    async def remove(self, driver_id: DriverId) -> None:
        """Delete a driver with all its data; needs no subscription (R6). Raises NotFoundError."""
        if not await self._drivers.delete(driver_id):
            raise NotFoundError

    async def remove_many(self, driver_ids: Collection[DriverId]) -> list[DriverId]:
        """Delete drivers with all their data; returns those that were still there."""
        return await self._drivers.delete_drivers(driver_ids)


def _judge_anew(driver: Driver, needed: list[str], now: datetime) -> tuple[CategoryProblem, ...]:
    """Change the needed categories; returns what the latest answer newly lacks of them.

    Nothing for a document that is not valid: the notice about it has named the document.
    """
    needed_before, driver.needed_categories = driver.needed_categories, needed
    if driver.latest is None or driver.verified_at is None:
        return ()
    day, categories = warsaw_date(now), stored_categories(driver.latest)
    expires = msgspec.convert(driver.latest["expiryDate"], date | None)
    before = Validity(driver.status, driver.valid_until)
    after = Validity(driver.status, entitled_until(expires, needed, categories))
    driver.valid_until = continued_until(before, after, day)
    if before.is_over(day) != after.is_over(day):
        driver.status_since = now  # to attention or back, without an answer
    if driver.status != Outcome.VALID:
        return ()
    return new_problems(
        find_category_problems(needed, categories, day),
        find_category_problems(needed_before, categories, day),
    )


def _to_lost_notice(
    driver: Driver, lost: tuple[CategoryProblem, ...], day: date
) -> NoticeDraft | None:
    """Return the notice, once for one answer: unmarking and marking does not notify twice."""
    if not lost or driver.latest is None or driver.verified_at is None:
        return None
    document = CheckedDocument(
        driver_id=DriverId(driver.id),
        first_name=driver.first_name,
        last_name=driver.last_name,
        license_number=driver.license_number,
        checked_at=driver.verified_at,
    )
    codes = " ".join(problem.category for problem in lost)
    key = f"{driver.id} {driver.latest['lastVerificationHash']} {codes}"
    return to_category_notice(document, lost, day, key)


async def throttle_documents(
    context: AppContext, tenant_id: TenantId, driver_limit: int, number: int = 1
) -> None:
    """Count the drivers that a company adds, imports or edits, by what it may have.

    Called before the caller's session has taken a connection. More than the company may have
    count as that many: they are refused for another reason. Raises TooManyRequestsError.
    """
    limit = limits.new_documents(driver_limit)
    await context.throttle.hit(limit, str(tenant_id), number=min(number, driver_limit))


class FirstCheckJob(msgspec.Struct, frozen=True):
    """The job `check_new_documents` of `verifications`; its argument is `tenant_id`."""

    job: QueuedJob[Any]


def request_first_check(context: AppContext, session: TenantSession) -> None:
    """Have the company's new documents checked at once, after the session's commit."""
    job = context.components.get(FirstCheckJob).job
    context.enqueue_on_commit(session, job, tenant_id=session.tenant_id)


def _is_kept(driver: Driver, name: str, given: Any) -> bool:
    """Whether a form has sent back what is stored, in the spelling of the present rules or not.

    What was stored under earlier rules stays until it is changed: the register was asked for it. A
    hyphen at the edge of a name can only be a mistake: without it the name is changed.
    """
    stored = getattr(driver, name)
    if not isinstance(stored, str):
        return bool(given == stored)
    return given in {stored, normalise_typed(stored), join_hyphens(stored)}


def _forget_results(driver: Driver) -> None:
    """Reset the results of a driver with another document, about which nothing is known."""
    driver.sort_key = sort_key(driver.first_name, driver.last_name)
    driver.document_version += 1
    driver.status = UNKNOWN
    driver.latest = None
    driver.valid_until = None
    driver.verified_at = None
    driver.asked_at_system = None
