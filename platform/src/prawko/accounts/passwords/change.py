"""Changes the password of a signed-in person and ends all of that person's sessions."""

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.errors import WrongPasswordError
from prawko.accounts.login import create_session
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import CodeKind
from prawko.accounts.one_time_codes import OneTimeCodeRepository
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.policy import validate_change_form, validate_new_password
from prawko.accounts.passwords.verification import verify_current_password
from prawko.accounts.repository import AccountRepository
from prawko.base.clock import utc_now
from prawko.base.context import AppContext

_WRONG_PASSWORD_FIELDS = {"currentPassword": "errors.wrong_password"}


class PasswordChange:
    """Changes the caller's password."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def change_password(
        self,
        identity: Identity,
        current_password: str,
        new_password: str,
        confirmation: str,
        client_info: ClientInfo,
    ) -> str:
        """Store the new password and return the token of this browser's new session.

        Raises InvalidPasswordError, WrongPasswordError, TooManyRequestsError after too many
        wrong passwords, and AuthRequiredError when the session was revoked meanwhile.
        """
        validate_change_form(current_password, new_password, confirmation)
        validate_new_password(
            new_password, confirmation, refuse_common=self._context.settings.refuse_common_passwords
        )
        old_hash = await verify_current_password(
            self._context, identity, current_password, client_info, field="currentPassword"
        )
        new_hash = await hashing.hash_password(new_password)
        async with self._context.database.system() as session:
            accounts = AccountRepository(session)
            now = self._context.clock.now()
            if not await accounts.change_password(identity.user_id, old_hash, new_hash, now):
                raise WrongPasswordError(fields=_WRONG_PASSWORD_FIELDS)
            await ensure_session_active(session, identity)
            await LoginSessionRepository(session).revoke_all(identity.user_id, utc_now())
            await OneTimeCodeRepository(session).consume_all(identity.user_id, CodeKind.RESET, now)
            await record_event(session, AuditEvent.PASSWORD_CHANGED, identity, client_info, now)
            new_session = await create_session(
                session, identity.user_id, identity.tenant_id, client_info, email_verified=True,
                second_factor_at=identity.second_factor_at,
            )  # fmt: skip
        return new_session.token
