"""FA(3) documents, held against the ministry's schema as `ksef-client` ships it."""

import asyncio
import subprocess
import sys
import threading

import msgspec
import pytest
from lxml import etree

from prawko.hooks.invoices import InvoiceError, StructuredInvoice
from prawko.hooks.payments import Method
from prawko.testing.issuer_contract import BUYER, InvoiceIssuerContract, invoice
from prawko_invoices_ksef import KsefIssuer, fa3
from prawko_invoices_ksef.fa3 import NAMESPACE

pytestmark = pytest.mark.anyio


class TestContract(InvoiceIssuerContract):
    """The issuer keeps every promise of an issuer."""

    @pytest.fixture
    def issuer(self) -> KsefIssuer:
        return KsefIssuer()


def said(document: StructuredInvoice, name: str) -> list[str]:
    found = etree.fromstring(document.xml).iter(f"{{{NAMESPACE}}}{name}")
    return [element.text for element in found]


async def test_two_lines_sum_up_to_the_grosz_as_they_were_rounded() -> None:
    document = await KsefIssuer().issue(invoice())

    assert said(document, "P_11") == ["11.67", "199.00"]
    assert said(document, "P_11Vat") == ["2.68", "45.77"]
    assert said(document, "P_13_1") == ["210.67"]
    assert said(document, "P_14_1") == ["48.45"]
    assert said(document, "P_15") == ["259.12"]


async def test_dates_numbers_and_parties_stand_where_the_schema_wants_them() -> None:
    document = await KsefIssuer().issue(invoice())

    assert said(document, "P_1") == ["2027-01-01"]
    assert said(document, "P_2") == ["FV/2026/000001"]
    assert said(document, "P_6") == ["2026-12-31"]
    assert said(document, "NIP") == ["1111111111", "5260250274"]
    assert said(document, "Nazwa")[1] == BUYER.name
    assert said(document, "AdresL2") == ["00-107 Warszawa", "90-001 Łódź"]
    assert said(document, "Zaplacono") == ["1"]
    assert said(document, "DataZaplaty") == ["2026-12-31"]
    assert said(document, "DataWytworzeniaFa") == ["2026-12-31T23:30:15Z"]
    assert said(document, "KodFormularza") == ["FA"]


async def test_a_payment_on_the_day_of_issue_is_not_said_twice() -> None:
    document = await KsefIssuer().issue(invoice(sold_on=invoice().issued_on))

    assert said(document, "P_6") == []


@pytest.mark.parametrize(
    ("method", "form", "other"),
    [
        (Method.CARD, ["2"], []),
        (Method.TRANSFER, ["6"], []),
        (Method.BLIK, ["7"], []),
        (Method.PRZELEWY24, [], ["Przelewy24"]),
    ],
)
async def test_the_method_is_said_in_the_states_words(method, form, other) -> None:
    document = await KsefIssuer().issue(invoice(method=method))

    assert said(document, "FormaPlatnosci") == form
    assert said(document, "OpisPlatnosci") == other


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b"<P_15>259.12<", b"<P_15>259.13<"),
        (b"<P_14_1>48.45<", b"<P_14_1>48.44<"),
        (b"<P_13_1>210.67<", b"<P_13_1>210.66<"),
        (b"<P_11>11.67<", b"<P_11>11.68<"),
        (b"<P_11Vat>45.77<", b"<P_11Vat>45.76<"),
    ],
)
async def test_a_corrupted_amount_is_refused(right, wrong) -> None:
    document = await KsefIssuer().issue(invoice())
    corrupted = msgspec.structs.replace(document, xml=document.xml.replace(right, wrong))
    assert corrupted.xml != document.xml

    with pytest.raises(InvoiceError, match="do not add up"):
        await KsefIssuer().check(corrupted)


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        (b"<NIP>5260250274<", b"<NIP>526-025-02-74<", "NIP"),
        (b"<P_1>2027-01-01<", b"<P_1>1.1.2027<", "P_1"),
        (b"<RodzajFaktury>VAT<", b"<RodzajFaktury>FV<", "RodzajFaktury"),
        (b"<P_2>FV/2026/000001</P_2>", b"", "P_"),
    ],
)
async def test_what_breaks_the_schema_is_refused_by_the_name_of_its_element(
    right, wrong, named
) -> None:
    document = await KsefIssuer().issue(invoice())
    broken = msgspec.structs.replace(document, xml=document.xml.replace(right, wrong))
    assert broken.xml != document.xml

    with pytest.raises(InvoiceError, match=f"the schema refuses it.*{named}"):
        await KsefIssuer().check(broken)


async def test_another_rate_than_the_one_we_sell_at_is_refused() -> None:
    reduced = [msgspec.structs.replace(line, vat_percent=8) for line in invoice().lines]

    with pytest.raises(InvoiceError) as refused:
        await KsefIssuer().issue(invoice(lines=tuple(reduced)))

    assert refused.value.permanent


def test_nothing_is_loaded_before_the_first_invoice() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import prawko_invoices_ksef, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "prawko_invoices_ksef" in loaded
    assert not {"ksef_client", "lxml", "lxml.etree", "httpx", "cryptography"} & set(loaded)


async def test_documents_are_checked_beside_each_other_and_beside_other_xml() -> None:
    """lxml has one loader of parts for all threads: what is parsed beside it must not matter."""
    document = await KsefIssuer().issue(invoice())
    ended = threading.Event()

    def parse() -> None:
        while not ended.is_set():
            etree.fromstring(document.xml)

    others = [threading.Thread(target=parse) for _ in range(2)]
    for other in others:
        other.start()
    try:
        for _ in range(10):
            fa3._schema.cache_clear()
            await asyncio.gather(*(KsefIssuer().check(document) for _ in range(4)))
    finally:
        ended.set()
        for other in others:
            other.join()
