"""A mail has the same content as text and as HTML; values become neither markup nor headers."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.channels import Message
from prawko.kit.documents.email_template import Accent, FactTable, render_email
from prawko.kit.text.i18n import Language
from prawko.kit.text.plain_text import to_single_line


class _HtmlText(HTMLParser):
    """The text that a mail program shows, and the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def _parse_html(notice: Message) -> _HtmlText:
    page = _HtmlText()
    page.feed(notice.html)
    return page


@pytest.mark.parametrize(
    ("text", "tied"),
    [
        ("Stan dokumentu w rejestrze", "Stan dokumentu w~rejestrze"),
        ("W tym i w owym", "W~tym i~w~owym"),
        ("a o z u nas", "a~o~z~u~nas"),
        ("(w panelu) „Z listy”", "(w~panelu) „Z~listy”"),
        ("Zatrzymane: 4 kierowcy", "Zatrzymane: 4~kierowcy"),
        ("150 500 kierowców, 22.11.2026 rano", "150 500~kierowców, 22.11.2026 rano"),
        ("tak albo nie", "tak albo nie"),
    ],
)
def test_the_html_of_a_polish_mail_has_no_one_letter_word_at_a_line_end(text, tied) -> None:
    facts = FactTable(((text, text),))
    mail = render_email(Language.PL, "Prawko", text, [f"**{text}** {text}", facts])

    shown = "".join(_parse_html(mail).words).partition("color-scheme")[2]  # not the <title>
    assert shown.count(tied.replace("~", "\xa0")) == 5
    assert mail.subject == text
    assert mail.text.count(text) == 4


def test_an_english_mail_has_plain_spaces() -> None:
    mail = render_email(Language.EN, "Prawko", "Mails in a day", ["4 drivers i n"])

    assert "\xa0" not in "".join(_parse_html(mail).words)


def test_text_and_html_carry_title_paragraphs_code_and_link() -> None:
    notice = render_email(
        Language.PL,
        "Prawko",
        "Tytuł",
        ["Pierwszy.\n\nDrugi.", "Trzeci\nw dwóch wierszach."],
        code="ABC234",
        link="https://panel.test/panel/drivers?a=1&b=2",
        link_label="Zobacz",
    )

    assert notice.text == (
        "Pierwszy.\n\nABC234\n\nDrugi.\n\nTrzeci\nw dwóch wierszach.\n\n"
        "Zobacz:\nhttps://panel.test/panel/drivers?a=1&b=2\n\n"
        "-- \nPrawko\nTa wiadomość została wysłana automatycznie.\n"
    )
    page = _parse_html(notice)
    assert ("a", "https://panel.test/panel/drivers?a=1&b=2") in [
        (tag, attrs.get("href")) for tag, attrs in page.tags
    ]
    text = " ".join(" ".join(page.words).split())
    assert "Tytuł Pierwszy. ABC234 Drugi. Trzeci w dwóch wierszach. Zobacz Prawko" in text
    assert (notice.code, notice.link) == ("ABC234", "https://panel.test/panel/drivers?a=1&b=2")


def test_the_html_names_its_language_and_loads_nothing() -> None:
    page = _parse_html(render_email(Language.EN, "Prawko", "Title", ["Words."]))

    tags = [tag for tag, _ in page.tags]
    assert dict(page.tags)["html"]["lang"] == "en"
    assert not {"img", "script", "link", "iframe", "table"} & set(tags)
    assert "src" not in {name for _, attrs in page.tags for name in attrs}


@pytest.mark.parametrize("name", ["<b>Jan</b>", '"><script>alert(1)</script>', "Jan & Syn"])
def test_names_are_escaped_in_html(name: str) -> None:
    plain = _parse_html(render_email(Language.PL, "Prawko", "Tytuł", ["Kierowca: Jan"]))
    page = _parse_html(render_email(Language.PL, name, name, [f"Kierowca: {name}"]))

    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert name in "".join(page.words)


@given(st.text())
def test_the_subject_is_one_line_for_any_name(name: str) -> None:
    notice = render_email(
        Language.PL, "Prawko", f"Uwaga: {name}", ["Treść."], sms_text=f"SMS {name}"
    )

    for header_text in (notice.subject, notice.sms_text):
        assert len(header_text.splitlines()) == 1
        assert header_text.isprintable()


def test_line_breaks_become_blanks() -> None:
    assert to_single_line("Jan\r\nBcc: x@evil.test\x00\u2028!") == "Jan Bcc: x@evil.test !"


def test_without_a_text_for_sms_the_title_is_used() -> None:
    assert render_email(Language.PL, "Prawko", "Tytuł", ["Treść."]).sms_text == "Tytuł"


def test_facts_are_rows_of_text_and_of_a_table() -> None:
    facts = FactTable((("Kierowca", "Jan\nKowalski"), ("Stan & powód", "<b>Zatrzymany</b>")))
    notice = render_email(Language.PL, "Prawko", "Tytuł", ["Przedtem.", facts, "Potem."])

    assert "Przedtem.\n\nKierowca: Jan Kowalski\nStan & powód: <b>Zatrzymany</b>\n\nPotem." in (
        notice.text
    )
    page = _parse_html(notice)
    assert [tag for tag, _ in page.tags if tag in {"table", "tr", "th", "td", "b"}] == [
        "table", "tr", "th", "td", "tr", "th", "td",
    ]  # fmt: skip
    assert {"Kierowca", "Jan Kowalski", "Stan & powód", "<b>Zatrzymany</b>"} <= set(page.words)


def test_a_paragraph_may_begin_with_a_heading() -> None:
    notice = render_email(Language.PL, "Prawko", "Tytuł", ["Treść.\n\n**Co zrobić** Zadzwoń."])

    assert "Treść.\n\nCo zrobić: Zadzwoń.\n" in notice.text
    page = _parse_html(notice)
    assert [tag for tag, _ in page.tags].count("strong") == 1
    assert {"Co zrobić", "Zadzwoń."} <= set(page.words)


@pytest.mark.parametrize("content", ["**", "**nic", "nic **ważnego** tu"])
def test_asterisks_elsewhere_are_literal(content) -> None:
    notice = render_email(Language.PL, "Prawko", "Tytuł", [content])

    assert notice.text.startswith(content)
    assert "<strong" not in notice.html


@pytest.mark.parametrize("tone", Accent)
def test_an_email_has_the_colour_of_its_accent_in_light_and_dark(tone) -> None:
    html = render_email(Language.PL, "Prawko", "Tytuł", ["Treść."], accent=tone).html

    assert f"border-top:4px solid {tone.value}" in html
    assert '<meta name="color-scheme" content="light dark">' in html
    night = html.partition("@media (prefers-color-scheme:dark){")[2].partition("</style>")[0]
    for css_class in ("page", "card", "muted", "row", "button"):
        assert f".{css_class}{{" in night
    assert "url(" not in html
    assert "@import" not in html
