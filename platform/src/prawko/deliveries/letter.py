"""One letter, written twice: as plain text and as HTML that every mail program can read.

The HTML holds nothing from elsewhere: no images, no fonts, no counting of who opened it. Its
colours stand inline, for programs that know no style sheet; the sheet only turns them dark.
"""

from collections.abc import Sequence
from enum import StrEnum
from html import escape

import msgspec

from prawko.base.texts import Language, say
from prawko.hooks.channels import Notice


class Tone(StrEnum):
    """How a letter looks before it is read: the colour of the line above it."""

    PLAIN = "#1f4f8a"
    GOOD = "#1f7a4d"
    WARNING = "#b7791f"
    ALARM = "#b3261e"


class Facts(msgspec.Struct, frozen=True):
    """What is known, a row each: its name and its value."""

    rows: tuple[tuple[str, str], ...]


LEAD = "**"  # a paragraph may begin with **its own small heading**

_GROUND = "margin:0;padding:24px 12px;background:#eff3f6;color:#17232d"
_PAGE = "max-width:560px;margin:0 auto;font:16px/1.55 Arial,Helvetica,sans-serif"
_BRAND = "margin:0 4px 12px;font-size:15px;font-weight:bold;color:#4b5966"
_SHEET = (
    "padding:28px 24px 12px;background:#ffffff;border:1px solid #d8dee3;"
    "border-top:4px solid {tone};border-radius:8px"
)
_TITLE = "margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere"
_PARAGRAPH = "margin:0 0 16px;overflow-wrap:anywhere"
_LEAD = "display:block;margin:0 0 2px"
_FACTS = "width:100%;margin:0 0 16px;border-collapse:collapse;font-size:15px;line-height:1.45"
_ROW = "border-top:1px solid #e3e8ec;padding:8px 0;text-align:left;vertical-align:top"
_NAME = f"{_ROW};width:38%;padding-right:12px;font-weight:normal;color:#4b5966"
_VALUE = f"{_ROW};font-weight:bold;overflow-wrap:anywhere;word-break:break-word"
_CODE = "margin:0 0 16px;font:bold 30px/1.3 Consolas,'Courier New',monospace;letter-spacing:4px"
_BUTTON = (
    "display:inline-block;padding:12px 20px;border-radius:6px;font-weight:bold;"
    "background:#1f4f8a;color:#ffffff;text-decoration:none"
)
_FOOTER = "margin:16px 4px 0;font-size:14px;line-height:1.5;color:#4b5966"
_DARK = """\
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#12181d!important;color:#e9eef2!important}
.sheet{background:#1c242b!important;border-right-color:#36414a!important;\
border-bottom-color:#36414a!important;border-left-color:#36414a!important}
.soft{color:#aab6c0!important}
.row{border-top-color:#36414a!important}
.button{background:#9cc3f0!important;color:#10202f!important}
}"""


def one_line(words: str) -> str:
    """The words with every line break and control character turned into a blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())


def letter(
    language: Language,
    brand: str,
    title: str,
    paragraphs: Sequence[str | Facts],
    *,
    line: str | None = None,
    code: str | None = None,
    link: str | None = None,
    link_label: str | None = None,
    tone: Tone = Tone.PLAIN,
) -> Notice:
    """A notice from its parts, none of them escaped yet.

    A blank line inside a paragraph begins another, a single line break stays one; a paragraph
    of our own may begin with a **heading**, what somebody else wrote must not. The code stands
    after the first paragraph, the link after the last. `line` is what an SMS says;
    without it, the title.
    """
    title, brand = one_line(title), one_line(brand)
    label = link_label or say("mails.letter.open", language)
    parts = [part for given in paragraphs for part in _parts(given)]
    signature = say("mails.letter.signature", language, brand=brand)
    content = _content(parts, code=code, link=link, label=label)
    return Notice(
        title=title,
        text=_text(parts, signature, code=code, link=link, label=label),
        html=_html(language, brand, title, content, signature, tone),
        line=one_line(line or title),
        code=code,
        link=link,
    )


def _parts(given: str | Facts) -> list[str | Facts]:
    if isinstance(given, Facts):
        return [Facts(tuple((one_line(name), one_line(value)) for name, value in given.rows))]
    return [part.strip() for part in given.split("\n\n") if part.strip()]


def _text(
    parts: Sequence[str | Facts], signature: str, *, code: str | None, link: str | None, label: str
) -> str:
    said = [_plainly(part) for part in parts]
    if code is not None:
        said.insert(1, code)
    if link is not None:
        said.append(f"{label}:\n{link}")
    return "\n\n".join((*said, f"-- \n{signature}")) + "\n"


def _plainly(part: str | Facts) -> str:
    if isinstance(part, Facts):
        return "\n".join(f"{name}: {value}" for name, value in part.rows)
    lead, rest = _lead(part)
    return f"{lead}: {rest}" if lead else rest


def _lead(part: str) -> tuple[str, str]:
    """A paragraph's own heading, where it has one, and the rest of it."""
    lead, end, rest = part.removeprefix(LEAD).partition(LEAD)
    return (lead, rest.strip()) if part.startswith(LEAD) and end else ("", part)


def _content(
    parts: Sequence[str | Facts], *, code: str | None, link: str | None, label: str
) -> str:
    said = [_table(part) if isinstance(part, Facts) else _paragraph(part) for part in parts]
    if code is not None:
        said.insert(1, f'<p style="{_CODE}">{escape(code)}</p>')
    if link is not None:
        anchor = f'<a class="button" href="{escape(link)}" style="{_BUTTON}">{escape(label)}</a>'
        said.append(f'<p style="{_PARAGRAPH}">{anchor}</p>')
    return "\n".join(said)


def _paragraph(part: str) -> str:
    lead, rest = _lead(part)
    heading = f'<strong style="{_LEAD}">{escape(lead)}</strong>' if lead else ""
    return f'<p style="{_PARAGRAPH}">{heading}{_lines(rest)}</p>'


def _table(facts: Facts) -> str:
    rows = "\n".join(
        f'<tr><th scope="row" class="row soft" style="{_NAME}">{escape(name)}</th>'
        f'<td class="row" style="{_VALUE}">{escape(value)}</td></tr>'
        for name, value in facts.rows
    )
    return f'<table style="{_FACTS}">\n{rows}\n</table>'


def _html(
    language: Language, brand: str, title: str, content: str, signature: str, tone: Tone
) -> str:
    return (
        f'<!doctype html>\n<html lang="{language.value}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="supported-color-schemes" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_DARK}\n</style>\n</head>\n"
        f'<body class="ground" style="{_GROUND}">\n<div style="{_PAGE}">\n'
        f'<p class="soft" style="{_BRAND}">{escape(brand)}</p>\n'
        f'<main class="sheet" style="{_SHEET.format(tone=tone.value)}">\n'
        f'<h1 style="{_TITLE}">{escape(title)}</h1>\n{content}\n</main>\n'
        f'<p class="soft" style="{_FOOTER}">{_lines(signature)}</p>\n</div>\n</body>\n</html>\n'
    )


def _lines(text: str) -> str:
    return "<br>\n".join(escape(row) for row in text.splitlines())
