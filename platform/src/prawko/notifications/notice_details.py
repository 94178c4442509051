"""The details of notices as texts: the parameters of their templates, and facts as rows."""

from collections.abc import Callable
from datetime import date, datetime
from itertools import groupby

import msgspec

from prawko.kit.dates import (
    format_date,
    format_instant,
    format_month,
    format_short_instant,
)
from prawko.kit.money import format_amount
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.notifications.expiry import WHOLE_DOCUMENT
from prawko.notifications.payloads import (
    CategoryPayload,
    CompanyPayload,
    DocumentPayload,
    DriverPayload,
    Expiry,
    ExpiryPayload,
    MonthPayload,
    NoticePayload,
    PaymentPayload,
    RecipientPayload,
    SubscriptionPayload,
)

FactRow = tuple[str, str]
NO_DATA = "notices.facts.no_data"


def template_params(  # noqa: PLR0911 (one for each payload)
    payload: NoticePayload,
    language: Language,
    format_time: Callable[[datetime, Language], str] = format_instant,
) -> dict[str, object]:
    """Return the parameters of a notice's texts."""

    def moment(time: datetime | None) -> str:
        return format_time(time, language) if time else translate(NO_DATA, language)

    match payload:
        case DriverPayload():
            no_data = translate(NO_DATA, language)
            return {
                **_driver_params(payload, moment(payload.checked_at)),
                "state": to_single_line(payload.state or no_data),
                "reasons": ": " * bool(payload.reasons) + _join_reasons(payload),
                "expires": format_date(payload.expires) if payload.expires else no_data,
            }
        case ExpiryPayload():
            return {
                **_driver_params(payload, moment(payload.checked_at)),
                "dates": _format_expiries(payload, language),
            }
        case CategoryPayload():
            return {
                **_driver_params(payload, moment(payload.checked_at)),
                "problems": _format_category_problems(payload, language),
            }
        case CompanyPayload():
            return {"count": payload.drivers, "since": moment(payload.since)}
        case SubscriptionPayload():
            return {
                "when": format_days_left(payload.days, language),
                "ends": moment(payload.ends_at),
                "monitored_until": moment(payload.monitored_until or payload.ends_at),
            }
        case PaymentPayload():
            return {
                "amount": format_amount(payload.gross),
                "ends": moment(payload.ends_at),
                "next": moment(payload.next_try_at),
            }
        case RecipientPayload():
            return {"name": to_single_line(payload.name), "email": payload.email}
        case MonthPayload():
            month = format_month(payload.month, language)
            return {**msgspec.structs.asdict(payload), "month": month}


def sms_params(payload: NoticePayload, language: Language) -> dict[str, object]:
    """Return the parameters of an SMS: short times, and of near dates the first."""
    params = template_params(payload, language, format_short_instant)
    if isinstance(payload, ExpiryPayload):
        on, expiries = _group_by_date(payload)[0]
        items = _format_expiring_items([expiry.category for expiry in expiries], language)
        params["dates"] = f"{items} {format_date(on)}"
    return params


def fact_rows(  # noqa: PLR0911 (one for each payload)
    payload: NoticePayload, language: Language
) -> list[FactRow]:
    """Return the label and value of each known fact; unknown ones are left out."""
    match payload:
        case DriverPayload():
            return _document_rows(payload, _answer_rows(payload, language), language)
        case ExpiryPayload():
            dates = [(_capitalise(what), when) for what, when in _expiry_rows(payload, language)]
            return _document_rows(payload, dates, language)
        case CategoryPayload():
            label, problems = _label("category", language), _category_problems(payload, language)
            return _document_rows(
                payload, [(label, _capitalise(one)) for one in problems], language
            )
        case CompanyPayload():
            return []
        case SubscriptionPayload():
            return [
                *_company_rows(payload.company, language),
                (_label("ends", language), format_instant(payload.ends_at, language)),
                *_instant_rows("monitored_until", payload.monitored_until, language),
                (_label("driver_limit", language), str(payload.driver_limit)),
            ]
        case PaymentPayload():
            return [
                *_company_rows(payload.company, language),
                (_label("amount", language), format_amount(payload.gross)),
                (_label("tried", language), format_instant(payload.tried_at, language)),
                *_instant_rows("next_try", payload.next_try_at, language),
                (_label("open_until", language), format_instant(payload.ends_at, language)),
            ]
        case RecipientPayload():
            return [
                (_label("recipient", language), to_single_line(payload.name)),
                (_label("address", language), payload.email),
                (_label("stopped", language), format_instant(payload.at, language)),
            ]
        case MonthPayload():
            return [
                (_label(name, language), value)
                for name, value in (
                    ("checks", _format_count(payload.checks, language)),
                    ("alarms", _format_count(payload.alarms, language)),
                    ("reaction", _format_reaction(payload, language)),
                    ("may_not_drive", _format_count(payload.may_not_drive, language)),
                )
                if value
            ]


def _format_reaction(payload: MonthPayload, language: Language) -> str:
    """'2 h 5 min (3 of 4)'; empty without an alarm or an act."""
    if payload.median_minutes is None:
        return ""
    hours, minutes = divmod(payload.median_minutes, 60)
    duration = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return translate(
        "notices.facts.reaction_of", language,
        duration=duration, acts=payload.acts, alarms=payload.alarms,
    )  # fmt: skip


def with_answer(payload: NoticePayload, language: Language, rest: str, mark: str = "") -> str:
    """Return the text after the answer whether the driver may drive, if the notice has one.

    A category that is over may leave others: "may drive" would be taken for a vehicle of it. The
    `mark` makes a heading of the answer (`email_template.HEADING_MARK`); else a full stop ends it.
    """
    if not isinstance(payload, DocumentPayload) or not payload.may_drive:
        return rest
    if isinstance(payload, ExpiryPayload) and payload.may_drive == "yes":
        return rest
    answer = translate(f"notices.may_drive.{payload.may_drive}", language)
    return f"{mark}{answer}{mark or '.'} {rest}"


def bundle_row(payload: ExpiryPayload, language: Language) -> FactRow:
    """Return the row of one driver in a message about several."""
    return f"{to_single_line(payload.name)}, {payload.license_number}", with_answer(
        payload, language, _capitalise(_format_expiries(payload, language))
    )


def _format_expiries(payload: ExpiryPayload, language: Language) -> str:
    """Return the dates in one line: 'document: 20.01.2027 (in 60 days); category C: …'."""
    return "; ".join(f"{what}: {when}" for what, when in _expiry_rows(payload, language))


def _format_category_problems(payload: CategoryPayload, language: Language) -> str:
    """Return the problems in one line: 'category C is missing; category D expired 01.05.2026'."""
    return "; ".join(_category_problems(payload, language))


def _category_problems(payload: CategoryPayload, language: Language) -> list[str]:
    texts = []
    if payload.missing:
        codes = ", ".join(payload.missing)
        key = "notices.category_problems.missing"
        texts.append(translate(key, language, count=len(payload.missing), codes=codes))
    for on, expiries in _group_by_date(payload):
        codes = ", ".join(expiry.category for expiry in expiries)
        key, day = "notices.category_problems.expired", format_date(on)
        texts.append(translate(key, language, count=len(expiries), codes=codes, date=day))
    return texts


def format_days_left(days: int, language: Language) -> str:
    """Return 'today', 'tomorrow' or 'in 2 days'."""
    if days == 0:
        return translate("notices.when.today", language)
    if days == 1:
        return translate("notices.when.tomorrow", language)
    return translate("notices.when.days", language, count=days)


def _driver_params(payload: DocumentPayload, checked: str) -> dict[str, object]:
    return {
        "name": to_single_line(payload.name),
        "number": payload.license_number,
        "checked": checked,
    }


def _document_rows(
    payload: DocumentPayload, facts: list[FactRow], language: Language
) -> list[FactRow]:
    return [
        (_label("driver", language), to_single_line(payload.name)),
        (_label("number", language), payload.license_number),
        *facts,
        (_label("checked", language), format_instant(payload.checked_at, language)),
    ]


def _join_reasons(payload: DriverPayload) -> str:
    return "; ".join(to_single_line(reason) for reason in payload.reasons)


def _answer_rows(payload: DriverPayload, language: Language) -> list[FactRow]:
    facts = [
        ("state", payload.state),
        ("reasons", _join_reasons(payload)),
        ("expires", format_date(payload.expires) if payload.expires else None),
        ("authority", payload.authority),
    ]
    return [(_label(name, language), to_single_line(value)) for name, value in facts if value]


def _expiry_rows(payload: ExpiryPayload, language: Language) -> list[FactRow]:
    """Each date once, with everything that expires on it."""
    return [
        (
            _format_expiring_items([expiry.category for expiry in expiries], language),
            _format_expiry_date(on, payload.day, language),
        )
        for on, expiries in _group_by_date(payload)
    ]


def _format_expiry_date(on: date, day: date, language: Language) -> str:
    """'20.01.2027 (in 60 days)'; the date alone once it is over, as the text says so."""
    formatted = format_date(on)
    return formatted if on < day else f"{formatted} ({format_days_left((on - day).days, language)})"


def _group_by_date(payload: ExpiryPayload | CategoryPayload) -> list[tuple[date, list[Expiry]]]:
    ordered = sorted(payload.expiries)
    return [(on, list(group)) for on, group in groupby(ordered, key=lambda expiry: expiry.on)]


def _format_expiring_items(codes: list[str], language: Language) -> str:
    """'document', 'category C', 'document and categories B, C'."""
    categories = [to_single_line(code) for code in codes if code != WHOLE_DOCUMENT]
    listed = translate(
        "notices.expiries.categories", language, count=len(categories), codes=", ".join(categories)
    )
    if WHOLE_DOCUMENT not in codes:
        return listed
    document = translate("notices.expiries.document", language)
    if not categories:
        return document
    return translate("notices.expiries.both", language, first=document, second=listed)


def _company_rows(name: str, language: Language) -> list[FactRow]:
    return [(_label("company", language), to_single_line(name))] if name.strip() else []


def _instant_rows(name: str, moment: datetime | None, language: Language) -> list[FactRow]:
    return [(_label(name, language), format_instant(moment, language))] if moment else []


def _label(name: str, language: Language) -> str:
    return translate(f"notices.facts.{name}", language)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _format_count(number: int, language: Language) -> str:
    """Return `8 880`, with a comma in English."""
    return f"{number:,}".replace(",", "," if language is Language.EN else "\u00a0")
