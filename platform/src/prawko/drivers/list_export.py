"""The list of drivers as a table of texts, for CSV and XLSX: its groups, search and cells. Pure.

The browser applies the same rules to its lists (docs/rules.md R9; document-status.ts in
entities/driver).
"""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from enum import StrEnum

import msgspec

from prawko.drivers.models import MayDrive, Outcome
from prawko.drivers.needed_categories import (
    Category,
    CategoryProblem,
    category_key,
    find_category_problems,
)
from prawko.drivers.queries import EXPIRING_DAYS
from prawko.drivers.schemas import (
    DriverSummaryOut,
    EpisodeOut,
    TableFormat,
    VerificationSummaryOut,
)
from prawko.drivers.xlsx_writer import write_xlsx
from prawko.kit.dates import format_instant
from prawko.kit.text.csv_cells import BYTE_ORDER_MARK, escape_formula
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.letters import fold_letters, fold_words
from prawko_tenants.ids import DriverId

_SEPARATOR = ";"  # by which a Polish spreadsheet separates
_COLUMNS = (
    "first_name",
    "last_name",
    "license_number",
    "needed_categories",
    "may_drive",
    "status",
    "document_status",
    "expiry_date",
    "categories",
    "last_verification",
    "reasons",
    "acted_at",
    "acted_by",
    "note",
)


class DriverGroup(StrEnum):
    """A group of drivers that the list can be filtered by."""

    ALL = "all"
    MAY_DRIVE_NO = "no"
    UNHANDLED = "unhandled"
    MAY_DRIVE_CHECK = "check"
    MAY_DRIVE_YES = "yes"
    WITHHELD = "withheld"
    ATTENTION = "attention"
    EXPIRING_7 = "expiring7"
    EXPIRING = "expiring"
    EXPIRING_90 = "expiring90"
    WAITING = "waiting"
    VALID = "valid"


_EXPIRY_GROUPS = {
    DriverGroup.EXPIRING_7: timedelta(days=7),
    DriverGroup.EXPIRING: timedelta(days=30),
    DriverGroup.EXPIRING_90: timedelta(days=EXPIRING_DAYS),
}


class DriverFilter(msgspec.Struct, frozen=True):
    """The drivers that a list shows: of a group and a search, or chosen ones."""

    group: DriverGroup = DriverGroup.ALL
    query: str = ""
    chosen: frozenset[DriverId] | None = None

    def apply(self, drivers: Iterable[DriverSummaryOut], day: date) -> list[DriverSummaryOut]:
        """Return those that are shown on a Warsaw day, in the same order."""
        if self.chosen is not None:
            drivers = (one for one in drivers if one.id in self.chosen)
        return [
            one for one in search_drivers(drivers, self.query) if self.group in groups_of(one, day)
        ]


def export_list(
    drivers: bytes, format_: TableFormat, shown_by: DriverFilter, day: date, language: Language
) -> tuple[bytes, int]:
    """Return the file of the drivers that a list shows, from its JSON, and their number."""
    shown = shown_by.apply(msgspec.json.decode(drivers, type=list[DriverSummaryOut]), day)
    rows = [
        [translate(f"drivers.columns.{name}", language) for name in _COLUMNS],
        *(_to_cells(driver, day, language) for driver in shown),
    ]
    content = write_xlsx(rows) if format_ is TableFormat.XLSX else _write_csv(rows)
    return content, len(shown)


def groups_of(driver: DriverSummaryOut, day: date) -> set[DriverGroup]:
    """Return the groups that a driver belongs to on a Warsaw day; `all` is always one of them."""
    groups = {DriverGroup.ALL, DriverGroup(driver.may_drive)}
    if driver.may_drive == MayDrive.NO and not (driver.episode and driver.episode.acknowledgement):
        groups.add(DriverGroup.UNHANDLED)
    latest = driver.verifications[0] if driver.verifications else None
    if driver.stale_since or driver.over_limit:
        groups.add(DriverGroup.ATTENTION)
    elif latest is None:
        groups.add(DriverGroup.WAITING)
    if latest is None:
        return groups
    if latest.status == Outcome.INVALID:
        return groups | {DriverGroup.WITHHELD}
    problems = needed_problems(driver, day)
    is_valid = latest.status == Outcome.VALID and not _is_over(latest, day)
    if not is_valid or problems or _has_expired_category(latest, problems, day):
        groups.add(DriverGroup.ATTENTION)
    if latest.status == Outcome.VALID:
        groups.add(DriverGroup.VALID)
    to_come = [last_day for last_day in _last_days(latest) if last_day >= day] if is_valid else []
    groups.update(
        group
        for group, period in _EXPIRY_GROUPS.items()
        if to_come and min(to_come) <= day + period
    )
    return groups


def needed_problems(driver: DriverSummaryOut, day: date) -> tuple[CategoryProblem, ...]:
    """Return the needed categories that do not entitle; none if the document itself does not."""
    latest = driver.verifications[0] if driver.verifications else None
    if latest is None or latest.status != Outcome.VALID or _is_over(latest, day):
        return ()
    return find_category_problems(driver.needed_categories, _categories(latest), day)


def search_drivers(drivers: Iterable[DriverSummaryOut], query: str) -> list[DriverSummaryOut]:
    """Return the drivers whose names or number contain every word of the query.

    Hyphens separate words, as in 'AB-123456', and commas, as in 'Nowak, Jan'.
    """
    words = fold_words(query).split()
    return [
        driver
        for driver in drivers
        for text in [
            fold_letters(f"{driver.first_name} {driver.last_name} {driver.license_number}")
        ]
        if all(word in text for word in words)
    ]


def _is_over(latest: VerificationSummaryOut, day: date) -> bool:
    return latest.expired or (latest.expiry_date is not None and latest.expiry_date < day)


def _has_expired_category(
    latest: VerificationSummaryOut, problems: Iterable[CategoryProblem], day: date
) -> bool:
    named = {category_key(problem.category) for problem in problems}
    return any(
        last_day is not None and last_day < day and category_key(code) not in named
        for code, last_day in _categories(latest)
    )


def _last_days(latest: VerificationSummaryOut) -> list[date]:
    days = [latest.expiry_date, *(last_day for _, last_day in _categories(latest))]
    return [one for one in days if one is not None]


def _categories(latest: VerificationSummaryOut) -> list[Category]:
    return [(one.kategoria, one.data_waznosci) for one in latest.categories]


def _write_csv(rows: Iterable[Sequence[str]]) -> bytes:
    """Return the rows as CSV; no cell is a formula, for any separator of a spreadsheet."""
    text = io.StringIO(newline="")
    text.write(BYTE_ORDER_MARK)
    csv.writer(text, delimiter=_SEPARATOR).writerows(map(escape_formula, row) for row in rows)
    return text.getvalue().encode()


def describe_status(driver: DriverSummaryOut, day: date, language: Language) -> str:
    """Return the reason for the answer who may drive on a Warsaw day, in words.

    A valid document reads so only if its holder may drive.
    """
    key = f"valid_{driver.may_drive}" if driver.status == Outcome.VALID else driver.status
    may_not = driver.may_drive == MayDrive.NO and driver.status != Outcome.INVALID
    if driver.verifications and (may_not or key == "valid_check"):
        latest = driver.verifications[0]
        lacks = find_category_problems(driver.needed_categories, _categories(latest), day)
        if may_not and _is_over(latest, day):
            key = "document_over"
        elif lacks:
            key = "category_missing"
        elif may_not:
            key = "categories_over"
    return translate(f"drivers.status.{key}", language)


def _to_cells(driver: DriverSummaryOut, day: date, language: Language) -> list[str]:
    latest = driver.verifications[0] if driver.verifications else None
    identity = [
        driver.first_name,
        driver.last_name,
        driver.license_number,
        ", ".join(driver.needed_categories),
        translate(f"drivers.may_drive.{driver.may_drive}", language),
        describe_status(driver, day, language),
    ]
    acts = _to_act_cells(driver.episode, language)
    if latest is None:
        return [*identity, "", "", "", "", *acts]
    categories = (
        one.kategoria if one.data_waznosci is None else f"{one.kategoria} ({one.data_waznosci})"
        for one in latest.categories
    )
    return [
        *identity,
        latest.document_status or "",
        "" if latest.expiry_date is None else latest.expiry_date.isoformat(),
        ", ".join(categories),
        format_instant(latest.verified_at, language),
        *acts,
    ]


def _to_act_cells(episode: EpisodeOut | None, language: Language) -> list[str]:
    """The register's reasons, and when, by whom and with which note the company acted."""
    reasons = "; ".join(one.wartosc for one in episode.reasons) if episode else ""
    act = episode.acknowledgement if episode else None
    if act is None:
        return [reasons, "", "", ""]
    former = translate("drivers.acknowledged.former_member", language)
    return [reasons, format_instant(act.created_at, language), act.created_by or former, act.note]
