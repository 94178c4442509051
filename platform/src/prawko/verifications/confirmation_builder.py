"""Composes confirmations from recorded checks."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum

import msgspec

from prawko.drivers.list_export import describe_status
from prawko.drivers.models import MayDrive, Outcome
from prawko.drivers.needed_categories import find_category_problems
from prawko.drivers.schemas import (
    AcknowledgementOut,
    CategoryOut,
    DriverSummaryOut,
    VerificationOut,
    VerificationSummaryOut,
)
from prawko.kit.clock import register_date, warsaw_date, warsaw_midnight
from prawko.kit.dates import format_date, format_instant, format_instant_without_zone
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.verifications.confirmation_document import Confirmation, ConfirmationTable
from prawko.verifications.outcome import is_expired, judge_check
from prawko.verifications.repository import RecordedCheck

Facts = list[tuple[str, str]]
# Of the columns of a day's tables: a line has room for the longest usual name.
_WIDTHS, _WIDTHS_OF_YES = [48, 18, 40, 32, 32], [76, 20, 18, 56]
_MOMENT = timedelta(microseconds=1)


class ConfirmationContext(msgspec.Struct, frozen=True, kw_only=True):
    """The company and the time of a confirmation; an empty tax id is left out."""

    brand: str
    company_name: str
    tax_id: str
    language: Language
    made_at: datetime


class CheckedPeriod(msgspec.Struct, frozen=True, kw_only=True):
    """The days of a confirmation, both included, and the driver's present name and number."""

    first: date
    last: date
    name: str
    license_number: str


class DriverChoice(StrEnum):
    """The drivers of a day's confirmation."""

    ALL = "all"
    CHOSEN = "chosen"


class ConfirmationBuilder:
    """Composes confirmations for one company in one language."""

    def __init__(self, made: ConfirmationContext) -> None:
        self._made = made
        self._language = made.language

    def build_check(
        self, check: RecordedCheck, driver: DriverSummaryOut | None = None
    ) -> Confirmation:
        """Return the confirmation of one check.

        Of the driver at present, the needed categories count if the check is the latest, and the
        acknowledgement if it is of the present episode.
        """
        verification = check.verification
        at, needed, acknowledgement = verification.verified_at, list[str](), None
        if driver and any(one.verified_at == at for one in driver.verifications[:1]):
            needed = driver.needed_categories
        if driver and driver.episode and at >= driver.episode.since:
            acknowledgement = driver.episode.acknowledgement
        categories = self._category_table(verification)
        state = self._describe_state(verification)
        outcome = self._describe_outcome(verification, needed)
        answer = judge_check(verification, needed=needed)
        is_lost = verification.status == Outcome.VALID and answer is MayDrive.NO
        instant = format_instant(at, self._language)
        return self._build(
            title=self._text("check.title"),
            lead=self._text("check.lead", instant=instant),
            verdict=f"{state}, {outcome}" if is_lost else state,
            facts=[
                *self._company_facts(),
                *self._facts(
                    driver=check.name,
                    license_number=verification.license_number,
                    checked_at=instant,
                    may_drive=self._text(f"may_drive.{answer}"),
                    outcome=outcome,
                    acknowledgement=self._describe_reaction(acknowledgement),
                    reasons="; ".join(reason.wartosc for reason in verification.reasons),
                    expiry_date=self._format_last_day(verification.expiry_date),
                    authority=verification.issuing_authority or "",
                    notes=verification.notes or "",
                    verification_id=str(verification.id),
                    hash=verification.last_verification_hash,
                ),
            ],
            tables=[categories] if categories.rows else [],
            notes=[
                *([] if categories.rows else [self._text("categories.none")]),
                self._text("hash"),
            ],
        )

    def build_period(self, period: CheckedPeriod, checks: Sequence[RecordedCheck]) -> Confirmation:
        """Return the confirmation of all checks of a driver in a period, oldest first."""
        days = {warsaw_date(check.verification.verified_at) for check in checks}
        total = self._text(
            "period.total",
            count=len(checks),
            days=len(days),
            period=(period.last - period.first).days + 1,
        )
        table = ConfirmationTable(
            heading=self._text("period.heading"),
            columns=[
                self._text(f"columns.{name}")
                for name in ("checked_at", "license_number", "state", "outcome", "verification_id")
            ],
            widths=[31, 20, 33, 24, 62],
            rows=[self._period_row(check.verification) for check in checks],
        )
        return self._build(
            title=self._text("period.title"),
            lead=self._text(
                "period.lead",
                first=format_date(period.first),
                last=format_date(period.last),
            ),
            verdict="",
            facts=[
                *self._company_facts(),
                *self._facts(driver=period.name, license_number=period.license_number, total=total),
            ],
            tables=[table] if checks else [],
            notes=[] if checks else [self._text("period.none")],
        )

    def build_day(
        self, day: date, drivers: Sequence[DriverSummaryOut], choice: DriverChoice
    ) -> Confirmation:
        """Return the confirmation of these drivers of the company, who may not drive first."""
        no, check, yes = (
            [one for one in drivers if one.may_drive == answer] for answer in MayDrive
        )
        totals = {"no": len(no), "check": len(check), "yes": len(yes)}
        tables = [
            self._day_table("day.heading", _WIDTHS, [*no, *check], day),
            self._day_table("day.heading_yes", _WIDTHS_OF_YES, yes, day),
        ]
        lead = self._text(f"day.{choice}.lead", day=format_date(day))
        return self._build(
            title=self._text("day.title"),
            lead=f"{lead} {self._describe_dates(day, drivers)}".strip(),
            verdict="",
            facts=[
                *self._company_facts(),
                *self._facts(drivers=self._text("day.total", count=len(drivers), **totals)),
            ],
            tables=[table for table in tables if table.rows],
            notes=[self._text("day.note" if drivers else f"day.{choice}.none")],
        )

    def _describe_dates(self, day: date, drivers: Sequence[DriverSummaryOut]) -> str:
        """When the newest check was, and which day's state the register shows (R8); or nothing."""
        checks = [one.verified_at for driver in drivers for one in driver.verifications[:1]]
        if not checks:
            return ""
        shown_at = min(self._made.made_at, warsaw_midnight(day + timedelta(days=1)) - _MOMENT)
        return self._text(
            "day.dates",
            checked=format_instant_without_zone(max(checks)),
            shown=format_date(register_date(shown_at)),
        )

    def _day_table(
        self, heading: str, widths: list[int], drivers: Sequence[DriverSummaryOut], day: date
    ) -> ConfirmationTable:
        """A row for each driver; who may drive has no reason and no act, and so one line."""
        names = ("driver", "license_number", "may_drive", "checked_state", "reaction")
        return ConfirmationTable(
            heading=self._text(heading),
            columns=[self._text(f"columns.{name}") for name in names[: len(widths)]],
            widths=widths,
            rows=[self._day_row(driver, day)[: len(widths)] for driver in drivers],
        )

    def _day_row(self, driver: DriverSummaryOut, day: date) -> list[str]:
        checked, answer = self._text("day.unchecked"), self._text(f"may_drive.{driver.may_drive}")
        for latest in driver.verifications[:1]:
            at = format_instant_without_zone(latest.verified_at)
            checked = f"{self._describe_state(latest)}, {at}"
            if driver.may_drive != MayDrive.YES:
                since = format_date(warsaw_date(driver.episode.since)) if driver.episode else ""
                reason = describe_status(driver, day, self._language)
                if driver.episode and driver.episode.reasons:
                    named = "; ".join(one.wartosc for one in driver.episode.reasons)
                    reason = f"{reason} ({to_single_line(named)})"
                key = "day.since" if since else "day.reason"
                answer = self._text(key, answer=answer, reason=reason, day=since)
        return [
            to_single_line(f"{driver.first_name} {driver.last_name}"),
            driver.license_number,
            answer,
            checked,
            self._describe_reaction(driver.episode.acknowledgement if driver.episode else None),
        ]

    def _describe_reaction(self, acknowledgement: AcknowledgementOut | None) -> str:
        """When the driver was taken off the road, by whom, with which note; empty without."""
        if acknowledgement is None:
            return ""
        at = format_instant_without_zone(acknowledgement.created_at)
        author = acknowledgement.created_by or self._text("former_member")
        return ", ".join(filter(None, (at, author, acknowledgement.note)))

    def _describe_outcome(self, verification: VerificationOut, needed: Sequence[str] = ()) -> str:
        if verification.status != Outcome.VALID:
            return self._text(f"outcome.{verification.status}")
        if judge_check(verification) is MayDrive.NO:
            return self._text("outcome.lapsed")
        listed = [(one.kategoria, one.data_waznosci) for one in verification.categories]
        problems = find_category_problems(needed, listed, warsaw_date(verification.verified_at))
        codes = ", ".join(problem.category for problem in problems)
        return self._text("outcome.lacks_category" if problems else "outcome.valid", codes=codes)

    def _build(
        self, *, title: str, lead: str, verdict: str, facts: Facts,
        tables: list[ConfirmationTable], notes: list[str],
    ) -> Confirmation:  # fmt: skip
        instant = format_instant(self._made.made_at, self._language)
        return Confirmation(
            language=self._language,
            title=title,
            lead=lead,
            verdict=verdict,
            facts=facts,
            tables=tables,
            notes=[*notes, self._text("generated", brand=self._made.brand, instant=instant)],
            page=f"{self._made.brand}   {self._text('page', page='{page}', pages='{pages}')}",
            created_at=self._made.made_at,
        )

    def _company_facts(self) -> Facts:
        return self._facts(company=self._made.company_name, tax_id=self._made.tax_id)

    def _facts(self, **values: str) -> Facts:
        """The label and value of each fact that is known."""
        return [
            (self._text(f"facts.{name}"), to_single_line(value))
            for name, value in values.items()
            if value.strip()
        ]

    def _category_table(self, verification: VerificationOut) -> ConfirmationTable:
        day = warsaw_date(verification.verified_at)

        def row(category: CategoryOut) -> list[str]:
            state = verification.status
            if state != Outcome.INVALID and is_expired(category.data_waznosci, day):
                state = "expired"
            elif verification.expired and state != Outcome.INVALID:
                state = "document_expired"
            return [
                to_single_line(category.kategoria),
                self._format_last_day(category.data_waznosci),
                self._text(f"category_state.{state}"),
            ]

        return ConfirmationTable(
            heading=self._text("categories.heading"),
            columns=[
                self._text(f"columns.{name}") for name in ("category", "valid_until", "on_day")
            ],
            widths=[40, 65, 65],
            rows=[row(category) for category in verification.categories],
        )

    def _period_row(self, verification: VerificationOut) -> list[str]:
        return [
            format_instant_without_zone(verification.verified_at),
            verification.license_number,
            self._describe_state(verification),
            self._describe_outcome(verification),
            str(verification.id),
        ]

    def _describe_state(self, verification: VerificationSummaryOut) -> str:
        """The register's own word, and that the document's last day was over."""
        state = to_single_line(verification.document_status or "")
        state = state or self._text(
            "outcome.not_found" if verification.status == "not_found" else "no_data"
        )
        return self._text("expired", state=state) if verification.expired else state

    def _format_last_day(self, day: date | None) -> str:
        if day is None:
            return self._text("no_expiry")
        return self._text("valid_until", date=format_date(day))

    def _text(self, key: str, **params: object) -> str:
        return translate(f"confirmations.{key}", self._language, **params)
