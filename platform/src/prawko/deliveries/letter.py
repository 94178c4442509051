"""One letter, written twice: as plain text and as HTML that every mail program can read.

The HTML holds nothing from elsewhere: no images, no fonts, no counting of who opened it.
"""

from collections.abc import Sequence
from html import escape

from prawko.base.texts import Language, say
from prawko.hooks.channels import Notice

_BODY = "margin:0;padding:24px;background:#ffffff;color:#1b1f24"
_PAGE = "max-width:560px;margin:0 auto;font:16px/1.5 Arial,Helvetica,sans-serif"
_TITLE = "margin:0 0 16px;font-size:22px;line-height:1.3"
_PARAGRAPH = "margin:0 0 16px"
_CODE = "margin:0 0 16px;font:bold 30px/1.3 Consolas,'Courier New',monospace;letter-spacing:4px"
_BUTTON = (
    "display:inline-block;padding:12px 20px;border-radius:6px;"
    "background:#1d4ed8;color:#ffffff;text-decoration:none"
)
_FOOTER = "margin:24px 0 0;padding-top:16px;border-top:1px solid #d0d7de;color:#57606a"


def one_line(words: str) -> str:
    """The words with every line break and control character turned into a blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())


def letter(
    language: Language,
    brand: str,
    title: str,
    paragraphs: Sequence[str],
    *,
    line: str | None = None,
    code: str | None = None,
    link: str | None = None,
    link_label: str | None = None,
) -> Notice:
    """A notice from its parts, none of them escaped yet.

    A blank line inside a paragraph begins another, a single line break stays one. The code
    stands after the first paragraph, the link after the last. `line` is what an SMS says;
    without it, the title.
    """
    title = one_line(title)
    label = link_label or say("mails.letter.open", language)
    parts = [part.strip() for text in paragraphs for part in text.split("\n\n") if part.strip()]
    signature = say("mails.letter.signature", language, brand=one_line(brand))
    return Notice(
        title=title,
        text=_text(parts, signature, code=code, link=link, label=label),
        html=_html(language, title, parts, signature, code=code, link=link, label=label),
        line=one_line(line or title),
        code=code,
        link=link,
    )


def _text(
    parts: Sequence[str], signature: str, *, code: str | None, link: str | None, label: str
) -> str:
    said = list(parts)
    if code is not None:
        said.insert(1, code)
    if link is not None:
        said.append(f"{label}:\n{link}")
    return "\n\n".join((*said, f"-- \n{signature}")) + "\n"


def _html(
    language: Language,
    title: str,
    parts: Sequence[str],
    signature: str,
    *,
    code: str | None,
    link: str | None,
    label: str,
) -> str:
    said = [f'<p style="{_PARAGRAPH}">{_lines(part)}</p>' for part in parts]
    if code is not None:
        said.insert(1, f'<p style="{_CODE}">{escape(code)}</p>')
    if link is not None:
        anchor = f'<a href="{escape(link)}" style="{_BUTTON}">{escape(label)}</a>'
        said.append(f'<p style="{_PARAGRAPH}">{anchor}</p>')
    content = "\n".join(said)
    return (
        f'<!doctype html>\n<html lang="{language.value}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n</head>\n"
        f'<body style="{_BODY}">\n<main style="{_PAGE}">\n'
        f'<h1 style="{_TITLE}">{escape(title)}</h1>\n{content}\n'
        f'<p style="{_FOOTER}">{_lines(signature)}</p>\n</main>\n</body>\n</html>\n'
    )


def _lines(text: str) -> str:
    return "<br>\n".join(escape(row) for row in text.splitlines())
