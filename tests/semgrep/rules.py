"""Samples that each rule of `rules.yml` must detect (`ruleid`) or accept (`ok`)."""

import datetime as dt
import smtplib
import urllib.request
from datetime import UTC, date, datetime
from urllib.request import urlopen

import aiohttp
import aiosmtplib
import asyncpg
import httpx
import requests
from sqlalchemy import create_engine, text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

COLUMNS = _TAIL = "id"


def sql(name, table, driver_id, queries):
    # ruleid: sql-made-of-text
    text(f"SELECT * FROM driver WHERE last_name = '{name}'")
    # ruleid: sql-made-of-text
    text(f'DELETE FROM driver WHERE id = {driver_id}')
    # ruleid: sql-made-of-text
    text(f"""
        UPDATE driver SET status = :status
         WHERE id = {driver_id}
    """)
    # ruleid: sql-made-of-text
    text(f"SELECT {COLUMNS} FROM {table}")
    # ruleid: sql-made-of-text
    text("SELECT * FROM driver WHERE id = " + driver_id)
    # ruleid: sql-made-of-text
    text("SELECT * FROM driver WHERE id = %s" % driver_id)
    # ruleid: sql-made-of-text
    text("DELETE FROM {}".format(table))
    # ruleid: sql-made-of-text
    text("SELECT 1 " "FROM driver WHERE id = " + str(driver_id))
    # ruleid: sql-made-of-text
    text("DELETE FROM x".replace("x", table))
    # ok: sql-made-of-text
    text(f"SELECT {COLUMNS} FROM driver {queries.WHERE}")
    # ok: sql-made-of-text
    text(f"""
        SELECT {COLUMNS} FROM driver {_TAIL}
    """)
    # ok: sql-made-of-text
    text(f"""
        WITH d AS ({COLUMNS}) SELECT {{who}} FROM d
    """)
    # ok: sql-made-of-text
    text("SELECT id FROM driver " + _TAIL)
    # ok: sql-made-of-text
    text("SELECT id FROM driver WHERE {who}".format(who="true"))
    # ok: sql-made-of-text
    text("SELECT id FROM driver WHERE id = :id")
    # ok: sql-made-of-text
    print(f"{name} was added", f"Update of {name}", "With " + name)


async def sessions(database, tenant_id, url, engine):
    # ruleid: session-without-a-company
    engine = create_async_engine(url)
    # ruleid: session-without-a-company
    engine = create_engine(url)
    # ruleid: session-without-a-company
    async with AsyncSession(engine):
        pass
    # ruleid: session-without-a-company
    await asyncpg.connect(url)
    # ruleid: session-without-a-company
    await asyncpg.create_pool(url)
    # ruleid: session-without-a-company
    async_sessionmaker(engine)
    # ok: session-without-a-company
    async with database.tenant(tenant_id):
        pass


# ok: session-without-a-company
def annotated(session: AsyncSession) -> None: ...


async def servers(url, host, headers, key, seconds):
    # ruleid: http-without-a-time-out
    aiohttp.ClientSession()
    # ruleid: http-with-a-time-out-that-is-none
    aiohttp.ClientSession(timeout=None)
    # ruleid: http-without-a-time-out
    aiohttp.ClientSession(headers=headers)
    # ruleid: http-without-a-time-out
    requests.post(url, json={})
    # ruleid: http-without-a-time-out
    httpx.AsyncClient()
    # ruleid: http-with-a-time-out-that-is-none
    httpx.get(url, timeout=None)
    # ruleid: http-without-a-time-out
    urllib.request.urlopen(url)
    # ruleid: http-without-a-time-out
    urlopen(url)
    # ruleid: http-with-a-time-out-that-is-none
    urlopen(url, timeout=0)
    # ruleid: http-without-a-time-out
    smtplib.SMTP(host)
    # ruleid: http-without-a-time-out
    aiosmtplib.SMTP(hostname=host)
    # ok: http-without-a-time-out, http-with-a-time-out-that-is-none
    aiohttp.ClientSession(timeout=seconds)
    # ok: http-without-a-time-out, http-with-a-time-out-that-is-none
    requests.get(url, timeout=10)
    # ok: http-without-a-time-out, http-with-a-time-out-that-is-none
    urlopen(url, timeout=seconds)


def times(moment, seconds, day, wall, parts):
    # ruleid: naive-time
    datetime.now()
    # ruleid: naive-time
    dt.datetime.now()
    # ruleid: naive-time
    datetime.now(tz=None)
    # ruleid: naive-time
    datetime.utcnow()
    # ruleid: naive-time
    datetime.fromtimestamp(seconds)
    # ruleid: naive-time
    datetime.combine(day, wall)
    # ruleid: naive-time
    datetime(2026, 11, 21, 6)
    # ruleid: naive-time
    dt.datetime(2026, 11, 21)
    # ruleid: naive-time
    datetime.strptime(moment, "%Y")
    # ruleid: naive-time
    date.today()
    # ruleid: naive-time
    moment.replace(tzinfo=None)
    # ok: naive-time
    datetime.now(UTC)
    # ok: naive-time
    datetime.now(tz=UTC)
    # ok: naive-time
    datetime.fromtimestamp(seconds, UTC)
    # ok: naive-time
    datetime.combine(day, wall, UTC)
    # ok: naive-time
    datetime.combine(day, wall, tzinfo=UTC)
    # ok: naive-time
    datetime(2026, 11, 21, tzinfo=UTC)
    # ok: naive-time
    datetime(*parts, tzinfo=UTC)
    # ok: naive-time
    moment.replace(tzinfo=UTC)
    # ok: naive-time
    date(2026, 11, 21)


async def many(repository, rows):
    # ruleid: scope-that-is-ignored
    await repository.update_many(rows)
    # ruleid: scope-that-is-ignored
    await repository.upsert_many(rows)
    # ruleid: scope-that-is-ignored
    await repository.delete_many([row.id for row in rows])
    # ruleid: scope-that-is-ignored
    await repository.delete_where(kind="x")
    # ok: scope-that-is-ignored
    await repository.add_many(rows)
    # ruleid: commit-by-a-repository
    await repository.add(rows[0], auto_commit=True)
    # ok: commit-by-a-repository
    await repository.add(rows[0])
