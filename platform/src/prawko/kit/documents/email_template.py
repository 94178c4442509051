"""Renders the parts of a mail as plain text and as HTML; `templates/` holds both layouts."""

from collections.abc import Sequence
from enum import StrEnum
from urllib.parse import quote

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from prawko.hooks.channels import Message
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import tie_words, to_single_line

LOGIN_PAGE = "/auth/login"


class Accent(StrEnum):
    """The colour of the line above the content."""

    INFO = "#1f4f8a"
    SUCCESS = "#1f7a4d"
    WARNING = "#b7791f"
    DANGER = "#b3261e"


class FactTable(msgspec.Struct, frozen=True):
    """Facts, a row each: name and value, and a button if `links` have one for the row."""

    rows: tuple[tuple[str, str], ...]
    links: tuple[str | None, ...] = ()
    link_label: str = ""


class Footer(msgspec.Struct, frozen=True):
    """Small print below the content: why the reader gets the mail, and a link."""

    text: str
    link: str
    link_label: str


class _Paragraph(msgspec.Struct, frozen=True):
    heading: str
    text: str


HEADING_MARK = "**"  # a paragraph may begin with **its own small heading**

_templates = Environment(
    loader=PackageLoader("prawko.kit.documents"),
    autoescape=select_autoescape(("html.jinja",)),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_html, _text = (_templates.get_template(f"email.{kind}.jinja") for kind in ("html", "txt"))


def render_email(
    language: Language,
    brand: str,
    title: str,
    paragraphs: Sequence[str | FactTable],
    *,
    sms_text: str | None = None,
    code: str | None = None,
    link: str | None = None,
    link_label: str | None = None,
    second_link: str | None = None,
    links_first: bool = False,
    accent: Accent = Accent.INFO,
    footer: Footer | None = None,
    contact: str = "",
) -> Message:
    """Render a message from its parts, none of them escaped yet.

    A blank line inside a paragraph begins another, a single line break stays one. A paragraph
    of our own may begin with a **heading**; text of users must not. The code follows the first
    paragraph, the link the last, or the first part with `links_first`, where a phone shows it
    without scrolling; a `second_link` to the panel follows it. Without `sms_text` an SMS carries
    the title. `contact` is the address for questions.
    """
    title, brand = to_single_line(title), to_single_line(brand)
    values = {
        "language": language.value,
        "brand": brand,
        "title": title,
        "accent": accent.value,
        "parts": [part for given in paragraphs for part in _split_parts(given)],
        "code": code,
        "link": link,
        "link_label": link_label or translate("mails.letter.open", language),
        "second_link": second_link,
        "links_first": links_first,
        "second_label": translate("mails.letter.open", language),
        "footer": footer,
        "signature": translate("mails.letter.signature", language, brand=brand),
        "contact": translate("mails.letter.contact", language, address=contact) if contact else "",
    }
    return Message(
        subject=title,
        text=_text.render(values),
        html=_html.render(values, tie=tie_words if language is Language.PL else str),
        sms_text=to_single_line(sms_text or title),
        code=code,
        link=link,
    )


def _split_parts(given: str | FactTable) -> list[_Paragraph | FactTable]:
    if isinstance(given, FactTable):
        rows = tuple((to_single_line(name), to_single_line(value)) for name, value in given.rows)
        return [msgspec.structs.replace(given, rows=rows)]
    return [_to_paragraph(part.strip()) for part in given.split("\n\n") if part.strip()]


def _to_paragraph(text: str) -> _Paragraph:
    heading, end, rest = text.removeprefix(HEADING_MARK).partition(HEADING_MARK)
    if text.startswith(HEADING_MARK) and end:
        return _Paragraph(heading, rest.strip())
    return _Paragraph("", text)


def panel_url(base_url: str, path: str) -> str:
    """Return the URL of a path of the panel, query included.

    It leads through the sign-in, which names the target to a visitor and passes who is signed in
    on: at a path of the panel itself a visitor would see the landing page.
    """
    return f"{base_url}{LOGIN_PAGE}?next={quote(path, safe='/')}"
