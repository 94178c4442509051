"""Bundles across releases: each sends what the other has written (revisions 0040, 0041)."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest
from alembic import command

import prawko_migrations
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import find_bundle
from prawko_tenants.logins import provision_database
from prawko_tenants.roles import Roles

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 21, 5, 5, 3, 123457, tzinfo=UTC)


async def connect_to_company(url: str, company: UUID) -> asyncpg.Connection:
    connection = await asyncpg.connect(url)
    await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(company))
    await connection.execute(
        "INSERT INTO tenant (id, created_at, updated_at) VALUES ($1, now(), now())"
        " ON CONFLICT DO NOTHING",
        company,
    )
    return connection


async def add_member(connection: asyncpg.Connection, company: UUID) -> None:
    person = uuid4()
    await connection.execute(
        "INSERT INTO user_account (id, email, email_key, password_hash, created_at, updated_at)"
        " VALUES ($1, $2, $2, '', now(), now())",
        person, f"{person}@acme.test",
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO membership (tenant_id, user_id, role, created_at)"
        " VALUES ($1, $2, 'owner', now())",
        company, person,
    )  # fmt: skip


async def add_notice(
    connection: asyncpg.Connection, company: UUID, kind: str, created_at: datetime, **columns: UUID
) -> None:
    names = "".join(f", {name}" for name in columns)
    values = "".join(f", ${number}" for number in range(5, 5 + len(columns)))
    await connection.execute(
        "INSERT INTO notice (tenant_id, id, kind, dedup_key, params, created_at"
        f"{names}) VALUES ($1, $2, $3, gen_random_uuid()::text, '{{}}', $4{values})",
        company, uuid4(), kind, created_at, *columns.values(),
    )  # fmt: skip


async def add_message(
    connection: asyncpg.Connection, company: UUID, column: str, value: object
) -> None:
    await connection.execute(
        "INSERT INTO delivery (id, tenant_id, kind, channel_medium, next_try_at, key, created_at,"
        f" {column}) VALUES ($1, $2, 'notice', 'email', now(), gen_random_uuid()::text, now(), $3)",
        uuid4(), company, value,
    )  # fmt: skip


JOINED = {
    "previous": "n.created_at = d.batch_at",
    "this": "n.bundle_id = d.bundle_id",
}


async def read_bundles(connection: asyncpg.Connection, release: str) -> list[list[str]]:
    """The kinds of the notices that each message carries, as a release joins them."""
    rows = await connection.fetch(
        "SELECT array_agg(n.kind ORDER BY n.kind) AS kinds FROM delivery d JOIN notice n"
        f" ON n.tenant_id = d.tenant_id AND {JOINED[release]} GROUP BY d.id ORDER BY kinds"
    )
    return [row["kinds"] for row in rows]


@pytest.mark.parametrize("release", JOINED)
async def test_what_the_previous_release_writes_is_one_bundle_for_both(
    tenancy_logins, release
) -> None:
    company = uuid4()
    connection = await connect_to_company(tenancy_logins.owner, company)
    for kind, offset in (("expired", 1), ("expiring", 2), ("expiring", 2)):
        await add_notice(connection, company, kind, AT + timedelta(microseconds=offset))
    for offset in (1, 2):
        await add_message(connection, company, "batch_at", AT + timedelta(microseconds=offset))
    await add_notice(connection, company, "withheld", AT)  # with a message of its own

    assert await read_bundles(connection, release) == [["expired"], ["expiring", "expiring"]]
    await connection.close()


@pytest.mark.parametrize("release", JOINED)
async def test_what_this_release_writes_is_one_bundle_for_both(tenancy_logins, release) -> None:
    company = uuid4()
    connection = await connect_to_company(tenancy_logins.owner, company)
    digest_at = AT + timedelta(minutes=5)
    drafts = [
        *((kind, None) for kind in (NoticeKind.EXPIRED, NoticeKind.EXPIRING, NoticeKind.EXPIRING)),
        *((kind, digest_at) for kind in (NoticeKind.ATTENTION, NoticeKind.WITHHELD)),
    ]
    bundles = dict.fromkeys(find_bundle(kind, end, AT) for kind, end in drafts)
    for kind, end in drafts:
        await add_notice(connection, company, kind, AT, bundle_id=find_bundle(kind, end, AT))
    for bundle in bundles:
        await add_message(connection, company, "bundle_id", bundle)
    await add_notice(connection, company, "withheld", AT)

    assert await read_bundles(connection, release) == [
        ["attention", "withheld"], ["expired"], ["expiring", "expiring"]
    ]  # fmt: skip
    digest = "SELECT DISTINCT created_at FROM notice WHERE kind = 'attention'"
    assert await connection.fetchval(digest) == digest_at
    await connection.close()


async def test_a_first_check_is_one_bundle_whichever_release_writes_a_result(
    tenancy_logins,
) -> None:
    company = uuid4()
    connection = await connect_to_company(tenancy_logins.owner, company)
    await add_notice(connection, company, "withheld", AT)
    await add_notice(
        connection, company, "attention", AT, bundle_id=find_bundle(NoticeKind.ATTENTION, AT, AT)
    )
    await add_message(connection, company, "batch_at", AT)

    for release in JOINED:
        assert await read_bundles(connection, release) == [["attention", "withheld"]]
    await connection.close()


async def test_messages_of_before_get_the_bundle_of_their_notices(servers) -> None:
    logins = await asyncio.to_thread(
        provision_database, servers.urls.admin_url, database="bundled", prefix="bundled"
    )
    config = prawko_migrations._config(Roles("bundled"))
    config.attributes["url"] = logins.owner
    companies = [uuid4(), uuid4()]

    await asyncio.to_thread(command.upgrade, config, "0036")
    for company in companies:
        connection = await connect_to_company(logins.owner, company)
        await add_member(connection, company)
        for kind in ("expiring", "expiring", "results_stale"):
            await add_notice(connection, company, kind, AT)
        await add_message(connection, company, "batch_at", AT)
        await connection.close()
    await asyncio.to_thread(command.upgrade, config, "head")

    for company in companies:
        connection = await connect_to_company(logins.owner, company)
        assert await read_bundles(connection, "this") == [["expiring", "expiring"]]
        await connection.close()
