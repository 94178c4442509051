"""Fills a database through the product and dumps it: `python -m tests.upgrades --write`.

pytest collects this file only when it is named. `RELEASE_DUMP` names the file that is written.
"""

import asyncio
import os
import subprocess
from datetime import timedelta
from pathlib import Path

import asyncpg
import pyotp
import pytest

from prawko.accounts.acts.jobs import verify_action_chain
from prawko.hooks.payments import Money
from prawko.invoices.jobs import build_due_invoices
from prawko.payments.incidents import report_payment_incidents
from prawko_migrations import read_status
from prawko_testing.fakes import RecordingPushChannel, licence_answer, withheld_licence
from support.database import fetch_rows
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.orders import OrderScenario
from support.people import PASSWORD, deliver_outbox
from support.postgres_tools import run_program
from upgrades.release import ROOT, WITHHELD

pytestmark = pytest.mark.anyio

CONTACT = {
    "name": "Ewa", "email": "ewa@nowak.test", "company": "Nowak", "driversCount": 12,
    "message": "Proszę o ofertę.",
}  # fmt: skip
PUSH = {"endpoint": "https://push.test/laptop", "p256dh": "BA", "auth": "AA"}
TICKET = {"subject": "Faktura", "message": "Proszę o fakturę."}
TABLES = """
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1
"""
# Rows of rare paths, which the product writes after weeks or failures.
RARE_ROWS = """
    INSERT INTO booked_entry (reference, fingerprint, booked_at) VALUES ('2026/1', 'x', now());
    INSERT INTO check_pause (id, started_at, ended_at)
         VALUES (gen_random_uuid(), now() - interval '1 day', now() - interval '23 hours');
    INSERT INTO provider_pause (provider, since, paused_until, reason)
         VALUES ('fake', now() - interval '1 day', now() - interval '23 hours', 'account');
    INSERT INTO heartbeat (id, kind, started_at, seen_at, release)
         VALUES ('worker 1', 'worker', now(), now(), '0.1.0');
    INSERT INTO renewal_step (tenant_id, id, subscription_id, end_date, step, taken_at)
         SELECT tenant_id, gen_random_uuid(), id, end_date, 'first_charge', now()
           FROM subscription LIMIT 1;
"""
HEAD = """\
-- A dump of the schema of migration {version} with data, written by the code of commit {commit}:
-- `python -m tests.upgrades --write`. test_release_dump.py upgrades it.
"""


@pytest.fixture
def push_inbox() -> RecordingPushChannel:
    return RecordingPushChannel()


async def test_write_the_dump(
    anna, bartek, celina, olga, new_browser, worker, logins, fake, register, mailbox,
    run_daily_check, clock, servers,
) -> None:  # fmt: skip
    register.answers[WITHHELD] = withheld_licence(WITHHELD)
    soon = clock.now().date() + timedelta(days=20)
    register.answers["AB000003"] = licence_answer("AB000003", expires=soon)
    register.answers["AB000004"] = None
    scenario = OrderScenario(worker, logins, fake)
    await scenario.buy(anna, 10)
    await scenario.pay(celina, await scenario.place_order(celina, 5), money=Money(100))
    await report_payment_incidents(worker)
    await build_due_invoices(worker)
    withheld, *_ = [
        await anna.add_driver(number) for number in (WITHHELD, "AB000002", "AB000003", "AB000004")
    ]
    await celina.add_driver("AB000001")
    await run_daily_check()
    clock.forward(days=1)
    await run_daily_check()

    [episode] = [one["episode"] for one in await anna.list_drivers() if one["id"] == withheld]
    url = f"/api/drivers/{withheld}"
    answers = [
        await anna.post("/api/alert-recipients", {"name": "Nocna", "email": "noc@acme.test"}),
        await anna.post("/api/help/ticket", TICKET),
        await new_browser().post("/api/contact", json=CONTACT),
        await anna.post(
            f"{url}/acknowledgements", {"since": episode["since"], "note": "Auto oddane"}
        ),
        await anna.post("/api/notifications/push", PUSH),
        await anna.post("/api/request-password-reset", {"email": anna.email}),
        await olga.post(
            f"/api/admin/companies/{await celina.tenant_id(worker)}/suspend", {"reason": "zaległa"}
        ),
    ]
    answer = await bartek.post("/api/user/second-factor", {"password": PASSWORD})
    code = pyotp.TOTP(answer.json()["secret"]).now()
    answers.append(await bartek.post("/api/user/second-factor/confirm", {"code": code}))
    assert [answer.text for answer in answers if answer.status_code >= 300] == []
    await deliver_outbox(worker)
    await verify_action_chain(worker)

    admin = await asyncpg.connect(admin_url(servers, logins))
    await admin.execute(RARE_ROWS)
    await admin.close()

    empty = {
        row["relname"]
        for row in await fetch_rows(logins, TABLES)
        if not await fetch_rows(logins, f"SELECT FROM {row['relname']} LIMIT 1")
    }
    assert empty == set()
    await asyncio.to_thread(write_dump, servers, logins)


def admin_url(servers, logins) -> str:
    """Return the superuser's URL of the test's database."""
    name = logins.owner.rpartition("/")[2].partition("?")[0]
    return servers.urls.admin_url.replace("/postgres?", f"/{name}?")


def write_dump(servers, logins) -> None:
    url = admin_url(servers, logins)
    dump = run_program("pg_dump", "--format=plain", "--no-comments", url=url).stdout
    lines = [
        line
        for line in dump.splitlines()
        if line and not line.startswith(("--", "\\restrict", "\\unrestrict"))
    ]
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    head = HEAD.format(version=read_status(logins.owner).version, commit=commit)
    Path(os.environ["RELEASE_DUMP"]).write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
