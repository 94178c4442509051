"""Moves raw answers from older keys to the current one, company by company."""

from typing import Any

from sqlalchemy import Row, text

from prawko.base.jobs import Tools
from prawko.base.secrets import LostKeyError
from prawko_tenants.ids import TenantId

BATCH = 500

_COMPANIES = text("SELECT DISTINCT tenant_id FROM driver")
_OLD = text("""
    SELECT driver_id, id, key_id, raw FROM register_answer
     WHERE tenant_id = :tenant_id AND key_id <> :current AND id > :after
     ORDER BY id LIMIT :most FOR UPDATE
""")
_FIRST = "00000000-0000-0000-0000-000000000000"
_MOVE = text("""
    UPDATE register_answer SET key_id = :key_id, raw = :raw
     WHERE tenant_id = :tenant_id AND driver_id = :driver_id AND id = :id
""")


async def reseal(tools: Tools) -> tuple[int, int]:
    """Seal with the current key what another sealed; how many moved, and how many are lost.

    May be interrupted: each batch is a transaction, and what has moved is not looked at again.
    """
    async with tools.database.planner() as planner:
        companies = (await planner.execute(_COMPANIES)).scalars().all()
    moved = lost = 0
    for tenant_id in companies:
        after: Any = _FIRST
        while True:
            rows, done = await _batch(tools, TenantId(tenant_id), after)
            if not rows:
                break
            after = rows[-1].id
            moved += done
            lost += len(rows) - done
    return moved, lost


async def _batch(tools: Tools, tenant_id: TenantId, after: Any) -> tuple[list[Row[Any]], int]:
    seal = tools.vault.answers
    where = {"tenant_id": tenant_id, "current": seal.current, "after": after, "most": BATCH}
    done = 0
    async with tools.database.tenant(tenant_id) as session:
        rows = list((await session.execute(_OLD, where)).all())
        for row in rows:
            try:
                plain = seal.open(row.key_id, row.raw, about=row.id.bytes)
            except LostKeyError:
                continue
            await session.execute(
                _MOVE,
                {
                    "tenant_id": tenant_id,
                    "driver_id": row.driver_id,
                    "id": row.id,
                    "key_id": seal.current,
                    "raw": seal.close(plain, about=row.id.bytes),
                },
            )
            done += 1
    return rows, done
