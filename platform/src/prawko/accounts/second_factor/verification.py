"""Checks a typed code against a person's second factor; no code is accepted twice."""

from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.second_factor.recovery_codes import hash_recovery_code
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.accounts.second_factor.totp_codes import find_step, is_totp_code
from prawko.kit.clock import utc_now
from prawko.kit.crypto import DecryptionError, KeyRing
from prawko.kit.observability import logs
from prawko_tenants.ids import UserId

log = logs.get_logger(__name__)


class SecondFactorMethod(StrEnum):
    """The means by which a sign-in was confirmed."""

    TOTP = "totp"
    RECOVERY_CODE = "recovery_code"


def encrypt_totp_secret(key_ring: KeyRing, user_id: UserId, secret: str) -> bytes:
    """Return a secret as stored: encrypted and bound to its person."""
    return key_ring.second_factor_cipher.encrypt(secret.encode(), associated_data=user_id.bytes)


def decrypt_totp_secret(key_ring: KeyRing, user_id: UserId, encrypted: bytes) -> str:
    """Return the secret. Raises DecryptionError, after a change of SECRET_KEY for one."""
    cipher = key_ring.second_factor_cipher
    secret = cipher.decrypt(cipher.current_key_id, encrypted, associated_data=user_id.bytes)
    return secret.decode()


async def redeem_second_factor(
    session: AsyncSession, key_ring: KeyRing, user_id: UserId, typed: str
) -> SecondFactorMethod | None:
    """Use up a code of the app or a recovery code; None when it is refused.

    The caller has counted the attempt and holds the account's lock. Codes are compared
    by the system clock: the telephone does not know the product's.
    """
    factors, now = SecondFactorRepository(session), utc_now()
    factor = await factors.find_confirmed(user_id)
    if factor is None:
        return None
    code = "".join(typed.split())
    if not is_totp_code(code):
        code_hash = hash_recovery_code(key_ring, user_id, code)
        is_used = await factors.use_recovery_code(user_id, code_hash, now)
        return SecondFactorMethod.RECOVERY_CODE if is_used else None
    try:
        secret = decrypt_totp_secret(key_ring, user_id, factor.secret)
    except DecryptionError:
        log.exception("second_factor_undecryptable", user_id=str(user_id))
        return None
    step = find_step(secret, code, now)
    if step is None or not await factors.use_step(user_id, step):
        return None
    return SecondFactorMethod.TOTP
