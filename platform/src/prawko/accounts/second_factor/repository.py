"""The repository of second factors and recovery codes, in the caller's transaction."""

from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.audit_log import AuditEvent
from prawko.accounts.models import RecoveryCode, SecondFactor, UserActivity
from prawko.accounts.second_factor.codes import MAX_STEPS_AHEAD
from prawko.kit.database import Repository, insert_rows, to_arrays
from prawko_tenants.ids import UserId, new_id

# What a person cannot do without a right code.
_ACCEPTED = (AuditEvent.SIGNED_IN, AuditEvent.RECOVERY_CODES_REPLACED)
_INSERT_CODES = insert_rows(RecoveryCode, "id", "user_id", "code_hash")


class SecondFactorRepository(Repository[SecondFactor]):
    """Reads and writes the second factor of one person."""

    model_type = SecondFactor

    async def is_enabled(self, user_id: UserId) -> bool:
        """Return whether the person signs in with a second factor."""
        return await self.find_confirmed(user_id) is not None

    async def find_confirmed(self, user_id: UserId) -> SecondFactor | None:
        """Return the person's second factor; None while it is off or being set up."""
        return await self.session.scalar(
            select(SecondFactor).where(
                SecondFactor.user_id == user_id, SecondFactor.confirmed_at.is_not(None)
            )
        )

    async def find_unconfirmed(self, user_id: UserId) -> SecondFactor | None:
        """Return the second factor that the person is setting up."""
        return await self.session.scalar(
            select(SecondFactor).where(
                SecondFactor.user_id == user_id, SecondFactor.confirmed_at.is_(None)
            )
        )

    async def start_setup(self, user_id: UserId, secret: bytes, system_now: datetime) -> bool:
        """Store the secret of a new set-up in place of an earlier one; False when it is on."""
        statement = insert(SecondFactor).values(
            user_id=user_id, secret=secret, created_at=system_now
        )
        new = {"secret": statement.excluded.secret, "created_at": statement.excluded.created_at}
        started = await self.session.scalar(
            statement.on_conflict_do_update(
                index_elements=[SecondFactor.user_id],
                set_=new,
                where=SecondFactor.confirmed_at.is_(None),
            ).returning(SecondFactor.user_id)
        )
        return started is not None

    async def confirm(self, user_id: UserId, step: int, system_now: datetime) -> None:
        """Switch the second factor on; the code that proved it counts as used."""
        await self.session.execute(
            update(SecondFactor)
            .where(SecondFactor.user_id == user_id)
            .values(confirmed_at=system_now, last_step=step)
        )

    async def use_step(self, user_id: UserId, step: int) -> bool:
        """Record the time step of a code; False when it or a later one was used before.

        A step that is further ahead than clocks may be was recorded by a wrong one.
        """
        is_new = or_(SecondFactor.last_step < step, SecondFactor.last_step > step + MAX_STEPS_AHEAD)
        used = await self.session.scalar(
            update(SecondFactor)
            .where(SecondFactor.user_id == user_id, is_new)
            .values(last_step=step)
            .returning(SecondFactor.user_id)
        )
        return used is not None

    async def use_recovery_code(
        self, user_id: UserId, code_hash: bytes, system_now: datetime
    ) -> bool:
        """Use up a recovery code; False when there is no such unused code."""
        used = await self.session.scalar(
            update(RecoveryCode)
            .where(
                RecoveryCode.user_id == user_id,
                RecoveryCode.code_hash == code_hash,
                RecoveryCode.used_at.is_(None),
            )
            .values(used_at=system_now)
            .returning(RecoveryCode.id)
        )
        return used is not None

    async def replace_recovery_codes(self, user_id: UserId, hashes: Sequence[bytes]) -> None:
        """Store new recovery codes; the earlier ones open nothing any more."""
        await self.session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
        rows = [{"id": new_id(), "user_id": user_id, "code_hash": one} for one in hashes]
        await self.session.execute(_INSERT_CODES, to_arrays(rows))

    async def count_recovery_codes(self, user_id: UserId) -> int:
        """Return how many recovery codes are left."""
        unused = select(func.count()).where(
            RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None)
        )
        return await self.session.scalar(unused) or 0

    async def count_refusals_in_a_row(self, user_id: UserId, since: datetime, most: int) -> int:
        """Return how many of the last events of a code were refusals, of at most `most`."""
        last = (
            select(UserActivity.activity_type)
            .where(
                UserActivity.user_id == user_id,
                UserActivity.activity_type.in_((AuditEvent.SECOND_FACTOR_REFUSED, *_ACCEPTED)),
                UserActivity.created_at > since,
            )
            .order_by(UserActivity.created_at.desc(), UserActivity.id.desc())
            .limit(most)
        )
        types = (await self.session.scalars(last)).all()
        return len([*takewhile(lambda one: one == AuditEvent.SECOND_FACTOR_REFUSED, types)])

    async def remove(self, user_id: UserId) -> bool:
        """Switch the second factor off and delete its codes; False when it was off."""
        removed = await self.session.scalar(
            delete(SecondFactor)
            .where(SecondFactor.user_id == user_id, SecondFactor.confirmed_at.is_not(None))
            .returning(SecondFactor.user_id)
        )
        return removed is not None
