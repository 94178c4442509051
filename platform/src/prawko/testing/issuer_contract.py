"""What every issuer of structured invoices promises, as tests: subclass it and hand in yours.

    class TestContract(InvoiceIssuerContract):
        @pytest.fixture
        def issuer(self) -> MyIssuer: ...

Needs pytest and anyio; your fixtures may be async, for every test is.
"""

# ruff: noqa: S101 (tests are made of assertions)

from datetime import UTC, date, datetime

import msgspec
import pytest

from prawko.hooks.invoices import (
    Invoice,
    InvoiceError,
    InvoiceIssuer,
    InvoiceLine,
    Party,
    Seller,
    StructuredInvoice,
)
from prawko.hooks.payments import Method

SELLER = Seller(
    name="Prawko Testowa Sp. z o.o.",
    tax_id="1111111111",
    street="ul. Próżna 7/9",
    postal_code="00-107",
    city="Warszawa",
)
BUYER = Party(
    name="Zażółć „Gęślą” Jaźń & Synowie <Łódź> Spółka z ograniczoną odpowiedzialnością",
    tax_id="5260250274",
    street="ul. Księcia Władysława Łokietka 123/45, budynek C, wejście od podwórza",
    postal_code="90-001",
    city="Łódź",
)
LINES = (
    InvoiceLine(name="Zwiększenie limitu kierowców do 10", net=11_67, vat=2_68, vat_percent=23),
    InvoiceLine(name="Abonament, limit kierowców: 10", net=199_00, vat=45_77, vat_percent=23),
)


def invoice(**more: object) -> Invoice:
    """An invoice with everything in it that an issuer may stumble over."""
    given: dict[str, object] = {
        "number": "FV/2026/000001",
        "issued_at": datetime(2026, 12, 31, 23, 30, 15, 123456, tzinfo=UTC),
        "issued_on": date(2027, 1, 1),
        "sold_on": date(2026, 12, 31),
        "seller": SELLER,
        "buyer": BUYER,
        "lines": LINES,
        "method": Method.CARD,
    }
    return Invoice(**{**given, **more})  # type: ignore[arg-type]


class InvoiceIssuerContract:
    """Promises that every issuer keeps."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def issuer(self) -> InvoiceIssuer:
        """An issuer that works."""
        raise NotImplementedError

    async def test_it_has_a_name(self, issuer: InvoiceIssuer) -> None:
        assert issuer.name
        assert issuer.name == issuer.name.strip().lower()

    @pytest.mark.parametrize("method", list(Method))
    async def test_what_it_writes_stands_its_own_check(
        self, issuer: InvoiceIssuer, method: Method
    ) -> None:
        document = await issuer.issue(invoice(method=method))

        assert document.schema
        await issuer.check(document)

    async def test_the_same_invoice_gives_the_same_bytes(self, issuer: InvoiceIssuer) -> None:
        assert await issuer.issue(invoice()) == await issuer.issue(invoice())

    async def test_it_says_who_sold_what_to_whom(self, issuer: InvoiceIssuer) -> None:
        text = (await issuer.issue(invoice())).xml.decode()

        for said in ("FV/2026/000001", "1111111111", "5260250274", "Gęślą", "259.12", "2027-01-01"):
            assert said in text, said

    @pytest.mark.parametrize(
        "about",
        [
            {"buyer": msgspec.structs.replace(BUYER, name="Ł" * 1000)},
            {"buyer": msgspec.structs.replace(BUYER, name="Jan\nKowalski\t Transport")},
            {"sold_on": date(2027, 1, 1)},
            {"lines": LINES * 50},
            {"seller": msgspec.structs.replace(SELLER, iban="61109010140000071219812874")},
        ],
        ids=["a long name", "a name in lines", "paid that day", "many lines", "an account"],
    )
    async def test_it_takes_what_people_type(
        self, issuer: InvoiceIssuer, about: dict[str, object]
    ) -> None:
        await issuer.check(await issuer.issue(invoice(**about)))

    async def test_what_it_cannot_write_or_pass_is_refused_for_good(
        self, issuer: InvoiceIssuer
    ) -> None:
        nobody = invoice(buyer=msgspec.structs.replace(BUYER, tax_id="12"))
        with pytest.raises(InvoiceError) as refused:
            await issuer.check(await issuer.issue(nobody))
        assert refused.value.permanent

    async def test_what_it_refuses_it_does_not_quote(self, issuer: InvoiceIssuer) -> None:
        nobody = invoice(buyer=msgspec.structs.replace(BUYER, tax_id="Kanarek"))
        with pytest.raises(InvoiceError) as refused:
            await issuer.check(await issuer.issue(nobody))
        assert "Kanarek" not in str(refused.value)
        assert "Gęślą" not in str(refused.value)

    async def test_bytes_that_are_no_document_are_refused_for_good(
        self, issuer: InvoiceIssuer
    ) -> None:
        good = await issuer.issue(invoice())
        for xml in (b"", b"not a document", good.xml[:-10], b"<Faktura/>"):
            with pytest.raises(InvoiceError) as refused:
                await issuer.check(StructuredInvoice(xml, good.schema))
            assert refused.value.permanent

    async def test_it_closes(self, issuer: InvoiceIssuer) -> None:
        await issuer.close()
