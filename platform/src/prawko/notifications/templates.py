"""Builds the texts of notices from their payloads: panel entry, mail, SMS and push message."""

from collections.abc import Mapping, Sequence

import msgspec

from prawko.hooks.channels import Message, PushNote
from prawko.kit.documents import email_template
from prawko.kit.documents.email_template import Accent, panel_url
from prawko.kit.text.gsm7 import ELLIPSIS, fit_one_segment
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.notifications.catalogue import CATALOGUE, Bundling, NoticeKind, Page
from prawko.notifications.notice_details import (
    bundle_row,
    fact_rows,
    sms_params,
    template_params,
    with_answer,
)
from prawko.notifications.payloads import (
    CategoryPayload,
    DocumentPayload,
    DriverPayload,
    ExpiryPayload,
    NoticePayload,
    PaymentPayload,
)
from prawko_tenants.ids import DriverId

MAX_LISTED = 30
# The parameters that an SMS may shorten; the others are numbers, dates or texts of ours.
_SHORTENABLE = ("name", "state", "dates", "problems")
_ORDER = [*CATALOGUE]  # the most urgent first


class Branding(msgspec.Struct, frozen=True):
    """The product's name, the base URL of the panel, and the address for questions."""

    brand: str
    base_url: str
    contact: str = ""


class StopNote(msgspec.Struct, frozen=True):
    """The end of a mail to a person without an account: the company, and the link that stops it."""

    company: str
    url: str

    def to_footer(self, language: Language) -> email_template.Footer:
        """Return the note in the reader's language."""
        company = to_single_line(self.company)
        return email_template.Footer(
            text=translate("mails.stop_note.text", language, company=company),
            link=self.url,
            link_label=translate("mails.stop_note.link", language),
        )


class SettingsNote(msgspec.Struct, frozen=True):
    """The end of a mail to a member: the link to what the member gets."""

    base_url: str

    def to_footer(self, language: Language) -> email_template.Footer:
        """Return the note in the reader's language."""
        link = panel_url(self.base_url, Page.NOTIFICATIONS)
        return email_template.Footer("", link, translate("mails.letter.settings", language))


class PanelEntry(msgspec.Struct, frozen=True):
    """The title and content of a notice in the panel."""

    title: str
    content: str


def render_entry(kind: NoticeKind, payload: NoticePayload, language: Language) -> PanelEntry:
    """Render a notice for the list in the panel."""
    table, params = _text_table(kind, payload), template_params(payload, language)
    return PanelEntry(
        to_single_line(translate(f"{table}.title", language, **params)),
        with_answer(payload, language, translate(f"{table}.content", language, **params)),
    )


def render_message(
    kind: NoticeKind,
    payload: NoticePayload,
    language: Language,
    branding: Branding,
    *,
    bundled: Sequence[NoticePayload] = (),
    driver_id: DriverId | None = None,
    stop_note: StopNote | None = None,
    acknowledgement_link: str | None = None,
) -> Message:
    """Render a notice for all media. Raises KeyError for a kind that only the panel shows.

    `bundled` are further notices of the same kind that the message covers; `driver_id` is the
    driver that the link opens. With a `stop_note` no link leads to the panel: its reader has no
    account. The `acknowledgement_link` comes before the panel's, and into an SMS if it fits.
    """
    expiring = (item for item in (payload, *bundled) if isinstance(item, ExpiryPayload))
    drivers = sorted(expiring, key=lambda driver: driver.expiries)
    if len(drivers) > 1:
        table = f"notices.{kind.value}_many"
        params: dict[str, object] = {"count": len(drivers)}
        line_params = params
        rows = [bundle_row(driver, language) for driver in drivers[:MAX_LISTED]]
    else:
        table = _text_table(kind, payload)
        params, line_params = template_params(payload, language), sms_params(payload, language)
        rows = fact_rows(payload, language)
    what = translate(f"{table}.what", language, **params)
    if len(drivers) <= 1:
        what = with_answer(payload, language, what, email_template.HEADING_MARK)
    paragraphs: list[str | email_template.FactTable] = [what]
    if rows:
        paragraphs.append(email_template.FactTable(tuple(rows)))
    if len(drivers) > MAX_LISTED:
        more = len(drivers) - MAX_LISTED
        paragraphs.append(translate("notices.expiries.more", language, count=more))
    paragraphs.append(translate(f"{table}.mail", language, **params))
    consent = payload.url if isinstance(payload, PaymentPayload) else ""
    page = _panel_page(kind, driver_id)
    panel_link = None if stop_note else panel_url(branding.base_url, page)
    title = translate(f"{table}.title", language, **params)
    first_link, label = consent or acknowledgement_link, ""
    if first_link:
        label = translate(f"{table}.link" if consent else "notices.acknowledge.link", language)
    is_urgent = (
        len(drivers) <= 1 and isinstance(payload, DocumentPayload) and payload.may_drive != "yes"
    )
    mail = email_template.render_email(
        language,
        branding.brand,
        title,
        paragraphs,
        sms_text=_link_line(kind, payload, language, branding.brand, acknowledgement_link)
        or _sms_line(f"{table}.line", line_params, language, branding.brand),
        link=first_link or panel_link,
        link_label=label or None,
        second_link=panel_link if acknowledgement_link else None,
        links_first=is_urgent or acknowledgement_link is not None,
        accent=_accent(kind, [payload, *bundled]),
        footer=(stop_note or SettingsNote(branding.base_url)).to_footer(language),
        contact=branding.contact,
    )
    if is_urgent:
        title = with_answer(payload, language, title)
    return _with_subject(mail, title, page)


def _with_subject(mail: Message, subject: str, page: str) -> Message:
    """Return the message with the subject, which is the title of a push message as well."""
    subject = to_single_line(subject)
    return msgspec.structs.replace(mail, subject=subject, push=PushNote(subject, page))


def _accent(kind: NoticeKind, payloads: Sequence[NoticePayload]) -> Accent:
    """Red where a driver may not drive, and green only where nobody has to be checked."""
    answers = {one.may_drive for one in payloads if isinstance(one, DocumentPayload)}
    if "no" in answers:
        return Accent.DANGER
    accent = CATALOGUE[kind].accent
    return Accent.WARNING if accent is Accent.SUCCESS and "check" in answers else accent


def _panel_page(kind: NoticeKind, driver_id: DriverId | None) -> str:
    page = CATALOGUE[kind].target
    return f"{page}/{driver_id}" if page is Page.DRIVERS and driver_id is not None else page


def _text_table(kind: NoticeKind, payload: NoticePayload) -> str:
    if kind is NoticeKind.ATTENTION and isinstance(payload, DriverPayload):
        if payload.expired:
            return "notices.attention_expired"
        return "notices.attention_no" if payload.may_drive == "no" else "notices.attention"
    if kind is NoticeKind.PAYMENT_FAILED and isinstance(payload, PaymentPayload):
        if payload.tried_at >= payload.ends_at:
            return "notices.payment_failed_late"
        if payload.next_try_at is None:
            return "notices.payment_failed_last"
    return f"notices.{kind.value}"


def _sms_line(key: str, params: Mapping[str, object], language: Language, brand: str) -> str:
    shortenable = {name: str(params[name]) for name in _SHORTENABLE if name in params}
    return fit_one_segment(
        lambda texts: f"{brand}: {translate(key, language, **{**params, **texts})}", shortenable
    )


def _link_line(
    kind: NoticeKind, payload: NoticePayload, language: Language, brand: str, link: str | None
) -> str:
    """Return the SMS that ends with the link; empty without one, or where it does not fit.

    It says the kind in words, or what is wrong with the needed categories (docs/rules.md R9a). Of
    the name, only the first one becomes an initial. Only kinds of a first check have words.
    """
    if link is None or CATALOGUE[kind].bundling is not Bundling.FIRST_CHECK:
        return ""
    params = template_params(payload, language)
    what = str(params.get("problems") or _describe_kind(kind, payload, language))

    def render(texts: Mapping[str, str]) -> str:
        line = translate("notices.acknowledge.line", language, **{**params, **texts})
        return f"{brand}: {line} {what[:1].upper()}{what[1:]}. {link}"

    line = fit_one_segment(render, {"name": str(params["name"])})
    return "" if ELLIPSIS in line else line


def render_digest(
    notices: Sequence[tuple[NoticeKind, NoticePayload]],
    language: Language,
    branding: Branding,
    stop_note: StopNote | None = None,
    links: Sequence[str | None] = (),
) -> Message:
    """Return the message about several notices of a first check, or of a change of what is needed.

    If all are about needed categories, the texts are of these, whatever brought them. `links`
    acknowledge the alerts, each beside its driver; None for a notice that is none.
    """
    are_categories = all(kind is NoticeKind.CATEGORY_INVALID for kind, _ in notices)
    table = "notices.digest_categories" if are_categories else "notices.digest"
    page = Page.DASHBOARD if are_categories else f"{Page.DASHBOARD}?firstCheck"
    ordered = sorted(
        zip(notices, links or [None] * len(notices), strict=True),
        key=lambda row: (not _may_not_drive(*row[0]), _ORDER.index(row[0][0])),
    )[:MAX_LISTED]
    shown = [
        (kind, payload, link)
        for (kind, payload), link in ordered
        if isinstance(payload, DocumentPayload)
    ]
    rows = email_template.FactTable(
        tuple(
            (
                f"{to_single_line(payload.name)}, {payload.license_number}",
                with_answer(payload, language, _describe(kind, payload, language)),
            )
            for kind, payload, _ in shown
        ),
        links=tuple(link for *_, link in shown),
        link_label=translate("notices.acknowledge.link", language),
    )
    no = sum(_may_not_drive(kind, payload) for kind, payload in notices)
    params = {"count": len(notices), "no": no}
    paragraphs: list[str | email_template.FactTable] = [
        translate(f"{table}.what", language, **params),
        rows,
    ]
    if len(notices) > MAX_LISTED:
        more = len(notices) - MAX_LISTED
        paragraphs.append(translate("notices.expiries.more", language, count=more))
    paragraphs.append(translate(f"{table}.mail", language))
    title = translate(f"{table}.title", language, **params)
    mail = email_template.render_email(
        language,
        branding.brand,
        title,
        paragraphs,
        sms_text=_sms_line(f"{table}.line", params, language, branding.brand),
        link=None if stop_note else panel_url(branding.base_url, page),
        accent=Accent.DANGER if no else Accent.WARNING,
        footer=(stop_note or SettingsNote(branding.base_url)).to_footer(language),
        contact=branding.contact,
    )
    if no:
        title = f"{translate('notices.may_drive.no', language)}: {no}. {title}"
    return _with_subject(mail, title, Page.DASHBOARD)


def _may_not_drive(kind: NoticeKind, payload: NoticePayload) -> bool:
    """Return whether a notice says so; one of a release without answers, by its kind."""
    answer = payload.may_drive if isinstance(payload, DocumentPayload) else ""
    return answer == "no" if answer else kind is NoticeKind.WITHHELD


def _describe(kind: NoticeKind, payload: NoticePayload, language: Language) -> str:
    """The kind in words and, of a withheld licence, the register's reasons."""
    label = _describe_kind(kind, payload, language)
    reasons = payload.reasons if isinstance(payload, DriverPayload) else ()
    return ": ".join([label, *(["; ".join(map(to_single_line, reasons))] if reasons else [])])


def _describe_kind(kind: NoticeKind, payload: NoticePayload, language: Language) -> str:
    name = _text_table(kind, payload).removeprefix("notices.")
    if isinstance(payload, CategoryPayload) and not payload.missing:
        name = "category_expired"
    return translate(f"notices.digest.kinds.{name}", language)
