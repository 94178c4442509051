"""The data-processing agreement: its texts, its PDF, and a company's own copy."""

import asyncio
import re
from datetime import UTC, date, datetime
from importlib.resources import files

import msgspec
import pytest
from fontTools.ttLib import TTFont

from prawko.accounts.legal_acceptances import CompanyAcceptance
from prawko.accounts.legal_documents import VERSIONS, LegalDocument
from prawko.kit.documents.child_process import PDF_LIMITS
from prawko.kit.errors import UnavailableError
from prawko.kit.text.i18n import Language
from prawko.legal import service
from prawko.legal.agreement_builder import CustomerDetails, build_agreement, load_agreement
from prawko.legal.pdf import render_agreement
from prawko.legal.service import AgreementRenderer
from support.database import execute_as_owner, fetch_rows
from support.orders import ACME_DETAILS
from support.pdf import read_pages, read_text

pytestmark = pytest.mark.anyio

OWN = "/api/company/data-processing-agreement"
SAMPLE = "/api/legal/data-processing-agreement"
CURRENT = VERSIONS[LegalDocument.DATA_PROCESSING][0]
NEW_VERSION = date(2027, 3, 1)
ACCEPTANCE = CompanyAcceptance(datetime(2026, 11, 22, 11, 3, tzinfo=UTC), "anna@acme.test")
CUSTOMER = CustomerDetails(
    name="Zażółć & Gęślą Jaźń sp. z o.o.", tax_id="5260250274",
    address="Krzywa 2, 00-950 Łódź", account_email="anna@acme.test",
)  # fmt: skip
REQUIRED_SUBJECTS = (
    "Przedmiot i czas trwania", "Charakter i cel", "Rodzaj danych", "Polecenia", "Poufność",
    "Środki bezpieczeństwa", "Dalsze powierzenie", "Pomoc", "Naruszenia", "Usunięcie i zwrot",
    "Kontrola i audyt", "Odpowiedzialność",
)  # fmt: skip


def printed_text(pdf: bytes) -> str:
    """The text of a PDF as one line, regardless of wrapping."""
    return " ".join(read_text(pdf).split())


@pytest.fixture
def settings(context):
    return msgspec.structs.replace(
        context.settings, seller_name="Prawko Spółka z o.o.", operator_krs="0000123456",
        operator_register_court="Sąd Rejonowy w Łodzi", operator_share_capital=50_000,
        operator_contact_email="kontakt@prawko.test",
    )  # fmt: skip


def test_both_languages_have_the_same_structure() -> None:
    for version in VERSIONS[LegalDocument.DATA_PROCESSING]:
        polish, english = (load_agreement(version, language) for language in Language)

        assert [
            [len(one) if isinstance(one, list) else 0 for one in section.clauses]
            for section in polish.sections
        ] == [
            [len(one) if isinstance(one, list) else 0 for one in section.clauses]
            for section in english.sections
        ]
        titles = " ".join(section.title for section in polish.sections)
        assert [subject for subject in REQUIRED_SUBJECTS if subject not in titles] == []


def test_references_to_sections_are_right() -> None:
    sections = load_agreement(CURRENT, Language.PL).sections

    assert sections[8 - 1].title == "Dalsze powierzenie"
    assert sections[11 - 1].title == "Usunięcie i zwrot danych"


@pytest.mark.parametrize("language", list(Language))
async def test_the_pdf_has_parties_acceptance_and_every_clause(settings, language) -> None:
    agreement = build_agreement(
        settings, CURRENT, language, customer=CUSTOMER, acceptance=ACCEPTANCE
    )
    text = printed_text(render_agreement(agreement))

    for expected in (
        "Zażółć & Gęślą Jaźń sp. z o.o.", "Krzywa 2, 00-950 Łódź", "5260250274",
        "anna@acme.test", "Prawko Spółka z o.o.", "0000123456", "Sąd Rejonowy w Łodzi",
        "12:03", "kontakt@prawko.test",
    ):  # fmt: skip
        assert expected in text, expected
    without_blanks = text.replace(" ", "")
    for section in agreement.sections:
        for clause in section.clauses:
            for item in clause if isinstance(clause, list) else [clause]:
                assert item[:40].replace(" ", "").replace("\N{NO-BREAK SPACE}", "") in (
                    without_blanks.replace("\N{NO-BREAK SPACE}", "")
                ), item
    assert not re.search(r"[{}]", text.replace("{nb}", ""))


async def test_every_page_is_numbered_and_the_same_agreement_gives_the_same_bytes(settings) -> None:
    agreement = build_agreement(
        settings, CURRENT, Language.PL, customer=CUSTOMER, acceptance=ACCEPTANCE
    )
    first, second = render_agreement(agreement), render_agreement(agreement)
    pages = read_pages(first)

    assert first == second
    assert len(pages) >= 3
    for number, page in enumerate(pages, start=1):
        assert f"Strona {number} z {len(pages)}" in " ".join(" ".join(page).split())


def test_the_font_has_every_letter_of_the_texts() -> None:
    for weight in ("Regular", "Bold"):
        path = files("prawko.kit.documents").joinpath("fonts", f"PrawkoPlainZero-{weight}.ttf")
        letters = set(TTFont(str(path)).getBestCmap())
        for language in Language:
            text = msgspec.json.encode(load_agreement(CURRENT, language)).decode()
            assert {ord(letter) for letter in text} <= letters


async def test_a_visitor_gets_a_sample_in_the_language_of_the_screen(new_browser, settings) -> None:
    for lang, expected, name in (
        ("pl", "Wzór umowy", "umowa-powierzenia-danych.pdf"),
        ("en", "Sample.", "data-processing-agreement.pdf"),
    ):
        answer = await new_browser().get(SAMPLE, params={"lang": lang})

        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["content-disposition"] == f'inline; filename="{name}"'
        assert expected in printed_text(answer.content)
        assert "Prawko Testowa Sp. z o.o." in printed_text(answer.content)


async def test_an_unknown_language_is_refused(new_browser) -> None:
    answer = await new_browser().get(SAMPLE, params={"lang": "de"})

    assert answer.status_code == 400


async def test_a_company_gets_its_own_agreement(anna, bartek, celina) -> None:
    await anna.put("/api/user/billing-details", ACME_DETAILS)

    for person in (anna, bartek):
        text = printed_text((await person.get(OWN)).content)
        assert ACME_DETAILS["companyName"] in text
        assert ACME_DETAILS["taxId"] in text
        assert "przez użytkownika anna@acme.test" in text, "who accepted first for the company"
        assert f"Konto: {person.email}" in text
    rival = printed_text((await celina.get(OWN)).content)
    assert ACME_DETAILS["companyName"] not in rival
    assert "anna@acme.test" not in rival
    assert "Klient, który korzysta z konta celina@rival.test" in rival


async def test_a_company_keeps_the_version_it_accepted_until_it_accepts_the_next(
    anna, monkeypatch
) -> None:
    before = (await anna.get(OWN)).content
    texts = {CURRENT: load_agreement(CURRENT, Language.PL)}
    texts[NEW_VERSION] = msgspec.structs.replace(texts[CURRENT], title="Nowa umowa")
    monkeypatch.setattr("prawko.legal.agreement_builder.load_agreement", lambda day, _: texts[day])
    monkeypatch.setitem(VERSIONS, LegalDocument.DATA_PROCESSING, (NEW_VERSION, CURRENT))

    assert (await anna.get(OWN)).content == before
    await anna.post(
        "/api/user/legal-acceptances",
        {"documents": [{"document": "data_processing", "version": NEW_VERSION.isoformat()}]},
    )

    assert "Nowa umowa" in printed_text((await anna.get(OWN)).content)


async def test_without_an_acceptance_the_copy_says_so(anna, fleet) -> None:
    await fleet.admin.execute("DELETE FROM legal_acceptance")

    assert "nie została jeszcze zaakceptowana" in printed_text((await anna.get(OWN)).content)


async def test_an_agreement_is_limited_per_company(anna, bartek, celina, context) -> None:
    context.max_tries["agreement"] = 2
    statuses = [(await person.get(OWN)).status_code for person in (anna, bartek, anna, celina)]

    assert statuses == [200, 200, 429, 200]


async def test_a_drawn_agreement_is_kept_and_drawn_once(settings, monkeypatch) -> None:
    drawn = []

    async def draw(module: str, content: bytes, limits) -> bytes:
        assert module == "prawko.legal.pdf"
        drawn.append(content)
        await asyncio.sleep(0)
        return b"%PDF-"

    monkeypatch.setattr(service, "run_in_process", draw)
    monkeypatch.setattr(service, "MAX_CACHED", 2)
    kept = AgreementRenderer()

    def agreement(name: str):
        customer = msgspec.structs.replace(CUSTOMER, name=name)
        return build_agreement(settings, CURRENT, Language.PL, customer=customer, acceptance=None)

    await asyncio.gather(*(kept.draw(agreement("A")) for _ in range(5)))
    assert len(drawn) == 1
    for name in ("B", "C", "A"):
        await kept.draw(agreement(name))
    assert len(drawn) == 4, "only the latest two are kept"


async def test_a_failed_or_hanging_process_is_an_outage(settings, monkeypatch) -> None:
    agreement = build_agreement(settings, CURRENT, Language.PL, customer=None, acceptance=None)
    for seconds, executable in ((30, "/bin/false"), (0.2, "/bin/yes")):
        limits = msgspec.structs.replace(PDF_LIMITS, seconds=seconds)
        monkeypatch.setattr(service, "PDF_LIMITS", limits)
        monkeypatch.setattr("sys.executable", executable)

        with pytest.raises(UnavailableError):
            await AgreementRenderer().draw(agreement)


async def test_the_agreement_needs_a_verified_address(anna, logins) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET email_verified = false")

    assert (await anna.get(OWN)).status_code == 403
    assert await fetch_rows(logins, "SELECT 1 FROM legal_acceptance")
