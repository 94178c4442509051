"""A migrated database of this folder's own, with two companies in it: Acme and its rival."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from string import Template
from uuid import UUID

import asyncpg
import pytest

from prawko_migrations import upgrade
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.logins import Logins, provision
from prawko_tenants.roles import Roles


@pytest.fixture(scope="session")
def roles() -> Roles:
    """Roles of another name than the product's: nothing may depend on the usual one."""
    return Roles("tenancy")


@pytest.fixture(scope="session")
def own_logins(servers, roles) -> Logins:
    """One migrated database for all tests here: they share it and clean up after themselves."""
    logins = provision(servers.servers.admin_url, database="tenancy", prefix=roles.prefix)
    upgrade(logins.owner)
    return logins


@pytest.fixture
async def panel(own_logins) -> AsyncIterator[Database]:
    """The doors of a panel."""
    database = Database(own_logins.app, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def worker_doors(own_logins) -> AsyncIterator[Database]:
    """The doors of a worker, the planner's among them."""
    database = Database(own_logins.worker, planner_url=own_logins.planner, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def connect(own_logins) -> AsyncIterator[Callable[[str], Awaitable[asyncpg.Connection]]]:
    """Opens bare connections for a login, past our own doors."""
    opened: list[asyncpg.Connection] = []

    async def open_one(login: str) -> asyncpg.Connection:
        opened.append(await asyncpg.connect(getattr(own_logins, login)))
        return opened[-1]

    yield open_one
    for connection in opened:
        await connection.close()


@pytest.fixture
async def owner(own_logins) -> AsyncIterator[asyncpg.Connection]:
    """The owner's connection, in a transaction that is undone."""
    connection = await asyncpg.connect(own_logins.owner)
    transaction = connection.transaction()
    await transaction.start()
    yield connection
    await transaction.rollback()
    await connection.close()


@pytest.fixture(scope="session", autouse=True)
def partitions(own_logins) -> None:
    """This month and today: without a partition nothing can be written."""

    async def make() -> None:
        connection = await asyncpg.connect(own_logins.planner)
        await connection.execute("SELECT ensure_month(current_date)")
        await connection.execute("SELECT ensure_day(current_date)")
        await connection.close()

    asyncio.run(make())


# One row of every table that knows a company. `$new` makes it unlike any other, the other words
# are ids of the company's.
ROWS = {
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
        INSERT INTO subscription (tenant_id, id, status, driver_limit, price_net, start_date,
            end_date, checked_until, created_at, updated_at)
        VALUES ($company, $new, 'active', 5, 149, now(), now() + interval '30 days',
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
        INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_no,
            first_name, last_name, license_number, hash, key_id, raw, categories, reasons)
        VALUES ($company, $driver, $new, now(), 1, 'Jan', 'Kowalski', 'AA123456', uuid_send($new),
            'first', '', '[]', '[]')""",
    "verification": """
        INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
        VALUES ($company, $driver, $new, clock_timestamp(), $answer, 'valid')""",
    "notice": """
        INSERT INTO notice (tenant_id, id, kind, driver_id, dedup, params, created_at)
        VALUES ($company, $new, 'withheld', $driver, $new::text, '{}', now())""",
    "notification": """
        INSERT INTO notification (tenant_id, id, user_id, notice_id, type, title, content,
            created_at)
        VALUES ($company, $new, $user, $notice, 'driver_status', 'Uprawnienia zatrzymane',
            'Jan Kowalski', now())""",
    "support_ticket": """
        INSERT INTO support_ticket (tenant_id, id, user_id, subject, message, created_at)
        VALUES ($company, $new, $user, 'Pytanie', 'Jak dodać kierowcę?', now())""",
    "invoice": """
        INSERT INTO invoice (tenant_id, id, order_id, series, year, serial, number, issued_at,
            issued_on, paid_at, sold_on, method, seller_name, seller_tax_id, seller_street,
            seller_postal_code, seller_city, buyer_name, buyer_tax_id, buyer_street,
            buyer_postal_code, buyer_city, net, vat, gross, due_at)
        VALUES ($company, $new, $new, 'FV', 2026, 1, $new::text, now(), current_date, now(),
            current_date, 'card', 'Prawko', '5260250274', 'Prosta 1', '00-950', 'Warszawa', 'Acme',
            '5260250274', 'Krzywa 2', '00-950', 'Warszawa', 14900, 3427, 18327, now())""",
    "invoice_line": """
        INSERT INTO invoice_line (tenant_id, id, invoice_id, position, kind, driver_limit, name,
            net, vat, vat_percent)
        SELECT $company, $new, $invoice, count(*) + 1, 'period', 5, 'Abonament', 14900, 3427, 23
          FROM invoice_line WHERE tenant_id = $company""",
    "invoice_file": """
        INSERT INTO invoice_file (tenant_id, id, invoice_id, kind, content, sha256, made_at)
        SELECT $company, $new, $invoice, (ARRAY['pdf', 'xml', 'upo'])[count(*) + 1], '', '', now()
          FROM invoice_file WHERE tenant_id = $company""",
    "check_item": """
        INSERT INTO check_item (day, tenant_id, driver_id, document_no, next_try_at)
        VALUES (current_date, $company, $new, 1, now())""",
    "delivery": """
        INSERT INTO delivery (id, tenant_id, kind, channel_medium, user_id, next_try_at, key,
            created_at)
        VALUES ($new, $company, 'driver_status', 'email', $user, now(), $new::text, now())""",
    "payment": """
        INSERT INTO payment (id, tenant_id, key, order_id, provider, method, grosze, currency,
            save, state, created_at)
        VALUES ($new, $company, $new::text, $new, 'fake', 'card', 18327, 'PLN', false, 'open',
            now())""",
    "payment_mandate": """
        INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label,
            created_at)
        VALUES ($company, $new, 'fake', 'card', '', 'payload', '', now())""",
    "payment_finding": """
        INSERT INTO payment_finding (id, kind, provider, key, provider_ref, grosze, currency,
            tenant_id, detail, found_at)
        VALUES ($new, 'paid_twice', 'fake', $new::text, '', 18327, 'PLN', $company, '', now())""",
}


@dataclass(frozen=True)
class Company:
    """A company that has a row in every table."""

    id: TenantId
    user: UUID
    driver: UUID
    answer: UUID
    subscription: UUID
    notice: UUID
    invoice: UUID

    def row(self, table: str, new: UUID) -> tuple[str, dict[str, UUID]]:
        """The statement that adds a row to a table, and the values of the words in it."""
        statement = ROWS[table]
        words = {"company": self.id, "new": new} | {
            word: getattr(self, word)
            for word in ("user", "driver", "answer", "subscription", "notice", "invoice")
        }
        return statement, {word: value for word, value in words.items() if f"${word}" in statement}


@pytest.fixture(scope="session")
def found_company(own_logins) -> Callable[[], Company]:
    """Writes a company with a row in every table, as the owner, who is bound like anybody."""

    async def write() -> Company:
        company = Company(TenantId(new_id()), *(new_id() for _ in range(6)))
        known = {
            "driver": company.driver,
            "register_answer": company.answer,
            "subscription": company.subscription,
            "notice": company.notice,
            "invoice": company.invoice,
        }
        connection = await asyncpg.connect(own_logins.owner)
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(company.id))
        for table in (*ROWS, "register_answer"):
            statement, values = company.row(table, known.pop(table, new_id()))
            numbers = {word: f"${n}::uuid" for n, word in enumerate(values, start=1)}
            await connection.execute(Template(statement).substitute(numbers), *values.values())
        await connection.close()
        return company

    return lambda: asyncio.run(write())


@pytest.fixture(scope="session")
def acme(found_company) -> Company:
    return found_company()


@pytest.fixture(scope="session")
def rival(found_company) -> Company:
    return found_company()
