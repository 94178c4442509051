"""The invoices of paid orders, from checkout to PDF."""

import json

import pytest

from prawko.apps.worker.main import JOBS
from prawko.invoices.jobs import build_due_invoices, build_invoice
from prawko.kit.clock import warsaw_date
from support.database import fetch_rows
from support.invoices import with_issuer
from support.orders import ACME_DETAILS, fetch_subscription, parse_instant
from support.pdf import read_text

pytestmark = pytest.mark.anyio


async def invoice_texts(person) -> list[str]:
    """The text of each invoice PDF, oldest first."""
    invoices = (await person.get("/api/invoices")).json()
    files = [(await person.get(f"/api/invoices/{row['id']}/pdf")) for row in reversed(invoices)]
    assert {file.status_code for file in files} <= {200}
    return [" ".join(read_text(file.content).split()) for file in files]


async def test_invoices_have_the_paid_amounts(anna, celina, scenario, clock, logins) -> None:
    scenario.use_worker(with_issuer(scenario.worker))
    first = await scenario.buy(anna, 5)
    clock.forward(days=20)
    upgrade_order = await scenario.buy(anna, 10)  # an upgrade of the period, and the next one
    rivals = await scenario.buy(celina, 5)
    await build_due_invoices(scenario.worker)

    rows = await fetch_rows(
        logins,
        "SELECT i.number, i.gross, i.method, i.state, o.net + o.vat AS ordered, p.grosze, o.id"
        "  FROM invoice i JOIN subscription_order o ON o.id = i.order_id"
        "  JOIN payment p ON p.order_id = o.id AND p.state = 'paid' ORDER BY i.year, i.serial",
    )
    assert [str(row["id"]) for row in rows] == [first, upgrade_order, rivals]
    for row in rows:
        assert row["gross"] == row["ordered"] == row["grosze"]
        assert row["state"] == "xsd_ok"
    assert len({row["number"] for row in rows}) == 3

    one, second = await invoice_texts(anna)
    assert f"Nabywca Buyer {ACME_DETAILS['companyName']} {ACME_DETAILS['street']}" in one
    assert f"NIP {ACME_DETAILS['taxId']}" in one
    assert "149,00 34,27 183,27" in one
    assert "Zwiększenie limitu kierowców w Prawko do 10, liczba dni:" in second
    ends = warsaw_date(parse_instant((await fetch_subscription(anna))["endDate"])).strftime(
        "%d.%m.%Y"
    )
    assert "limit kierowców: 10, okres od" in second
    assert f"do {ends}" in second
    assert len(await invoice_texts(celina)) == 1


async def test_the_pdf_is_built_at_once_after_the_payment(
    anna, scenario, clock, logins, queue
) -> None:
    enqueued = []

    async def run(job, **arguments):
        if job is build_invoice:
            issued = await fetch_rows(logins, "SELECT id FROM invoice ORDER BY serial")
            assert {"id": arguments["invoice_id"]} == issued[-1], "enqueued after the commit"
            enqueued.append(job)
            await job.run_payload(scenario.worker, json.loads(json.dumps(arguments, default=str)))

    queue.handler = run
    await scenario.buy(anna, 5, method="card")  # fulfilled by the worker
    clock.forward(days=10)
    await anna.post("/api/subscription/change-limit", {"driverLimit": 10})  # fulfilled by the panel

    assert len(await invoice_texts(anna)) == len(enqueued) == 2
    assert build_invoice in JOBS, "the worker runs this job"


async def test_an_order_whose_payment_is_reported_twice_has_one_invoice(
    anna, scenario, logins
) -> None:
    order = await scenario.place_order(anna, 5)

    await scenario.pay(anna, order, times=3)
    await scenario.process_webhooks()

    assert [
        row["number"][-6:] for row in await fetch_rows(logins, "SELECT number FROM invoice")
    ] == ["000001"]


async def test_an_unpaid_order_is_not_invoiced(anna, scenario, logins) -> None:
    await scenario.fail_payment(anna, await scenario.place_order(anna, 5))

    assert await fetch_rows(logins, "SELECT FROM invoice") == []
    assert await fetch_rows(logins, "SELECT FROM invoice_series") == []
