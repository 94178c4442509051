"""A company's invoices: listed, drawn by a worker, handed out to nobody else, kept."""

import asyncio
import threading
import uuid
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import SimpleNamespace

import pytest

from fleet import overseen
from paper import text
from prawko.hooks.failures import AccountError
from prawko.hooks.invoices import InvoiceError, StructuredInvoice
from prawko.invoices import finishing
from prawko.invoices.jobs import finish_invoices, forget_old_invoices
from prawko.invoices.retention import invoices_kept_from
from prawko.personal_data.erasure import erase_company
from prawko_tenants.ids import TenantId, new_id
from sales import ACME, issued, with_issuer
from stored import look, write

pytestmark = pytest.mark.anyio

STATE = "SELECT state, attempts, reason, due_at FROM invoice ORDER BY serial"
FILES = "SELECT kind, content, sha256 FROM invoice_file ORDER BY invoice_id, kind"
INCIDENTS = "SELECT detail, closed_at FROM incident WHERE kind = 'invoice_stuck'"


class Mill:
    """An issuer that fails as it is told."""

    name = "mill"

    def __init__(self) -> None:
        self.written = 0
        self.fails: Exception | None = None
        self.refuses: Exception | None = None

    async def issue(self, invoice) -> StructuredInvoice:
        if self.fails:
            raise self.fails
        self.written += 1
        return StructuredInvoice(f"<{self.written} {invoice.number}>".encode(), "Mill 1")

    async def check(self, document) -> None:
        if self.refuses:
            raise self.refuses

    async def close(self) -> None:
        pass


@pytest.fixture
def mill(worker) -> Mill:
    return Mill()


@pytest.fixture
def works(worker, mill):
    """The worker's tools, with the mill as the issuer."""
    return with_issuer(worker, mill)


async def due_again(logins) -> None:
    """Nobody waits for the back-off."""
    companies = await look(logins, "SELECT DISTINCT tenant_id FROM invoice")
    for row in companies:
        await write(
            logins,
            f"SELECT set_config('app.tenant_id', '{row['tenant_id']}', false);"
            " UPDATE invoice SET due_at = now() WHERE due_at IS NOT NULL",
        )


async def test_a_company_sees_its_own_invoices_newest_first(anna, bartek, celina, worker):
    company = await anna.tenant_id(worker)
    await issued(worker, company)
    await issued(worker, await celina.tenant_id(worker))
    await issued(with_issuer(worker), company)

    answer = await anna.get("/api/invoices")

    assert answer.status_code == 200
    newest, oldest = answer.json()
    assert [newest["number"], oldest["number"]] == ["FV/2026/000003", "FV/2026/000001"]
    assert {key: value for key, value in oldest.items() if key not in {"id", "number"}} == {
        "issuedAt": "2026-11-21T12:00:00Z", "net": 210_67, "vat": 48_45, "gross": 259_12,
        "currency": "PLN", "pdfReady": False, "ksefState": None,
    }  # fmt: skip
    assert newest["ksefState"] == "numbered"
    assert (await bartek.get("/api/invoices")).json() == answer.json()
    assert [row["number"] for row in (await celina.get("/api/invoices")).json()] == [
        "FV/2026/000002"
    ]
    second = await anna.get("/api/invoices?page=2&pageSize=1")
    assert [row["number"] for row in second.json()] == ["FV/2026/000001"]
    assert second.headers["content-range"] == "invoices 1-1/2"


async def test_a_sheet_is_drawn_by_a_worker_and_handed_out_to_its_company_alone(
    anna, celina, worker
):
    invoice = await issued(worker, await anna.tenant_id(worker))
    early = await anna.get(f"/api/invoices/{invoice}/pdf")
    assert early.status_code == 503
    assert early.json()["error"] == "invoice_not_ready"
    assert int(early.headers["retry-after"]) > 0

    await finish_invoices(worker)

    assert (await anna.get("/api/invoices")).json()[0]["pdfReady"] is True
    answer = await anna.get(f"/api/invoices/{invoice}/pdf")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'attachment; filename="FV-2026-000001.pdf"'
    assert answer.headers["cache-control"] == "no-store"
    assert ACME.company_name in " ".join(text(answer.content).split())
    again = await anna.get(f"/api/invoices/{invoice}/pdf")
    assert sha256(again.content).digest() == sha256(answer.content).digest()

    foreign = await celina.get(f"/api/invoices/{invoice}/pdf")
    missing = await celina.get(f"/api/invoices/{uuid.uuid4()}/pdf")
    malformed = await celina.get("/api/invoices/x/pdf")
    assert foreign.status_code == 404
    assert foreign.content == missing.content == malformed.content


async def test_a_document_is_written_checked_and_never_written_again(anna, worker, logins):
    company = await anna.tenant_id(worker)
    await issued(with_issuer(worker), company)
    await asyncio.gather(finish_invoices(worker), finish_invoices(worker))

    [row] = await look(logins, STATE)
    pdf, xml = await look(logins, FILES)
    assert (row["state"], row["due_at"], row["attempts"]) == ("xsd_ok", None, 0)
    assert (pdf["kind"], xml["kind"]) == ("pdf", "xml")
    assert ACME.company_name in xml["content"].decode()
    for file in (pdf, xml):
        assert file["sha256"] == sha256(file["content"]).digest()

    await write(
        logins,
        f"SELECT set_config('app.tenant_id', '{company}', false);"
        " UPDATE invoice SET due_at = now()",
    )
    await finish_invoices(with_issuer(worker, Mill()))
    assert await look(logins, FILES) == [pdf, xml]
    assert (await anna.get("/api/invoices")).json()[0]["ksefState"] == "xsd_ok"


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (InvoiceError("no room"), "FV/2026/000001: xml: no room"),
        (InvoiceError("no such element", permanent=True), "FV/2026/000001: xml: no such element"),
        (AccountError("the certificate ended"), "FV/2026/000001: xml: the certificate ended"),
        (ValueError("Zażółć Gęślą Jaźń"), "FV/2026/000001: xml: ValueError"),
    ],
    ids=["try again", "never again", "our account", "bug"],
)
async def test_what_fails_is_one_incident_and_keeps_nobody_from_the_sheet(
    anna, works, mill, logins, fails, told
):
    company = await anna.tenant_id(works)
    await issued(works, company)
    mill.fails = fails
    for _ in range(3):
        await finish_invoices(works)
        await due_again(logins)

    [row] = await look(logins, STATE)
    [incident] = await look(logins, INCIDENTS)
    assert (row["state"], row["attempts"]) == ("numbered", 3)
    assert incident["detail"] == told
    assert incident["closed_at"] is None
    mails = await look(logins, "SELECT count(*) AS n FROM delivery WHERE kind = 'operator'")
    assert mails[0]["n"] == 1
    assert (await anna.get("/api/invoices")).json()[0]["pdfReady"] is True

    mill.fails = None
    await finish_invoices(works)

    [row] = await look(logins, STATE)
    [incident] = await look(logins, INCIDENTS)
    assert (row["state"], row["reason"], row["due_at"]) == ("xsd_ok", None, None)
    assert incident["closed_at"] is not None


async def test_a_failure_waits_longer_and_longer_and_holds_up_nobody_else(
    anna, celina, works, mill, logins
):
    await issued(works, await anna.tenant_id(works))
    mill.fails = InvoiceError("no room")
    await finish_invoices(works)
    mill.fails = None
    await issued(works, await celina.tenant_id(works))

    await finish_invoices(works)

    waits, done = await look(logins, STATE)
    assert (waits["state"], done["state"]) == ("numbered", "xsd_ok")
    assert waits["due_at"] > datetime.now(UTC) + timedelta(seconds=20)
    [incident] = await look(logins, INCIDENTS)
    assert incident["closed_at"] is None  # one of them still waits


async def test_a_document_that_its_check_refuses_is_written_anew_when_its_writer_is_mended(
    anna, works, mill, logins
):
    await issued(works, await anna.tenant_id(works))
    mill.refuses = InvoiceError("the schema refuses it", permanent=True)
    await finish_invoices(works)
    assert [file["kind"] for file in await look(logins, FILES)] == ["pdf"]

    mill.refuses = None
    await due_again(logins)
    await finish_invoices(works)

    _, xml = await look(logins, FILES)
    assert xml["content"] == b"<2 FV/2026/000001>"
    assert [row["state"] for row in await look(logins, STATE)] == ["xsd_ok"]


async def test_a_crash_between_writing_and_checking_leaves_the_bytes_that_were_stored(
    anna, works, mill, logins
):
    await issued(works, await anna.tenant_id(works))
    mill.refuses = InvoiceError("killed")  # stored, and not checked
    await finish_invoices(works)
    [row] = await look(logins, STATE)
    assert row["state"] == "xml_built"

    mill.refuses = None
    await due_again(logins)
    await finish_invoices(works)

    _, xml = await look(logins, FILES)
    assert (xml["content"], mill.written) == (b"<1 FV/2026/000001>", 1)


async def test_bytes_that_changed_in_the_database_are_noticed(anna, works, mill, logins):
    company = await anna.tenant_id(works)
    await issued(works, company)
    mill.refuses = InvoiceError("killed")
    await finish_invoices(works)
    await write(
        logins,
        f"SELECT set_config('app.tenant_id', '{company}', false);"
        " UPDATE invoice_file SET content = content || 'x'",
    )

    mill.refuses = None
    await due_again(logins)
    await finish_invoices(works)

    [row] = await look(logins, STATE)
    assert row["state"] == "xml_built"
    assert "was changed after it was stored" in row["reason"]
    [invoice] = (await anna.get("/api/invoices")).json()
    assert (await anna.get(f"/api/invoices/{invoice['id']}/pdf")).status_code == 500


async def test_an_issuer_that_is_gone_is_told_and_waited_for(anna, worker, works, logins):
    await issued(works, await anna.tenant_id(worker))

    await finish_invoices(worker)

    [row] = await look(logins, STATE)
    assert row["reason"] == "xml: the issuer mill is not loaded"


async def test_no_transaction_is_open_while_a_document_is_written_or_a_sheet_is_drawn(
    works, mill, logins, servers, monkeypatch
):
    open_ones = []

    async def draw(*args, **options):
        open_ones.append(await fleet.open_transactions())
        return await asyncio.to_thread(*args, **options)

    class Watched(Mill):
        async def issue(self, invoice):
            open_ones.append(await fleet.open_transactions())
            return await super().issue(invoice)

    monkeypatch.setattr(finishing, "asyncio", SimpleNamespace(to_thread=draw))
    tools = with_issuer(works, Watched())
    await issued(tools, new_id())
    async with overseen(servers, logins) as fleet:
        await finish_invoices(tools)

    assert [row["state"] for row in await look(logins, STATE)] == ["xsd_ok"]
    assert open_ones == [0, 0]


async def test_the_sheet_is_drawn_beside_the_loop(works, monkeypatch):
    """A worker that draws goes on asking the register meanwhile."""
    threads = []
    drawn = finishing._drawn

    def watched(*args, **options):
        threads.append(threading.current_thread() is threading.main_thread())
        return drawn(*args, **options)

    monkeypatch.setattr(finishing, "_drawn", watched)
    await issued(works, new_id())
    await finish_invoices(works)

    assert threads == [False]


async def test_an_erased_company_leaves_its_invoices_and_they_are_finished(anna, worker, logins):
    company = await anna.tenant_id(worker)
    await issued(with_issuer(worker), company)
    async with worker.database.tenant(TenantId(company)) as session:
        await erase_company(session)

    await finish_invoices(worker)

    assert await look(logins, "SELECT id FROM tenant") == []
    [kept] = await look(logins, "SELECT number, buyer_name, buyer_tax_id, state FROM invoice")
    assert dict(kept) == {
        "number": "FV/2026/000001", "buyer_name": ACME.company_name,
        "buyer_tax_id": ACME.tax_id, "state": "xsd_ok",
    }  # fmt: skip
    assert (
        len(await look(logins, FILES)) == len(await look(logins, "SELECT FROM invoice_line")) == 2
    )


async def test_old_invoices_are_forgotten_with_lines_and_files_of_erased_companies_too(
    anna, worker, logins
):
    present = invoices_kept_from(datetime.now(UTC))
    old = datetime(present.year, present.month, present.day, 12, tzinfo=UTC) - timedelta(days=1)
    await issued(worker, await anna.tenant_id(worker), now=old)
    await issued(worker, new_id(), now=old)
    await issued(worker, await anna.tenant_id(worker), now=old + timedelta(days=1))
    await finish_invoices(worker)
    worker.clock.forward(days=4000)  # moved clocks forget nothing

    await forget_old_invoices(worker)

    [left] = await look(logins, "SELECT id, issued_on FROM invoice")
    assert left["issued_on"] == present
    for table in ("invoice_line", "invoice_file"):
        [kept] = await look(logins, f"SELECT DISTINCT invoice_id FROM {table}")
        assert kept["invoice_id"] == left["id"]
