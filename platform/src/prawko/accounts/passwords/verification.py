"""Confirms with the current password that the person at the keyboard is the account's owner."""

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import WrongPasswordError
from prawko.accounts.passwords.comparison import MatchedPassword, match_password
from prawko.accounts.repository import AccountRepository
from prawko.kit.context import AppContext


async def verify_current_password(
    context: AppContext, identity: Identity, password: str, client_info: ClientInfo, *, field: str
) -> MatchedPassword:
    """Return the stored hash if the password matches, for an operator with its proof.

    Counts the attempt.

    Raises TooManyRequestsError, and WrongPasswordError at `field` of the form. No transaction is
    open while the hash is compared: the caller makes sure that it is still the same.
    """
    throttle, subject = context.throttle, str(identity.user_id)
    await throttle.hit(limits.WRONG_PASSWORDS, subject)
    async with context.database.system() as session:
        account = await AccountRepository(session).find_password(identity.user_id)
    match = await match_password(context.database, account, password, caller=identity.user_id)
    if match is None:
        async with context.database.system() as session:
            now = context.clock.now()
            await record_event(session, AuditEvent.PASSWORD_REFUSED, identity, client_info, now)
        raise WrongPasswordError(fields={field: "errors.wrong_password"})
    await throttle.reset(limits.WRONG_PASSWORDS, subject)
    return match
