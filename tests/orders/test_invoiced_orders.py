"""An order that is paid, from the checkout to the invoice in the company's hands."""

import json

import pytest

from buying import ACME, instant, shown
from paper import text
from prawko.base.clock import warsaw_day
from prawko.invoices.jobs import finish_invoice, finish_invoices
from prawko.worker.main import JOBS
from sales import with_issuer
from stored import look

pytestmark = pytest.mark.anyio


async def sheets(person) -> list[str]:
    """What is printed on each sheet, oldest first."""
    listed = (await person.get("/api/invoices")).json()
    files = [(await person.get(f"/api/invoices/{row['id']}/pdf")) for row in reversed(listed)]
    assert {file.status_code for file in files} <= {200}
    return [" ".join(text(file.content).split()) for file in files]


async def test_what_was_paid_stands_on_the_invoice_to_the_grosz(
    anna, celina, till, clock, logins
) -> None:
    till.worker = with_issuer(till.worker)
    first = await till.buys(anna, 5)
    clock.forward(days=20)
    upgraded = await till.buys(anna, 10)  # for what is left of the period, and for the next
    rivals = await till.buys(celina, 5)
    await finish_invoices(till.worker)

    kept = await look(
        logins,
        "SELECT i.number, i.gross, i.method, i.state, o.net + o.vat AS ordered, p.grosze, o.id"
        "  FROM invoice i JOIN subscription_order o ON o.id = i.order_id"
        "  JOIN payment p ON p.order_id = o.id AND p.state = 'paid' ORDER BY i.year, i.serial",
    )
    assert [str(row["id"]) for row in kept] == [first, upgraded, rivals]
    for row in kept:
        assert row["gross"] == row["ordered"] == row["grosze"]
        assert row["state"] == "xsd_ok"
    assert len({row["number"] for row in kept}) == 3

    one, two = await sheets(anna)
    assert f"Nabywca Buyer {ACME['companyName']} {ACME['street']}" in one
    assert f"NIP {ACME['taxId']}" in one
    assert "149,00 34,27 183,27" in one
    assert "Zwiększenie limitu kierowców w Prawko do 10, liczba dni:" in two
    ends = warsaw_day(instant((await shown(anna))["endDate"])).strftime("%d.%m.%Y")
    assert "limit kierowców: 10, okres od" in two
    assert f"do {ends}" in two
    assert len(await sheets(celina)) == 1


async def test_who_has_paid_finds_the_sheet_though_no_minute_has_passed(
    anna, till, clock, logins, monkeypatch
) -> None:
    rung = []

    async def ring(queue, job, **arguments):
        if job is finish_invoice:
            issued = await look(logins, "SELECT id FROM invoice ORDER BY serial")
            assert {"id": arguments["invoice_id"]} == issued[-1], "rung for after the commit"
            rung.append(job)
            await job.run_payload(till.worker, json.loads(json.dumps(arguments, default=str)))

    monkeypatch.setattr(type(till.worker.queue), "put", ring)
    await till.buys(anna, 5, method="card")  # fulfilled by the worker
    clock.forward(days=10)
    await anna.post("/api/subscription/change-limit", {"driverLimit": 10})  # by the panel, at once

    assert len(await sheets(anna)) == len(rung) == 2
    assert finish_invoice in JOBS, "who is rung for it can do it"


async def test_an_order_that_is_called_of_twice_has_one_invoice(anna, till, logins) -> None:
    order = await till.orders(anna, 5)

    await till.pays(anna, order, times=3)
    await till.works()

    assert [row["number"][-6:] for row in await look(logins, "SELECT number FROM invoice")] == [
        "000001"
    ]


async def test_what_is_not_paid_is_not_invoiced(anna, till, logins) -> None:
    await till.fails(anna, await till.orders(anna, 5))

    assert await look(logins, "SELECT FROM invoice") == []
    assert await look(logins, "SELECT FROM invoice_series") == []
