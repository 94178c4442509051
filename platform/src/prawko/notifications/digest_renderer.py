"""Renders the message about the first check of an import: many drivers, of several kinds."""

from collections.abc import Sequence

import msgspec

from prawko.hooks.channels import Message, PushNote
from prawko.kit.documents import email_template
from prawko.kit.documents.email_template import Accent, panel_url
from prawko.kit.text.gsm7 import fit_one_segment
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.notifications.catalogue import CATALOGUE, NoticeKind, Page
from prawko.notifications.payloads import DocumentPayload, DriverPayload, NoticePayload
from prawko.notifications.templates import MAX_LISTED, Branding, StopNote

_ORDER = [*CATALOGUE]  # the most urgent first


def render_digest(
    notices: Sequence[tuple[NoticeKind, NoticePayload]],
    language: Language,
    branding: Branding,
    stop_note: StopNote | None = None,
) -> Message:
    """Return the message about several notices of a first check."""
    ordered = sorted(notices, key=lambda notice: _ORDER.index(notice[0]))
    rows = tuple(
        (
            f"{to_single_line(payload.name)}, {payload.license_number}",
            _describe(kind, payload, language),
        )
        for kind, payload in ordered[:MAX_LISTED]
        if isinstance(payload, DocumentPayload)
    )
    withheld = sum(kind is NoticeKind.WITHHELD for kind, _ in notices)
    params = {"count": len(notices), "withheld": withheld}
    paragraphs: list[str | email_template.FactTable] = [
        translate("notices.digest.what", language),
        email_template.FactTable(rows),
    ]
    if len(notices) > MAX_LISTED:
        more = len(notices) - MAX_LISTED
        paragraphs.append(translate("notices.expiries.more", language, count=more))
    paragraphs.append(translate("notices.digest.mail", language))
    title = translate("notices.digest.title", language, **params)
    mail = email_template.render_email(
        language,
        branding.brand,
        title,
        paragraphs,
        sms_text=fit_one_segment(
            lambda _: f"{branding.brand}: {translate('notices.digest.line', language, **params)}",
            {},
        ),
        link=None if stop_note else panel_url(branding.base_url, Page.DRIVERS),
        link_label=None,
        accent=Accent.DANGER if withheld else Accent.WARNING,
        footer=stop_note.to_footer(language) if stop_note else None,
    )
    return msgspec.structs.replace(mail, push=PushNote(to_single_line(title), Page.DRIVERS))


def _describe(kind: NoticeKind, payload: NoticePayload, language: Language) -> str:
    """The kind in words and, of a withheld licence, the register's reasons."""
    label = translate(f"notices.digest.kinds.{kind.value}", language)
    reasons = payload.reasons if isinstance(payload, DriverPayload) else ()
    return ": ".join([label, *(["; ".join(map(to_single_line, reasons))] if reasons else [])])
