"""Changes the password of a signed-in person and ends all of that person's sessions."""

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.errors import WrongPasswordError
from prawko.accounts.login import NewSession, replace_sessions
from prawko.accounts.models import CodeKind
from prawko.accounts.one_time_codes import OneTimeCodeRepository
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.policy import validate_change_form, validate_new_password
from prawko.accounts.passwords.verification import verify_current_password
from prawko.accounts.repository import AccountRepository
from prawko.kit.context import AppContext

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
    ) -> NewSession:
        """Store the new password and return this browser's new session.

        Raises InvalidPasswordError, WrongPasswordError, TooManyRequestsError after too many
        wrong passwords, and AuthRequiredError when the session was revoked meanwhile.
        """
        validate_change_form(current_password, new_password, confirmation)
        validate_new_password(
            new_password, confirmation, refuse_common=self._context.settings.refuse_common_passwords
        )
        old = await verify_current_password(
            self._context, identity, current_password, client_info, field="currentPassword"
        )
        new_hash = await hashing.hash_password(new_password, caller=identity.user_id)
        async with self._context.database.system() as session:
            accounts = AccountRepository(session)
            now = self._context.clock.now()
            if old.proof is not None:
                is_changed = await accounts.change_operator_password(
                    identity.user_id, old.proof.password_digest, new_hash, now
                )
            else:
                is_changed = await accounts.change_password(
                    identity.user_id, old.stored_hash, new_hash, now
                )
            if not is_changed:
                raise WrongPasswordError(fields=_WRONG_PASSWORD_FIELDS)
            await ensure_session_active(session, identity)
            await OneTimeCodeRepository(session).consume_all(identity.user_id, CodeKind.RESET, now)
            await record_event(session, AuditEvent.PASSWORD_CHANGED, identity, client_info, now)
            return await replace_sessions(
                session, self._context, identity, client_info,
                second_factor_at=identity.second_factor_at,
            )  # fmt: skip
