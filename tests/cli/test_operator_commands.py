"""The operators' commands: find, export and erase companies; list submissions."""

import asyncio
import stat
import zipfile
from datetime import timedelta

import asyncpg
import pyotp
import pytest
from sqlalchemy import select

from prawko.invoices.jobs import build_due_invoices
from prawko.personal_data.erasure import erase_company
from prawko.support.jobs import forward_to_operators
from prawko_tenants.ids import TenantId
from support.database import count_rows, fetch_rows
from support.invoices import PAID_AT, issue_sale, with_issuer
from support.people import PASSWORD, deliver_outbox

pytestmark = pytest.mark.anyio

CONTACT = {"name": "Ewa Nowak", "email": "ewa@nowak.test", "company": "Nowak", "driversCount": 12,
           "message": "Proszę o ofertę.\nDziękuję."}  # fmt: skip
TICKET = {"subject": "Faktura", "message": "Dzień dobry, proszę o fakturę."}


async def test_a_company_is_found_exported_and_erased(
    anna, celina, worker, run_command, logins, tmp_path
) -> None:
    await anna.add_driver("AA123456", "Jan", "Żółć")
    company = str(await anna.tenant_id(worker))
    file = tmp_path / "acme.zip"

    assert await run_command("company", "find", " Anna@Acme.test") == (
        0,
        f"{company}\t(no name)\n",
        "",
    )
    assert (await run_command("company", "find", "ktos@nikt.test"))[0] == 1

    code, output, _ = await run_command("company", "export", company, str(file), "--language", "en")
    assert (code, output) == (0, f"{file}: {file.stat().st_size} bytes\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        assert "Żółć" in archive.read("drivers.csv").decode()
        assert "the company's data" in archive.read("README.txt").decode()
    code, _, errors = await run_command("company", "export", company, str(file))
    assert (code, errors) == (1, f"{file}: File exists\n")

    code, _, errors = await run_command("company", "erase", company)
    assert (code, errors) == (1, f"(no name) {company} would be erased; add --yes\n")
    assert await count_rows(logins, "tenant") == 2
    code, output, _ = await run_command("company", "erase", company, "--yes")
    assert code == 0
    assert output.endswith(f"{company} is erased, with 1 people who belonged to no other\n")
    assert await count_rows(logins, "tenant") == await count_rows(logins, "user_account") == 1
    for command in (("erase", company, "--yes"), ("export", company, str(tmp_path / "b.zip"))):
        code, _, errors = await run_command("company", *command)
        assert (code, errors) == (1, f"there is no company {company}\n")
    assert not (tmp_path / "b.zip").exists()


async def test_the_panels_database_login_cannot_erase(
    anna, worker, run_command, logins, monkeypatch, tmp_path
) -> None:
    company = str(await anna.tenant_id(worker))
    monkeypatch.setenv("OWNER_DATABASE_URL", logins.app)

    code, _, errors = await run_command("company", "erase", company, "--yes")

    assert code == 2
    assert "has no right to this: permission denied for table " in errors
    assert await count_rows(logins, "tenant") == 1
    assert (await anna.get("/api/user")).status_code == 200


async def test_the_last_operator_is_not_erased(anna, worker, run_command, logins) -> None:
    await make_operator(logins, "anna@acme.test")
    company = str(await anna.tenant_id(worker))

    code, _, errors = await run_command("company", "erase", company, "--yes")

    assert code == 1
    assert errors == "the last operator belongs to this company; make another one first\n"
    assert await count_rows(logins, "tenant") == 1


async def make_operator(logins, email: str) -> None:
    connection = await asyncpg.connect(logins.owner)
    await connection.execute("UPDATE user_account SET is_admin = true WHERE email_key = $1", email)
    await connection.close()


async def test_submissions_are_listed_although_no_mail_was_sent(
    anna, celina, new_browser, worker, run_command
) -> None:
    await new_browser().post("/api/contact", json=CONTACT)
    await anna.post("/api/help/ticket", TICKET)
    await celina.post("/api/help/ticket", {**TICKET, "subject": "Inny temat"})

    _, output, _ = await run_command("support", "list")
    assert "contact  pending  Ewa Nowak <ewa@nowak.test>: Nowak, 12 drivers\n    Proszę" in output
    assert "ticket  pending  (no name) <anna@acme.test>: Faktura\n" in output
    assert "ticket  pending  (no name) <celina@rival.test>: Inny temat\n" in output
    assert output.index("Ewa") < output.index("Faktura") < output.index("Inny temat")

    await forward_to_operators(worker)
    assert await run_command("support", "list") == (0, "", "")
    assert (await run_command("support", "list", "--all"))[1].count("  forwarded  ") == 3


async def test_invoices_of_all_companies_are_exported_once(
    anna, celina, worker, run_command, tmp_path
) -> None:
    context = with_issuer(worker)
    await issue_sale(context, await anna.tenant_id(worker), now=PAID_AT - timedelta(days=40))
    for person in (anna, celina):
        await issue_sale(context, await person.tenant_id(worker))
    await build_due_invoices(worker)
    async with worker.database.tenant(TenantId(await celina.tenant_id(worker))) as session:
        await erase_company(session)
    folder = tmp_path / "faktury"

    since = str(PAID_AT.date())
    first = await run_command("invoices", "export", str(folder), "--since", since)
    second_export = await run_command("invoices", "export", str(folder))

    assert first == (0, f"{folder}: 4 files written, 0 there already\n", "")
    assert second_export == (0, f"{folder}: 2 files written, 4 there already\n", "")
    assert sorted(path.name for path in folder.iterdir()) == [
        f"FV-2026-00000{n}.{ending}" for n in (1, 2, 3) for ending in ("pdf", "xml")
    ]
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "Gęślą" in (folder / "FV-2026-000003.xml").read_text()
    code, _, errors = await run_command("invoices", "export", "/proc/none/of/it")
    assert (code, bool(errors)) == (1, True)


async def test_a_lost_second_factor_is_switched_off(
    anna, run_command, logins, worker, mailbox
) -> None:
    assert await run_command("admin", "second-factor-off", anna.email) == (
        1, "", f"{anna.email} has no second factor\n",
    )  # fmt: skip
    secret = (await anna.post("/api/user/second-factor", {"password": PASSWORD})).json()["secret"]
    code = {"code": pyotp.TOTP(secret).now()}
    assert (await anna.post("/api/user/second-factor/confirm", code)).status_code == 200

    result = await run_command("admin", "second-factor-off", anna.email)

    assert result == (0, f"{anna.email}: the second factor is off\n", "")
    assert await count_rows(logins, "second_factor") == 0
    assert (await anna.get("/api/user")).status_code == 401
    await anna.sign_in()
    assert (await anna.get("/api/user")).status_code == 200
    await deliver_outbox(worker)
    assert mailbox.messages_to(anna.email)[-1].subject == "Weryfikacja dwuetapowa jest wyłączona"
    unknown = await run_command("admin", "second-factor-off", "nobody@nowhere.test")
    assert unknown == (1, "", "nobody signs in as nobody@nowhere.test\n")


async def test_two_operators_cannot_delete_each_other(anna, celina, worker, logins) -> None:
    for person in (anna, celina):
        await make_operator(logins, person.email)
    companies = [TenantId(await person.tenant_id(worker)) for person in (anna, celina)]
    barrier = asyncio.Barrier(2)

    async def erase(tenant_id: TenantId) -> bool:
        async with worker.database.tenant(tenant_id) as session:
            await session.execute(select(1))
            await barrier.wait()
            await erase_company(session)
        return True

    results = await asyncio.gather(*map(erase, companies), return_exceptions=True)

    assert sorted(map(str, results)) == ["True", "last_operator"]
    assert (await fetch_rows(logins, "SELECT count(*) AS n FROM user_account WHERE is_admin"))[0][
        "n"
    ] == 1
