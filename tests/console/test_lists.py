"""The filter that all lists of the console have in common: ids."""

import json
from functools import cache

import pytest

from support.database import insert_subscription
from support.openapi import CONSOLE, read_paths

pytestmark = pytest.mark.anyio

ROWS = """
    INSERT INTO contact_message (id, name, email, email_key, company, drivers_count, message,
                                 created_at)
    VALUES (uuidv7(), 'Ewa', 'ewa@nowak.test', 'ewa@nowak.test', 'Nowak', 1, '?', now()),
           (uuidv7(), 'Jan', 'jan@nowak.test', 'jan@nowak.test', 'Nowak', 1, '?', now());
    INSERT INTO incident (id, kind, key, opened_at, detail)
    VALUES (uuidv7(), 'run_late', 'a', now(), '?'), (uuidv7(), 'run_late', 'b', now(), '?');
    INSERT INTO check_run (id, day, planned_at, state)
    SELECT uuidv7(), current_date - n, now(), 'finished' FROM generate_series(1, 2) AS n;
    INSERT INTO payment_discrepancy (id, kind, provider, reference, provider_ref, grosze, currency,
                                     detail, detected_at, refunded_grosze)
    VALUES (uuidv7(), 'paid_twice', 'fake', 'A', '', 18327, 'PLN', '?', now(), 1),
           (uuidv7(), 'paid_twice', 'fake', 'B', '', 18327, 'PLN', '?', now(), 1);
    INSERT INTO payment (tenant_id, id, reference, order_id, provider, method, grosze, currency,
                         save_payment_method, state, attempts, created_at)
    SELECT id, uuidv7(), 'P' || row_number() OVER (), uuidv7(), 'fake', 'card', 18327, 'PLN', false,
           'paid', 0, now() FROM tenant;
    INSERT INTO support_ticket (tenant_id, id, subject, message, created_at)
    SELECT id, uuidv7(), '?', '?', now() FROM tenant;
    INSERT INTO delivery (tenant_id, id, kind, channel_medium, state, key, not_before, next_try_at,
                          attempts, created_at)
    SELECT id, uuidv7(), 'email_code', 'email', 'sent', id::text, now(), now(), 1, now()
      FROM tenant;
"""


@cache
def list_paths() -> tuple[str, ...]:
    """The paths of all calls that take a list's parameters."""
    return tuple(
        path
        for path, calls in read_paths(CONSOLE).items()
        if {"sort", "range", "filter"}
        <= {parameter["name"] for parameter in calls.get("get", {}).get("parameters", ())}
    )


def test_the_console_has_these_lists() -> None:
    assert {path.rpartition("/")[2] for path in list_paths()} == {
        "users", "companies", "check-runs", "deliveries", "payments", "refunds", "discrepancies",
        "tickets", "contact-messages", "incidents", "actions",
    }  # fmt: skip


async def test_a_filter_of_ids_chooses_these_rows_and_no_ids_choose_none(
    olga, anna, celina, worker, fleet
) -> None:
    await fleet.admin.execute(ROWS)
    await insert_subscription(anna, worker)
    for person in ("anna@acme.test", "celina@rival.test"):
        user = (await olga.get(f'/api/admin/users?filter={{"email":"{person}"}}')).json()[0]
        assert (await olga.get(f"/api/admin/users/{user['id']}/history")).status_code == 200

    async def find(path: str, chosen: list[str]) -> tuple[list[str], str]:
        answer = await olga.get(path, params={"filter": json.dumps({"id": chosen})})
        assert answer.status_code == 200, answer.text
        return [row["id"] for row in answer.json()], answer.headers["Content-Range"]

    for path in list_paths():
        ids = [row["id"] for row in (await olga.get(path)).json()]
        assert len(ids) >= 2, path
        resource = path.rpartition("/")[2]
        assert await find(path, []) == ([], f"{resource} */0")
        assert await find(path, ids[:1]) == (ids[:1], f"{resource} 0-0/1")
        malformed = await olga.get(path, params={"filter": '{"id":["x"]}'})
        assert (malformed.status_code, malformed.json()["error"]) == (400, "invalid_list_query")
