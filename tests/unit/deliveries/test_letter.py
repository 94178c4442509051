"""A letter says the same as text and as HTML, and nobody's name becomes markup or a header."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.texts import Language
from prawko.deliveries.letter import Facts, Tone, letter, one_line
from prawko.hooks.channels import Notice


class _Page(HTMLParser):
    """What a mail program would show, and the tags it met."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def _page(notice: Notice) -> _Page:
    page = _Page()
    page.feed(notice.html)
    return page


def test_text_and_html_carry_title_paragraphs_code_and_link() -> None:
    notice = letter(
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
    page = _page(notice)
    assert ("a", "https://panel.test/panel/drivers?a=1&b=2") in [
        (tag, attrs.get("href")) for tag, attrs in page.tags
    ]
    shown = " ".join(" ".join(page.words).split())
    assert "Tytuł Pierwszy. ABC234 Drugi. Trzeci w dwóch wierszach. Zobacz Prawko" in shown
    assert (notice.code, notice.link) == ("ABC234", "https://panel.test/panel/drivers?a=1&b=2")


def test_the_html_names_its_language_and_loads_nothing() -> None:
    page = _page(letter(Language.EN, "Prawko", "Title", ["Words."]))

    tags = [tag for tag, _ in page.tags]
    assert dict(page.tags)["html"]["lang"] == "en"
    assert not {"img", "script", "link", "iframe", "table"} & set(tags)
    assert "src" not in {name for _, attrs in page.tags for name in attrs}


@pytest.mark.parametrize("name", ["<b>Jan</b>", '"><script>alert(1)</script>', "Jan & Syn"])
def test_names_are_words_not_markup(name: str) -> None:
    plain = _page(letter(Language.PL, "Prawko", "Tytuł", ["Kierowca: Jan"]))
    page = _page(letter(Language.PL, name, name, [f"Kierowca: {name}"]))

    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert name in "".join(page.words)


@given(st.text())
def test_a_title_is_one_line_whatever_is_in_a_name(name: str) -> None:
    notice = letter(Language.PL, "Prawko", f"Uwaga: {name}", ["Treść."], line=f"SMS {name}")

    for line in (notice.title, notice.line):
        assert len(line.splitlines()) == 1
        assert line.isprintable()


def test_a_line_break_in_a_name_becomes_a_blank() -> None:
    assert one_line("Jan\r\nBcc: x@evil.test\x00\u2028!") == "Jan Bcc: x@evil.test !"


def test_without_a_line_of_its_own_the_title_is_the_line() -> None:
    assert letter(Language.PL, "Prawko", "Tytuł", ["Treść."]).line == "Tytuł"


def test_facts_are_rows_of_text_and_of_a_table() -> None:
    facts = Facts((("Kierowca", "Jan\nKowalski"), ("Stan & powód", "<b>Zatrzymany</b>")))
    notice = letter(Language.PL, "Prawko", "Tytuł", ["Przedtem.", facts, "Potem."])

    assert "Przedtem.\n\nKierowca: Jan Kowalski\nStan & powód: <b>Zatrzymany</b>\n\nPotem." in (
        notice.text
    )
    page = _page(notice)
    assert [tag for tag, _ in page.tags if tag in {"table", "tr", "th", "td", "b"}] == [
        "table", "tr", "th", "td", "tr", "th", "td",
    ]  # fmt: skip
    assert {"Kierowca", "Jan Kowalski", "Stan & powód", "<b>Zatrzymany</b>"} <= set(page.words)


def test_a_paragraph_may_have_a_heading_of_its_own() -> None:
    notice = letter(Language.PL, "Prawko", "Tytuł", ["Treść.\n\n**Co zrobić** Zadzwoń."])

    assert "Treść.\n\nCo zrobić: Zadzwoń.\n" in notice.text
    page = _page(notice)
    assert [tag for tag, _ in page.tags].count("strong") == 1
    assert {"Co zrobić", "Zadzwoń."} <= set(page.words)


@pytest.mark.parametrize("words", ["**", "**nic", "nic **ważnego** tu"])
def test_stars_elsewhere_are_stars(words) -> None:
    notice = letter(Language.PL, "Prawko", "Tytuł", [words])

    assert notice.text.startswith(words)
    assert "<strong" not in notice.html


@pytest.mark.parametrize("tone", Tone)
def test_a_letter_looks_like_what_it_says_by_day_and_by_night(tone) -> None:
    html = letter(Language.PL, "Prawko", "Tytuł", ["Treść."], tone=tone).html

    assert f"border-top:4px solid {tone.value}" in html
    assert '<meta name="color-scheme" content="light dark">' in html
    night = html.partition("@media (prefers-color-scheme:dark){")[2].partition("</style>")[0]
    for shown in ("ground", "sheet", "soft", "row", "button"):
        assert f".{shown}{{" in night
    assert "url(" not in html
    assert "@import" not in html
