"""Invoices: list, documents built by workers, access, retention."""

import asyncio
import re
import threading
import uuid
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import SimpleNamespace

import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.invoices import InvoiceError, StructuredInvoice
from prawko.invoices import document_builder
from prawko.invoices.jobs import build_due_invoices, purge_expired_invoices
from prawko.invoices.rules import retention_cutoff
from prawko.kit.incidents.plugin_faults import PLUGIN_FAILING
from prawko.kit.providers.experience import FAULTS_UNTIL_REST
from prawko.personal_data.erasure import erase_company
from prawko_tenants.ids import TenantId, new_id
from support.database import execute_as_owner, fetch_rows
from support.invoices import ACME_BUYER, issue_sale, with_issuer
from support.pdf import read_text

pytestmark = pytest.mark.anyio

SELECT_STATE = "SELECT state, attempts, reason, next_attempt_at FROM invoice ORDER BY serial"
SELECT_FILES = "SELECT kind, content, sha256 FROM invoice_file ORDER BY invoice_id, kind"
SELECT_INCIDENTS = "SELECT detail, closed_at FROM incident WHERE kind = 'invoice_stuck'"


class ScriptedIssuer:
    """An issuer whose errors the test sets."""

    name = "mill"

    def __init__(self) -> None:
        self.document_count = 0
        self.render_error: Exception | None = None
        self.validation_error: Exception | None = None

    async def render(self, invoice) -> StructuredInvoice:
        if self.render_error:
            raise self.render_error
        self.document_count += 1
        return StructuredInvoice(f"<{self.document_count} {invoice.number}>".encode(), "Mill 1")

    async def validate(self, document) -> None:
        if self.validation_error:
            raise self.validation_error

    async def close(self) -> None:
        pass


@pytest.fixture
def issuer(worker) -> ScriptedIssuer:
    return ScriptedIssuer()


@pytest.fixture
def worker_with_issuer(worker, issuer):
    """The worker's context with the scripted issuer."""
    return with_issuer(worker, issuer)


async def make_due(logins) -> None:
    """Make all unfinished invoices due, regardless of the back-off."""
    companies = await fetch_rows(logins, "SELECT DISTINCT tenant_id FROM invoice")
    for row in companies:
        await execute_as_owner(
            logins,
            f"SELECT set_config('app.tenant_id', '{row['tenant_id']}', false);"
            " UPDATE invoice SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL",
        )


async def test_a_company_sees_its_own_invoices_newest_first(anna, accountant, celina, worker):
    company = await anna.tenant_id(worker)
    await issue_sale(worker, company)
    await issue_sale(worker, await celina.tenant_id(worker))
    await issue_sale(with_issuer(worker), company)

    answer = await anna.get("/api/invoices")

    assert answer.status_code == 200
    newest, oldest = answer.json()
    assert [newest["number"], oldest["number"]] == ["FV/2026/000003", "FV/2026/000001"]
    assert {key: value for key, value in oldest.items() if key not in {"id", "number"}} == {
        "issuedAt": "2026-11-21T12:00:00Z", "net": 210_67, "vat": 48_45, "gross": 259_12,
        "currency": "PLN", "pdfReady": False, "ksefState": None,
    }  # fmt: skip
    assert newest["ksefState"] == "numbered"
    assert (await accountant.get("/api/invoices")).json() == answer.json()
    assert [row["number"] for row in (await celina.get("/api/invoices")).json()] == [
        "FV/2026/000002"
    ]
    second = await anna.get("/api/invoices?page=2&pageSize=1")
    assert [row["number"] for row in second.json()] == ["FV/2026/000001"]
    assert second.headers["content-range"] == "invoices 1-1/2"


async def test_a_pdf_is_rendered_by_a_worker_and_returned_to_its_company_only(anna, celina, worker):
    invoice = await issue_sale(worker, await anna.tenant_id(worker))
    unavailable = await anna.get(f"/api/invoices/{invoice}/pdf")
    assert unavailable.status_code == 503
    assert unavailable.json()["error"] == "invoice_not_ready"
    assert int(unavailable.headers["retry-after"]) > 0

    await build_due_invoices(worker)

    assert (await anna.get("/api/invoices")).json()[0]["pdfReady"] is True
    answer = await anna.get(f"/api/invoices/{invoice}/pdf")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'attachment; filename="FV-2026-000001.pdf"'
    assert answer.headers["cache-control"] == "no-store"
    assert ACME_BUYER.company_name in " ".join(read_text(answer.content).split())
    downloaded = await anna.get(f"/api/invoices/{invoice}/pdf")
    assert sha256(downloaded.content).digest() == sha256(answer.content).digest()

    foreign = await celina.get(f"/api/invoices/{invoice}/pdf")
    missing = await celina.get(f"/api/invoices/{uuid.uuid4()}/pdf")
    malformed = await celina.get("/api/invoices/x/pdf")
    assert foreign.status_code == 404
    assert foreign.content == missing.content == malformed.content


async def test_a_document_is_rendered_validated_and_never_rendered_again(anna, worker, logins):
    company = await anna.tenant_id(worker)
    await issue_sale(with_issuer(worker), company)
    await asyncio.gather(build_due_invoices(worker), build_due_invoices(worker))

    [row] = await fetch_rows(logins, SELECT_STATE)
    pdf, xml = await fetch_rows(logins, SELECT_FILES)
    assert (row["state"], row["next_attempt_at"], row["attempts"]) == ("xsd_ok", None, 0)
    assert (pdf["kind"], xml["kind"]) == ("pdf", "xml")
    assert ACME_BUYER.company_name in xml["content"].decode()
    for file in (pdf, xml):
        assert file["sha256"] == sha256(file["content"]).digest()

    await execute_as_owner(
        logins,
        f"SELECT set_config('app.tenant_id', '{company}', false);"
        " UPDATE invoice SET next_attempt_at = now()",
    )
    await build_due_invoices(with_issuer(worker, ScriptedIssuer()))
    assert await fetch_rows(logins, SELECT_FILES) == [pdf, xml]
    assert (await anna.get("/api/invoices")).json()[0]["ksefState"] == "xsd_ok"


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (InvoiceError("no room"), "FV/2026/000001: xml: no room"),
        (InvoiceError("no such element", permanent=True), "FV/2026/000001: xml: no such element"),
        (
            ProviderAccountError("the certificate ended"),
            "FV/2026/000001: xml: the certificate ended",
        ),
        (ValueError("Zażółć Gęślą Jaźń"), "FV/2026/000001: xml: ValueError"),
    ],
    ids=["try again", "never again", "our account", "bug"],
)
async def test_a_failing_document_is_one_incident_and_does_not_prevent_the_pdf(
    anna, worker_with_issuer, issuer, logins, error, detail
):
    company = await anna.tenant_id(worker_with_issuer)
    await issue_sale(worker_with_issuer, company)
    issuer.render_error = error
    for _ in range(3):
        await build_due_invoices(worker_with_issuer)
        await make_due(logins)

    [row] = await fetch_rows(logins, SELECT_STATE)
    [incident] = await fetch_rows(logins, SELECT_INCIDENTS)
    assert (row["state"], row["attempts"]) == ("numbered", 3)
    assert re.sub(r" in render, line \d+$", "", incident["detail"]) == detail
    assert incident["closed_at"] is None
    mails = await fetch_rows(logins, "SELECT count(*) AS n FROM delivery WHERE kind = 'operator'")
    assert mails[0]["n"] == 1
    assert (await anna.get("/api/invoices")).json()[0]["pdfReady"] is True

    issuer.render_error = None
    await build_due_invoices(worker_with_issuer)

    [row] = await fetch_rows(logins, SELECT_STATE)
    [incident] = await fetch_rows(logins, SELECT_INCIDENTS)
    assert (row["state"], row["reason"], row["next_attempt_at"]) == ("xsd_ok", None, None)
    assert incident["closed_at"] is not None


async def test_a_plugin_that_fails_is_one_incident_in_place_of_its_stuck_invoices(
    anna, worker_with_issuer, issuer, logins
):
    company = await anna.tenant_id(worker_with_issuer)
    await issue_sale(worker_with_issuer, company)
    issuer.render_error = ValueError("a bug")
    opened = []
    for _ in range(FAULTS_UNTIL_REST + 1):
        await build_due_invoices(worker_with_issuer)
        await make_due(logins)
        rows = await fetch_rows(
            logins, "SELECT kind FROM incident WHERE closed_at IS NULL ORDER BY kind"
        )
        opened.append([row["kind"] for row in rows])

    assert opened == [
        *[["invoice_stuck"]] * (FAULTS_UNTIL_REST - 1), *[[PLUGIN_FAILING]] * 2,
    ]  # fmt: skip
    ended = await fetch_rows(logins, f"{SELECT_INCIDENTS} AND end_reported_at IS NULL")
    assert ended == [], "its end is not mailed: the other goes on with it"


async def test_a_failed_invoice_backs_off_and_delays_no_other(
    anna, celina, worker_with_issuer, issuer, logins
):
    await issue_sale(worker_with_issuer, await anna.tenant_id(worker_with_issuer))
    issuer.render_error = InvoiceError("no room")
    started = datetime.now(UTC)
    await build_due_invoices(worker_with_issuer)
    issuer.render_error = None
    await issue_sale(worker_with_issuer, await celina.tenant_id(worker_with_issuer))

    await build_due_invoices(worker_with_issuer)

    failed, finished = await fetch_rows(logins, SELECT_STATE)
    assert (failed["state"], finished["state"]) == ("numbered", "xsd_ok")
    assert failed["next_attempt_at"] > started + timedelta(seconds=20)
    [incident] = await fetch_rows(logins, SELECT_INCIDENTS)
    assert incident["closed_at"] is None  # one still fails


async def test_a_document_that_fails_validation_is_rendered_again(
    anna, worker_with_issuer, issuer, logins
):
    await issue_sale(worker_with_issuer, await anna.tenant_id(worker_with_issuer))
    issuer.validation_error = InvoiceError("the schema refuses it", permanent=True)
    await build_due_invoices(worker_with_issuer)
    assert [file["kind"] for file in await fetch_rows(logins, SELECT_FILES)] == ["pdf"]

    issuer.validation_error = None
    await make_due(logins)
    await build_due_invoices(worker_with_issuer)

    _, xml = await fetch_rows(logins, SELECT_FILES)
    assert xml["content"] == b"<2 FV/2026/000001>"
    assert [row["state"] for row in await fetch_rows(logins, SELECT_STATE)] == ["xsd_ok"]


async def test_after_a_crash_before_validation_the_stored_document_is_kept(
    anna, worker_with_issuer, issuer, logins
):
    await issue_sale(worker_with_issuer, await anna.tenant_id(worker_with_issuer))
    issuer.validation_error = InvoiceError("killed")  # stored, not validated
    await build_due_invoices(worker_with_issuer)
    [row] = await fetch_rows(logins, SELECT_STATE)
    assert row["state"] == "xml_built"

    issuer.validation_error = None
    await make_due(logins)
    await build_due_invoices(worker_with_issuer)

    _, xml = await fetch_rows(logins, SELECT_FILES)
    assert (xml["content"], issuer.document_count) == (b"<1 FV/2026/000001>", 1)


async def test_a_file_changed_in_the_database_is_detected(anna, worker_with_issuer, issuer, logins):
    company = await anna.tenant_id(worker_with_issuer)
    await issue_sale(worker_with_issuer, company)
    issuer.validation_error = InvoiceError("killed")
    await build_due_invoices(worker_with_issuer)
    await execute_as_owner(
        logins,
        f"SELECT set_config('app.tenant_id', '{company}', false);"
        " UPDATE invoice_file SET content = content || 'x'",
    )

    issuer.validation_error = None
    await make_due(logins)
    await build_due_invoices(worker_with_issuer)

    [row] = await fetch_rows(logins, SELECT_STATE)
    assert row["state"] == "xml_built"
    assert "was changed after it was stored" in row["reason"]
    [invoice] = (await anna.get("/api/invoices")).json()
    assert (await anna.get(f"/api/invoices/{invoice['id']}/pdf")).status_code == 500


async def test_a_missing_issuer_is_reported_and_retried(anna, worker, worker_with_issuer, logins):
    await issue_sale(worker_with_issuer, await anna.tenant_id(worker))

    await build_due_invoices(worker)

    [row] = await fetch_rows(logins, SELECT_STATE)
    assert row["reason"] == "xml: the issuer mill is not loaded"


async def test_no_transaction_is_open_while_a_document_is_rendered(
    worker_with_issuer, issuer, logins, fleet, monkeypatch
):
    open_ones = []

    async def run_in_thread(*args, **options):
        open_ones.append(await fleet.count_idle_transactions())
        return await asyncio.to_thread(*args, **options)

    class Watched(ScriptedIssuer):
        async def render(self, invoice):
            open_ones.append(await fleet.count_idle_transactions())
            return await super().render(invoice)

    monkeypatch.setattr(document_builder, "asyncio", SimpleNamespace(to_thread=run_in_thread))
    context = with_issuer(worker_with_issuer, Watched())
    await issue_sale(context, new_id())
    await build_due_invoices(context)

    assert [row["state"] for row in await fetch_rows(logins, SELECT_STATE)] == ["xsd_ok"]
    assert open_ones == [0, 0]


async def test_the_pdf_is_rendered_in_a_thread(worker_with_issuer, monkeypatch):
    """The event loop is not blocked while a PDF is rendered."""
    threads = []
    original_render = document_builder._render_pdf

    def watched(*args, **options):
        threads.append(threading.current_thread() is threading.main_thread())
        return original_render(*args, **options)

    monkeypatch.setattr(document_builder, "_render_pdf", watched)
    await issue_sale(worker_with_issuer, new_id())
    await build_due_invoices(worker_with_issuer)

    assert threads == [False]


async def test_invoices_of_an_erased_company_stay_and_are_completed(anna, worker, logins):
    company = await anna.tenant_id(worker)
    await issue_sale(with_issuer(worker), company)
    async with worker.database.tenant(TenantId(company)) as session:
        await erase_company(session)

    await build_due_invoices(worker)

    assert await fetch_rows(logins, "SELECT id FROM tenant") == []
    [stored] = await fetch_rows(
        logins, "SELECT number, buyer_name, buyer_tax_id, state FROM invoice"
    )
    assert dict(stored) == {
        "number": "FV/2026/000001", "buyer_name": ACME_BUYER.company_name,
        "buyer_tax_id": ACME_BUYER.tax_id, "state": "xsd_ok",
    }  # fmt: skip
    assert (
        len(await fetch_rows(logins, SELECT_FILES))
        == len(await fetch_rows(logins, "SELECT FROM invoice_line"))
        == 2
    )


async def test_expired_invoices_are_purged_with_lines_and_files_also_of_erased_companies(
    anna, worker, logins
):
    present = retention_cutoff(datetime.now(UTC))
    expired = datetime(present.year, present.month, present.day, 12, tzinfo=UTC) - timedelta(days=1)
    await issue_sale(worker, await anna.tenant_id(worker), now=expired)
    await issue_sale(worker, new_id(), now=expired)
    await issue_sale(worker, await anna.tenant_id(worker), now=expired + timedelta(days=1))
    await build_due_invoices(worker)
    worker.clock.forward(days=4000)  # the product clock does not shorten retention

    await purge_expired_invoices(worker)

    [remaining] = await fetch_rows(logins, "SELECT id, issued_on FROM invoice")
    assert remaining["issued_on"] == present
    for table in ("invoice_line", "invoice_file"):
        [stored] = await fetch_rows(logins, f"SELECT DISTINCT invoice_id FROM {table}")
        assert stored["invoice_id"] == remaining["id"]
