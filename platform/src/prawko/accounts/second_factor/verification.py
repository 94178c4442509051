"""Checks a typed code against a person's second factor, and counts the tries.

No code is accepted twice.
"""

from datetime import timedelta
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor
from prawko.accounts.known_browsers import find_known_browser
from prawko.accounts.repository import AccountRepository
from prawko.accounts.second_factor.codes import find_step, hash_recovery_code, is_totp_code
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError, KeyRing
from prawko.kit.observability import logs
from prawko.kit.text.letters import strip_separators
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

REFUSALS_MAILED = 5  # in a row; a person who gets so far knows the password
REFUSAL_PERIOD = timedelta(days=1)


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
    code = strip_separators(typed)
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


async def count_try(context: AppContext, user_id: UserId, client_info: ClientInfo) -> str:
    """Count a try before its code is compared; return the subject that it was counted under.

    Tries are counted alike wherever a code is typed: those from all browsers that the account knows
    together, and those from all others. The windows are of growing length, so that the pause grows
    with the tries. Raises TooManyRequestsError.
    """
    async with context.database.system() as session:
        profile = await AccountRepository(session).get(user_id)
    browser = find_known_browser(client_info.known_browsers, user_id, profile.browser_generation)
    subject = browser.account_subject if browser else str(user_id)
    for limit in limits.SECOND_FACTOR:
        await context.throttle.hit(limit, subject)
    return subject


async def reset_tries(context: AppContext, subject: str) -> None:
    """Delete the counts, after an accepted code."""
    for limit in limits.SECOND_FACTOR:
        await context.throttle.reset(limit, subject)


async def record_refusal(
    context: AppContext, session: TenantSession, actor: Actor,
    client_info: ClientInfo,
) -> None:  # fmt: skip
    """Record a refused code; after several in a row, mail the person, once a day.

    The caller holds the account's lock.
    """
    now = context.clock.now()
    await record_event(session, AuditEvent.SECOND_FACTOR_REFUSED, actor, client_info, now)
    refused = await SecondFactorRepository(session).count_refusals_in_a_row(
        actor.user_id, now - REFUSAL_PERIOD, REFUSALS_MAILED
    )
    if refused >= REFUSALS_MAILED:
        await enqueue_second_factor_mail(
            session, actor.user_id, SecondFactorMail.REFUSED,
            once_per=warsaw_date(now).isoformat(),
        )  # fmt: skip
