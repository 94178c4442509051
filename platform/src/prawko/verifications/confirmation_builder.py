"""Composes confirmations from recorded checks."""

from collections.abc import Sequence
from datetime import date, datetime

import msgspec

from prawko.drivers.models import MayDrive, Outcome
from prawko.drivers.schemas import CategoryOut, VerificationOut
from prawko.kit.clock import warsaw_date
from prawko.kit.dates import format_date, format_instant, format_instant_without_zone
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.verifications.confirmation_document import Confirmation, ConfirmationTable
from prawko.verifications.outcome import is_expired, judge_check
from prawko.verifications.repository import RecordedCheck

Facts = list[tuple[str, str]]


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


class ConfirmationBuilder:
    """Composes confirmations for one company in one language."""

    def __init__(self, made: ConfirmationContext) -> None:
        self._made = made
        self._language = made.language

    def build_check(self, check: RecordedCheck) -> Confirmation:
        """Return the confirmation of one check."""
        verification = check.verification
        categories = self._category_table(verification)
        return self._build(
            title=self._text("check.title"),
            lead=self._text(
                "check.lead", instant=format_instant(verification.verified_at, self._language)
            ),
            verdict=self._describe_state(verification),
            facts=[
                *self._company_facts(),
                *self._facts(
                    driver=check.name,
                    license_number=verification.license_number,
                    checked_at=format_instant(verification.verified_at, self._language),
                    may_drive=self._text(f"may_drive.{judge_check(verification)}"),
                    outcome=self._describe_outcome(verification),
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

    def _describe_outcome(self, verification: VerificationOut) -> str:
        is_lapsed = (
            verification.status == Outcome.VALID and judge_check(verification) is MayDrive.NO
        )
        return self._text(f"outcome.{'lapsed' if is_lapsed else verification.status}")

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

    def _describe_state(self, verification: VerificationOut) -> str:
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
