"""FA(3) documents, validated against the ministry's schema from `ksef-client`."""

import asyncio
import subprocess
import sys
import threading

import msgspec
import pytest
from lxml import etree

from prawko.hooks.invoices import InvoiceError, StructuredInvoice
from prawko.hooks.payments import PaymentMethod
from prawko_invoices_ksef import KsefIssuer, fa3
from prawko_invoices_ksef.fa3 import NAMESPACE
from prawko_testing.invoice_issuer_contract import BUYER, InvoiceIssuerContract, sample_invoice

pytestmark = pytest.mark.anyio


class TestContract(InvoiceIssuerContract):
    """The contract of an issuer."""

    @pytest.fixture
    def issuer(self) -> KsefIssuer:
        return KsefIssuer()


def element_texts(document: StructuredInvoice, name: str) -> list[str]:
    elements = etree.fromstring(document.xml).iter(f"{{{NAMESPACE}}}{name}")
    return [element.text for element in elements]


async def test_totals_are_the_sums_of_the_rounded_lines() -> None:
    document = await KsefIssuer().render(sample_invoice())

    assert element_texts(document, "P_11") == ["11.67", "199.00"]
    assert element_texts(document, "P_11Vat") == ["2.68", "45.77"]
    assert element_texts(document, "P_13_1") == ["210.67"]
    assert element_texts(document, "P_14_1") == ["48.45"]
    assert element_texts(document, "P_15") == ["259.12"]


async def test_dates_numbers_and_parties_are_in_their_elements() -> None:
    document = await KsefIssuer().render(sample_invoice())

    assert element_texts(document, "P_1") == ["2027-01-01"]
    assert element_texts(document, "P_2") == ["FV/2026/000001"]
    assert element_texts(document, "P_6") == ["2026-12-31"]
    assert element_texts(document, "NIP") == ["1111111111", "5260250274"]
    assert element_texts(document, "Nazwa")[1] == BUYER.name
    assert element_texts(document, "AdresL2") == ["00-107 Warszawa", "90-001 Łódź"]
    assert element_texts(document, "Zaplacono") == ["1"]
    assert element_texts(document, "DataZaplaty") == ["2026-12-31"]
    assert element_texts(document, "DataWytworzeniaFa") == ["2026-12-31T23:30:15Z"]
    assert element_texts(document, "KodFormularza") == ["FA"]


async def test_a_payment_on_the_issue_date_is_not_repeated() -> None:
    document = await KsefIssuer().render(sample_invoice(sold_on=sample_invoice().issued_on))

    assert element_texts(document, "P_6") == []


@pytest.mark.parametrize(
    ("method", "form", "code_field"),
    [
        (PaymentMethod.CARD, ["2"], []),
        (PaymentMethod.TRANSFER, ["6"], []),
        (PaymentMethod.BLIK, ["7"], []),
        (PaymentMethod.PRZELEWY24, [], ["Przelewy24"]),
    ],
)
async def test_each_payment_method_has_its_code(method, form, code_field) -> None:
    document = await KsefIssuer().render(sample_invoice(method=method))

    assert element_texts(document, "FormaPlatnosci") == form
    assert element_texts(document, "OpisPlatnosci") == code_field


@pytest.mark.parametrize(
    ("valid", "wrong"),
    [
        (b"<P_15>259.12<", b"<P_15>259.13<"),
        (b"<P_14_1>48.45<", b"<P_14_1>48.44<"),
        (b"<P_13_1>210.67<", b"<P_13_1>210.66<"),
        (b"<P_11>11.67<", b"<P_11>11.68<"),
        (b"<P_11Vat>45.77<", b"<P_11Vat>45.76<"),
    ],
)
async def test_a_corrupted_amount_is_refused(valid, wrong) -> None:
    document = await KsefIssuer().render(sample_invoice())
    corrupted = msgspec.structs.replace(document, xml=document.xml.replace(valid, wrong))
    assert corrupted.xml != document.xml

    with pytest.raises(InvoiceError, match="do not add up"):
        await KsefIssuer().validate(corrupted)


@pytest.mark.parametrize(
    ("valid", "corrupted", "element"),
    [
        (b"<NIP>5260250274<", b"<NIP>526-025-02-74<", "NIP"),
        (b"<P_1>2027-01-01<", b"<P_1>1.1.2027<", "P_1"),
        (b"<RodzajFaktury>VAT<", b"<RodzajFaktury>FV<", "RodzajFaktury"),
        (b"<P_2>FV/2026/000001</P_2>", b"", "P_"),
    ],
)
async def test_a_violation_of_the_schema_names_its_element(valid, corrupted, element) -> None:
    document = await KsefIssuer().render(sample_invoice())
    corrupted_document = msgspec.structs.replace(
        document, xml=document.xml.replace(valid, corrupted)
    )
    assert corrupted_document.xml != document.xml

    with pytest.raises(InvoiceError, match=f"it violates the schema.*{element}"):
        await KsefIssuer().validate(corrupted_document)


async def test_another_vat_rate_is_refused() -> None:
    reduced = [msgspec.structs.replace(line, vat_percent=8) for line in sample_invoice().lines]

    with pytest.raises(InvoiceError) as refused:
        await KsefIssuer().render(sample_invoice(lines=tuple(reduced)))

    assert refused.value.permanent


def test_the_client_is_imported_with_the_first_invoice() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import prawko_invoices_ksef, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "prawko_invoices_ksef" in loaded
    assert not {"ksef_client", "lxml", "lxml.etree", "httpx", "cryptography"} & set(loaded)


async def test_documents_are_validated_concurrently() -> None:
    """lxml has one loader of parts for all threads: what is parsed beside it must not matter."""
    document = await KsefIssuer().render(sample_invoice())
    ended = threading.Event()

    def parse() -> None:
        while not ended.is_set():
            etree.fromstring(document.xml)

    threads = [threading.Thread(target=parse) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            fa3.load_schema.cache_clear()
            await asyncio.gather(*(KsefIssuer().validate(document) for _ in range(4)))
    finally:
        ended.set()
        for thread in threads:
            thread.join()
