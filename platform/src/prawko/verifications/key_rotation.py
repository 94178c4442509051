"""Re-encrypts stored register answers with the current key, company by company."""

from typing import Any

from sqlalchemy import Row, text

from prawko.base.context import AppContext
from prawko.base.crypto import DecryptionError
from prawko_tenants.ids import TenantId

BATCH_SIZE = 500

_COMPANIES = text("SELECT DISTINCT tenant_id FROM driver")
_OUTDATED = text("""
    SELECT driver_id, id, key_id, raw FROM register_answer
     WHERE tenant_id = :tenant_id AND key_id <> :current AND id > :after
     ORDER BY id LIMIT :limit FOR UPDATE
""")
_MIN_ID = "00000000-0000-0000-0000-000000000000"
_UPDATE_ANSWER = text("""
    UPDATE register_answer SET key_id = :key_id, raw = :raw
     WHERE tenant_id = :tenant_id AND driver_id = :driver_id AND id = :id
""")


async def reencrypt_answers(context: AppContext) -> tuple[int, int]:
    """Re-encrypt answers stored under older keys; returns the counts of moved and lost answers.

    An answer is lost when its key is not configured any more. May be interrupted and repeated:
    each batch is one transaction.
    """
    async with context.database.planner() as planner:
        companies = (await planner.execute(_COMPANIES)).scalars().all()
    moved = lost = 0
    for tenant_id in companies:
        after: Any = _MIN_ID
        while True:
            rows, reencrypted = await _reencrypt_batch(context, TenantId(tenant_id), after)
            if not rows:
                break
            after = rows[-1].id
            moved += reencrypted
            lost += len(rows) - reencrypted
    return moved, lost


async def _reencrypt_batch(
    context: AppContext, tenant_id: TenantId, after: Any
) -> tuple[list[Row[Any]], int]:
    cipher = context.key_ring.answer_cipher
    params = {
        "tenant_id": tenant_id,
        "current": cipher.current_key_id,
        "after": after,
        "limit": BATCH_SIZE,
    }
    reencrypted = 0
    async with context.database.tenant(tenant_id) as session:
        rows = list((await session.execute(_OUTDATED, params)).all())
        for row in rows:
            try:
                plaintext = cipher.decrypt(row.key_id, row.raw, associated_data=row.id.bytes)
            except DecryptionError:
                continue
            await session.execute(
                _UPDATE_ANSWER,
                {
                    "tenant_id": tenant_id,
                    "driver_id": row.driver_id,
                    "id": row.id,
                    "key_id": cipher.current_key_id,
                    "raw": cipher.encrypt(plaintext, associated_data=row.id.bytes),
                },
            )
            reencrypted += 1
    return rows, reencrypted
