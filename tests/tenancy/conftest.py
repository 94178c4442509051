"""A migrated database for the tests of this folder, with two companies: Acme and its rival."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from string import Template
from uuid import UUID

import asyncpg
import pytest

from prawko_migrations import upgrade_database
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.logins import Logins, provision_database
from prawko_tenants.roles import Roles

# The drill of backups runs these tests on the database that it has restored.
RESTORED = json.loads(os.environ.get("RESTORED_LOGINS", "{}"))


@pytest.fixture(scope="session")
def roles() -> Roles:
    """Roles with another prefix than the product's: nothing may depend on the usual one."""
    return Roles(RESTORED.get("prefix", "tenancy"))


@pytest.fixture(scope="session")
def tenancy_logins(request, roles) -> Logins:
    """Logins of the database that all tests here share; each cleans up after itself."""
    if RESTORED:
        return Logins(**{name: url for name, url in RESTORED.items() if name != "prefix"})
    servers = request.getfixturevalue("servers")
    logins = provision_database(servers.urls.admin_url, database="tenancy", prefix=roles.prefix)
    upgrade_database(logins.owner)
    return logins


@pytest.fixture
async def panel_database(tenancy_logins) -> AsyncIterator[Database]:
    """Database access of a panel."""
    database = Database(tenancy_logins.app, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def worker_database(tenancy_logins) -> AsyncIterator[Database]:
    """Database access of a worker, with the planner's login."""
    database = Database(tenancy_logins.worker, planner_url=tenancy_logins.planner, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def open_connection(
    tenancy_logins,
) -> AsyncIterator[Callable[[str], Awaitable[asyncpg.Connection]]]:
    """Opens asyncpg connections for a login, without `Database`."""
    connections: list[asyncpg.Connection] = []

    async def open_one(login: str) -> asyncpg.Connection:
        connections.append(await asyncpg.connect(getattr(tenancy_logins, login)))
        return connections[-1]

    yield open_one
    for connection in connections:
        await connection.close()


@pytest.fixture
async def owner_connection(tenancy_logins) -> AsyncIterator[asyncpg.Connection]:
    """A connection of the owner, in a transaction that is rolled back."""
    connection = await asyncpg.connect(tenancy_logins.owner)
    transaction = connection.transaction()
    await transaction.start()
    yield connection
    await transaction.rollback()
    await connection.close()


@pytest.fixture(scope="session", autouse=True)
def current_partitions(tenancy_logins) -> None:
    """Creates the partitions of today and of tomorrow, which may begin meanwhile."""

    async def make() -> None:
        connection = await asyncpg.connect(tenancy_logins.planner)
        for day in ("current_date", "current_date + 1"):
            await connection.execute(f"SELECT ensure_month({day}), ensure_day({day})")
        await connection.close()

    asyncio.run(make())


# One row of every table with the id of a company. `$new` is unique; the other placeholders are
# ids of the company.
INSERTS = {
    "tenant": "INSERT INTO tenant (id, created_at, updated_at) VALUES ($company, now(), now())",
    "user_account": """
        INSERT INTO user_account (id, email, email_key, password_hash, created_at, updated_at)
        VALUES ($user, $user::text, $user::text, '', now(), now())""",
    "membership": """
        INSERT INTO membership (tenant_id, user_id, role, created_at)
        VALUES ($company, $user, 'owner', now())""",
    "login_session": """
        INSERT INTO login_session
            (id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at)
        VALUES ($new, uuid_send($new), $user, $company, now(), now(), now() + interval '1 hour')""",
    "trial_claim": """
        INSERT INTO trial_claim (id, kind, digest, tenant_id, claimed_at)
        VALUES ($new, 'tax_id', uuid_send($new), $company, now())""",
    "subscription": """
        INSERT INTO subscription (tenant_id, id, status, driver_limit, start_date,
            end_date, monitored_until, created_at, updated_at)
        VALUES ($company, $new, 'active', 5, now(), now() + interval '30 days',
            now() + interval '30 days', now(), now())""",
    "subscription_history": """
        INSERT INTO subscription_history (tenant_id, id, subscription_id, changed_at, new_status)
        VALUES ($company, $new, $subscription, now(), 'active')""",
    "subscription_order": """
        INSERT INTO subscription_order (tenant_id, id, kind, state, driver_limit, lines, net, vat,
            method, company_name, tax_id, street, postal_code, city, created_by, created_at)
        VALUES ($company, $new, 'period', 'open', 5, '[]', 14900, 3427, 'card', '', '', '', '',
            '', $user, now())""",
    "renewal_step": """
        INSERT INTO renewal_step (tenant_id, id, subscription_id, end_date, step, taken_at)
        VALUES ($company, $new, $subscription, now(), 'first_charge', now())""",
    "driver": """
        INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key,
            created_at, created_by)
        VALUES ($company, $new, 'Jan', 'Kowalski', $new::text, 'kowalski', now(), $user)""",
    "register_answer": """
        INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_version,
            first_name, last_name, license_number, hash, key_id, raw, categories, reasons)
        VALUES ($company, $driver, $new, now(), 1, 'Jan', 'Kowalski', 'AA123456', uuid_send($new),
            'first', '', '[]', '[]')""",
    "verification": """
        INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
        VALUES ($company, $driver, $new, clock_timestamp(), $answer, 'valid')""",
    "acknowledgement": """
        INSERT INTO acknowledgement (tenant_id, id, driver_id, status, since, entry, kind, note,
            created_at, created_by)
        VALUES ($company, $new, $driver, 'invalid', clock_timestamp(), 1, 'acknowledged',
            'Auto oddane', now(), $user)""",
    "notice": """
        INSERT INTO notice (tenant_id, id, kind, driver_id, dedup_key, params, created_at)
        VALUES ($company, $new, 'withheld', $driver, $new::text, '{}', now())""",
    "notification": """
        INSERT INTO notification (tenant_id, id, user_id, notice_id, type, title, content,
            created_at)
        VALUES ($company, $new, $user, $notice, 'driver_status', 'Uprawnienia zatrzymane',
            'Jan Kowalski', now())""",
    "push_browser": """
        INSERT INTO push_browser (tenant_id, id, user_id, session_id, endpoint, p256dh, auth,
            server_key, agent, created_at)
        SELECT $company, $new, $user, id, $new::text, '', '', '', '', now()
          FROM login_session WHERE user_id = $user LIMIT 1""",
    "alert_recipient": """
        INSERT INTO alert_recipient (tenant_id, id, name, email, email_key, invited_at, created_at,
            created_by)
        VALUES ($company, $new, 'Nocna zmiana', $new::text, $new::text, now(), now(), $user)""",
    "support_ticket": """
        INSERT INTO support_ticket (tenant_id, id, user_id, subject, message, created_at)
        VALUES ($company, $new, $user, 'Pytanie', 'Jak dodać kierowcę?', now())""",
    "legal_acceptance": """
        INSERT INTO legal_acceptance (tenant_id, id, user_id, document, version, accepted_at, ip)
        VALUES ($company, $new, $user, 'terms', '2026-11-22', now(), '127.0.0.1')""",
    "invoice": """
        INSERT INTO invoice (tenant_id, id, order_id, series, year, serial, number, issued_at,
            issued_on, paid_at, sold_on, method, seller_name, seller_tax_id, seller_street,
            seller_postal_code, seller_city, buyer_name, buyer_tax_id, buyer_street,
            buyer_postal_code, buyer_city, net, vat, gross, next_attempt_at)
        VALUES ($company, $new, $new, 'FV', 2026, 1, $new::text, now(), current_date, now(),
            current_date, 'card', 'Prawko', '5260250274', 'Prosta 1', '00-950', 'Warszawa', 'Acme',
            '5260250274', 'Krzywa 2', '00-950', 'Warszawa', 14900, 3427, 18327, now())""",
    "invoice_line": """
        INSERT INTO invoice_line (tenant_id, id, invoice_id, position, kind, driver_limit, name,
            net, vat, vat_percent)
        SELECT $company, $new, $invoice, count(*) + 1, 'period', 5, 'Subskrypcja', 14900, 3427, 23
          FROM invoice_line WHERE tenant_id = $company""",
    "invoice_file": """
        INSERT INTO invoice_file (tenant_id, id, invoice_id, kind, content, sha256, created_at)
        SELECT $company, $new, $invoice, (ARRAY['pdf', 'xml', 'upo'])[count(*) + 1], '', '', now()
          FROM invoice_file WHERE tenant_id = $company""",
    "check_item": """
        INSERT INTO check_item (day, tenant_id, driver_id, document_version, next_try_at)
        VALUES (current_date, $company, $new, 1, now())""",
    "delivery": """
        INSERT INTO delivery (id, tenant_id, kind, channel_medium, user_id, next_try_at, key,
            created_at)
        VALUES ($new, $company, 'driver_status', 'email', $user, now(), $new::text, now())""",
    "payment": """
        INSERT INTO payment (id, tenant_id, reference, order_id, provider, method, grosze, currency,
            save_payment_method, state, created_at)
        VALUES ($new, $company, $new::text, $new, 'fake', 'card', 18327, 'PLN', false, 'open',
            now())""",
    "payment_mandate": """
        INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label,
            created_at)
        VALUES ($company, $new, 'fake', 'card', '', 'payload', '', now())""",
    "payment_discrepancy": """
        INSERT INTO payment_discrepancy (id, kind, provider, reference, provider_ref, grosze,
            currency, tenant_id, detail, detected_at)
        VALUES ($new, 'paid_twice', 'fake', $new::text, '', 18327, 'PLN', $company, '', now())""",
}


@dataclass(frozen=True)
class CompanyRows:
    """A company with a row in every table."""

    id: TenantId
    user: UUID
    driver: UUID
    answer: UUID
    subscription: UUID
    notice: UUID
    invoice: UUID

    def insert_statement(self, table: str, new_row_id: UUID) -> tuple[str, dict[str, UUID]]:
        """The statement that inserts a row, and the values of its placeholders."""
        statement = INSERTS[table]
        placeholders = {"company": self.id, "new": new_row_id} | {
            row: getattr(self, row)
            for row in ("user", "driver", "answer", "subscription", "notice", "invoice")
        }
        return statement, {
            row: value for row, value in placeholders.items() if f"${row}" in statement
        }


@pytest.fixture(scope="session")
def create_company(tenancy_logins) -> Callable[[], CompanyRows]:
    """Inserts a company with a row in every table, as the owner, who is bound by the policies."""

    async def insert_rows() -> CompanyRows:
        company = CompanyRows(TenantId(new_id()), *(new_id() for _ in range(6)))
        existing = {
            "driver": company.driver,
            "register_answer": company.answer,
            "subscription": company.subscription,
            "notice": company.notice,
            "invoice": company.invoice,
        }
        connection = await asyncpg.connect(tenancy_logins.owner)
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(company.id))
        for table in (*INSERTS, "register_answer"):
            statement, values = company.insert_statement(table, existing.pop(table, new_id()))
            numbers = {name: f"${n}::uuid" for n, name in enumerate(values, start=1)}
            await connection.execute(Template(statement).substitute(numbers), *values.values())
        await connection.close()
        return company

    return lambda: asyncio.run(insert_rows())


@pytest.fixture(scope="session")
def acme(create_company) -> CompanyRows:
    return create_company()


@pytest.fixture(scope="session")
def rival(create_company) -> CompanyRows:
    return create_company()
