"""The text of invoice PDFs."""

import logging
import subprocess
import sys
from datetime import date
from hashlib import sha256
from importlib.resources import files

import msgspec
import pytest
from fontTools.ttLib import TTFont

from prawko.hooks.invoices import InvoiceLineData
from prawko.hooks.payments import PaymentMethod
from prawko.invoices.pdf import render_pdf
from prawko.kit.money import format_zloty
from prawko.kit.text.i18n import Language, load_catalog
from prawko_testing.invoice_issuer_contract import BUYER, LINES, SELLER, sample_invoice
from support.pdf import read_pages, read_text

POLISH = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ„”§€ 0123456789"
LONG = msgspec.structs.replace(
    BUYER,
    name="Przedsiębiorstwo Wielobranżowe „Zażółć Gęślą Jaźń” Krzysztof Brzęczyszczykiewicz i"
    " Wspólnicy Spółka z ograniczoną odpowiedzialnością Spółka komandytowa",
)


def printed_text(pdf: bytes) -> str:
    """The text of a PDF as one line, regardless of wrapping."""
    return " ".join(read_text(pdf).split())


@pytest.mark.parametrize(
    ("grosze", "written"),
    [(0, "0,00"), (5, "0,05"), (18327, "183,27"), (123456, "1 234,56"), (10**9, "10 000 000,00")],
)
def test_amounts_have_the_polish_format(grosze, written) -> None:
    assert format_zloty(grosze) == written.replace(" ", "\N{NO-BREAK SPACE}")
    with pytest.raises(ValueError, match="is negative"):
        format_zloty(-1)


def test_the_pdf_has_parties_lines_totals_and_payment() -> None:
    text = printed_text(render_pdf(sample_invoice(method=PaymentMethod.BLIK), structured=True))

    for expected_text in (
        "Faktura", "Invoice", "FV/2026/000001",
        "Data wystawienia Date of issue 01.01.2027",
        "Data otrzymania zapłaty Date of payment 31.12.2026",
        "Sprzedawca Seller Prawko Testowa Sp. z o.o. ul. Próżna 7/9 00-107 Warszawa NIP 1111111111",
        "Nabywca Buyer Zażółć „Gęślą” Jaźń & Synowie <Łódź> Spółka z",
        "90-001 Łódź NIP 5260250274",
        "Quantity Cena jedn. netto Net unit price Wartość netto Net value Stawka Rate Kwota",
        "1 Zwiększenie limitu kierowców do 10 1 usł. 11,67 11,67 23% 2,68 14,35",
        "2 Subskrypcja, limit kierowców: 10 1 usł. 199,00 199,00 23% 45,77 244,77",
        "23% 210,67 48,45 259,12", "Razem / Total 210,67 48,45 259,12",
        "Zapłacono Paid 259,12 zł", "Do zapłaty Amount due 0,00 zł",
        "Termin płatności Payment term zapłacono 31.12.2026",
        "Sposób płatności Payment method BLIK",
        "Ten wydruk jest jego wizualizacją.", "Strona 1 z 1",
    ):  # fmt: skip
        assert expected_text in text, expected_text
    assert "Numer KSeF" not in text
    assert "Rachunek" not in text


def test_only_a_structured_invoice_mentions_ksef() -> None:
    number = "1111111111-20270101-0123456789AB-CD"

    assert "KSeF" not in printed_text(render_pdf(sample_invoice(), structured=False))
    numbered = printed_text(render_pdf(sample_invoice(ksef_number=number), structured=True))
    assert f"Numer KSeF KSeF number {number}" in numbered


@pytest.mark.parametrize("method", list(PaymentMethod))
def test_every_method_has_a_label(method) -> None:
    label = load_catalog(Language.PL)["invoices"]["methods"][method]

    assert f"Payment method {label}" in printed_text(
        render_pdf(sample_invoice(method=method), structured=True)
    )


def test_long_names_wrap_and_lose_nothing() -> None:
    pdf = render_pdf(sample_invoice(buyer=LONG), structured=True)

    assert LONG.name in printed_text(pdf)
    assert LONG.street in printed_text(pdf)
    overlong = msgspec.structs.replace(LONG, name="Ż" * 300)
    whole_text = read_text(render_pdf(sample_invoice(buyer=overlong), structured=True)).replace(
        "\n", ""
    )
    assert "Ż" * 300 in whole_text


def test_line_breaks_and_tabs_in_a_name_are_blanks() -> None:
    unclean = msgspec.structs.replace(BUYER, name="Jan\r\nKowalski\tTransport")

    assert "Jan Kowalski Transport" in printed_text(
        render_pdf(sample_invoice(buyer=unclean), structured=True)
    )


def test_many_lines_continue_on_the_next_page_with_headings() -> None:
    lines = tuple(
        InvoiceLineData(name=f"Usługa numer {n}", net=100, vat=23, vat_percent=23)
        for n in range(60)
    )
    pages = read_pages(render_pdf(sample_invoice(lines=lines), structured=True))

    assert len(pages) == 3
    for number, page in enumerate(pages, start=1):
        assert "Nazwa usługi" in page
        assert " ".join(page[-2:]).split() == ["FV/2026/000001", "Strona", str(number), "z", "3"]
    names = [text for page in pages for text in page if text.startswith("Usługa numer")]
    assert names == [f"Usługa numer {n}" for n in range(60)]


def test_each_vat_rate_has_a_row() -> None:
    reduced_line = InvoiceLineData(name="Książka", net=100_00, vat=5_00, vat_percent=5)
    text = printed_text(render_pdf(sample_invoice(lines=(*LINES, reduced_line)), structured=False))

    assert "5% 100,00 5,00 105,00 23% 210,67 48,45 259,12 Razem / Total 310,67 53,45 364,12" in (
        text
    )


def test_an_account_number_is_printed_in_groups() -> None:
    seller = msgspec.structs.replace(SELLER, iban="61109010140000071219812874")

    assert "61 1090 1014 0000 0712 1981 2874" in printed_text(
        render_pdf(sample_invoice(seller=seller), structured=False)
    )


def test_the_same_invoice_gives_the_same_bytes() -> None:
    first, second = (render_pdf(sample_invoice(), structured=True) for _ in range(2))

    assert sha256(first).digest() == sha256(second).digest()
    assert first != render_pdf(sample_invoice(issued_on=date(2027, 1, 2)), structured=True)


@pytest.mark.parametrize("font_weight", ["Regular", "Bold"])
def test_the_font_has_every_letter_of_our_texts(font_weight) -> None:
    path = files("prawko.kit.documents").joinpath("fonts", f"PrawkoPlainZero-{font_weight}.ttf")
    letters = set(TTFont(str(path)).getBestCmap())
    our_texts = "".join(
        word
        for language in Language
        for table in ("sheet", "lines", "methods")
        for word in load_catalog(language)["invoices"][table].values()
    )

    assert {ord(letter) for letter in POLISH + our_texts} <= letters
    assert files("prawko.kit.documents").joinpath("fonts", "OFL.txt").is_file()


def test_no_glyph_is_missing_in_the_pdf(caplog) -> None:
    with caplog.at_level(logging.WARNING, logger="fpdf"):
        render_pdf(sample_invoice(buyer=LONG), structured=True)

    assert not caplog.records


@pytest.mark.parametrize("process", ["prawko.apps.web.app", "prawko.apps.worker.main"])
def test_no_process_imports_the_pdf_library_at_start(process) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", f"import {process}, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "prawko.invoices.models" in loaded
    assert not {"fpdf", "PIL", "fontTools"} & set(loaded)
