"""Re-encrypts stored register answers with the current key, company by company."""

from uuid import UUID

from sqlalchemy import select

from prawko.drivers.models import Driver
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError
from prawko.verifications.models import RegisterAnswer
from prawko_tenants.ids import TenantId

BATCH_SIZE = 500


async def reencrypt_answers(context: AppContext) -> tuple[int, int]:
    """Re-encrypt answers stored under older keys; returns the counts of moved and lost answers.

    An answer is lost when its key is not configured any more. May be interrupted and repeated:
    each batch is one transaction.
    """
    async with context.database.planner() as planner:
        tenant_ids = (await planner.scalars(select(Driver.tenant_id).distinct())).all()
    moved = lost = 0
    for tenant_id in tenant_ids:
        after: UUID | None = UUID(int=0)
        while after is not None:
            reencrypted, skipped, after = await _reencrypt_batch(context, tenant_id, after)
            moved += reencrypted
            lost += skipped
    return moved, lost


async def _reencrypt_batch(
    context: AppContext, tenant_id: TenantId, after: UUID
) -> tuple[int, int, UUID | None]:
    """Counts of moved and lost answers after an id, and the last id; None at the end."""
    cipher = context.key_ring.answer_cipher
    lost = 0
    async with context.database.tenant(tenant_id) as session:
        statement = (
            select(RegisterAnswer)
            .where(RegisterAnswer.key_id != cipher.current_key_id, RegisterAnswer.id > after)
            .order_by(RegisterAnswer.id)
            .limit(BATCH_SIZE)
            .with_for_update()
        )
        answers = (await session.scalars(statement)).all()
        for answer in answers:
            binding = answer.id.bytes
            try:
                canonical = cipher.decrypt(answer.key_id, answer.raw, associated_data=binding)
            except DecryptionError:
                lost += 1
                continue
            answer.key_id = cipher.current_key_id
            answer.raw = cipher.encrypt(canonical, associated_data=binding)
    return len(answers) - lost, lost, answers[-1].id if answers else None
