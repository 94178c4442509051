"""The contract of invoice issuers, as tests: subclass it and supply your issuer.

    class TestContract(InvoiceIssuerContract):
        @pytest.fixture
        def issuer(self) -> MyIssuer: ...

Needs pytest and anyio; fixtures may be async.
"""

# ruff: noqa: S101 (tests are made of assertions)

from datetime import UTC, date, datetime

import msgspec
import pytest

from prawko.hooks.invoices import (
    InvoiceData,
    InvoiceError,
    InvoiceIssuer,
    InvoiceLineData,
    Party,
    Seller,
    StructuredInvoice,
)
from prawko.hooks.payments import PaymentMethod
from prawko_testing.plugin_calls import call_in_time
from prawko_testing.privacy import Contract

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
    InvoiceLineData(name="Zwiększenie limitu kierowców do 10", net=11_67, vat=2_68, vat_percent=23),
    InvoiceLineData(name="Subskrypcja, limit kierowców: 10", net=199_00, vat=45_77, vat_percent=23),
)


def sample_invoice(**changes: object) -> InvoiceData:
    """Return an invoice with everything that may cause problems for an issuer."""
    fields: dict[str, object] = {
        "number": "FV/2026/000001",
        "issued_at": datetime(2026, 12, 31, 23, 30, 15, 123456, tzinfo=UTC),
        "issued_on": date(2027, 1, 1),
        "sold_on": date(2026, 12, 31),
        "seller": SELLER,
        "buyer": BUYER,
        "lines": LINES,
        "method": PaymentMethod.CARD,
    }
    return InvoiceData(**{**fields, **changes})  # type: ignore[arg-type]


class InvoiceIssuerContract(Contract):
    """The contract of an issuer; supply the fixture `issuer`."""

    @pytest.fixture
    def issuer(self) -> InvoiceIssuer:
        """The issuer to test."""
        raise NotImplementedError

    async def test_it_has_a_name(self, issuer: InvoiceIssuer) -> None:
        assert issuer.name
        assert issuer.name == issuer.name.strip().lower()

    @pytest.mark.parametrize("method", list(PaymentMethod))
    async def test_a_rendered_document_is_valid(
        self, issuer: InvoiceIssuer, method: PaymentMethod
    ) -> None:
        document = await call_in_time(issuer.render, sample_invoice(method=method))

        assert document.schema
        await call_in_time(issuer.validate, document)

    async def test_the_same_invoice_gives_the_same_bytes(self, issuer: InvoiceIssuer) -> None:
        assert await call_in_time(issuer.render, sample_invoice()) == await call_in_time(
            issuer.render, sample_invoice()
        )

    async def test_the_document_names_parties_dates_and_amounts(
        self, issuer: InvoiceIssuer
    ) -> None:
        text = (await call_in_time(issuer.render, sample_invoice())).xml.decode()

        for expected in (
            "FV/2026/000001",
            "1111111111",
            "5260250274",
            "Gęślą",
            "259.12",
            "2027-01-01",
        ):
            assert expected in text, expected

    @pytest.mark.parametrize(
        "changes",
        [
            {"buyer": msgspec.structs.replace(BUYER, name="Ł" * 1000)},
            {"buyer": msgspec.structs.replace(BUYER, name="Jan\nKowalski\t Transport")},
            {"sold_on": date(2027, 1, 1)},
            {"lines": LINES * 50},
            {"seller": msgspec.structs.replace(SELLER, iban="61109010140000071219812874")},
        ],
        ids=[
            "long name",
            "name with line breaks",
            "paid on the issue date",
            "many lines",
            "account",
        ],
    )
    async def test_unusual_invoices_are_rendered_and_valid(
        self, issuer: InvoiceIssuer, changes: dict[str, object]
    ) -> None:
        await call_in_time(
            issuer.validate, await call_in_time(issuer.render, sample_invoice(**changes))
        )

    async def test_invalid_data_is_a_permanent_error(self, issuer: InvoiceIssuer) -> None:
        invalid = sample_invoice(buyer=msgspec.structs.replace(BUYER, tax_id="12"))
        with pytest.raises(InvoiceError) as refused:
            await call_in_time(issuer.validate, await call_in_time(issuer.render, invalid))
        assert refused.value.permanent

    async def test_an_error_does_not_quote_the_invoice(self, issuer: InvoiceIssuer) -> None:
        invalid = sample_invoice(buyer=msgspec.structs.replace(BUYER, tax_id="Kanarek"))
        with pytest.raises(InvoiceError) as refused:
            await call_in_time(issuer.validate, await call_in_time(issuer.render, invalid))
        assert "Kanarek" not in str(refused.value)
        assert "Gęślą" not in str(refused.value)

    async def test_malformed_documents_are_a_permanent_error(self, issuer: InvoiceIssuer) -> None:
        valid = await call_in_time(issuer.render, sample_invoice())
        for xml in (b"", b"not a document", valid.xml[:-10], b"<Faktura/>"):
            with pytest.raises(InvoiceError) as refused:
                await call_in_time(issuer.validate, StructuredInvoice(xml, valid.schema))
            assert refused.value.permanent

    async def test_it_can_be_closed(self, issuer: InvoiceIssuer) -> None:
        await call_in_time(issuer.close)
