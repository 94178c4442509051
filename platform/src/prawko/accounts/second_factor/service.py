"""Switches a person's second factor on and off, and renews the recovery codes."""

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.errors import (
    InvalidSecondFactorError,
    SecondFactorDisabledError,
    SecondFactorEnabledError,
    WrongPasswordError,
)
from prawko.accounts.login import NewSession, replace_sessions
from prawko.accounts.passwords.verification import verify_current_password
from prawko.accounts.repository import AccountRepository
from prawko.accounts.schemas import SecondFactorOut, SecondFactorSetupOut
from prawko.accounts.second_factor.codes import (
    build_otpauth_uri,
    draw_qr_code,
    find_step,
    hash_recovery_code,
    new_recovery_codes,
    new_totp_secret,
)
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.accounts.second_factor.verification import (
    count_try,
    decrypt_totp_secret,
    encrypt_totp_secret,
    record_refusal,
    redeem_second_factor,
    reset_tries,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.text.letters import strip_separators
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

_INVALID_CODE_FIELDS = {"code": "errors.invalid_second_factor"}


class EnabledSecondFactor(msgspec.Struct, frozen=True):
    """The recovery codes to show once, and this browser's new session."""

    recovery_codes: list[str]
    signed_in: NewSession


class SecondFactorService:
    """Acts for the signed-in person. Every change takes the password.

    Switching on or off ends the person's other sessions, and this one goes on under a new token.
    """

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._key_ring = context.key_ring

    async def status(self, identity: Identity) -> SecondFactorOut:
        """Return whether it is on, and how many recovery codes are left."""
        async with self._context.database.system() as session:
            factors = SecondFactorRepository(session)
            factor = await factors.find_confirmed(identity.user_id)
            codes_left = await factors.count_recovery_codes(identity.user_id)
        return SecondFactorOut(
            enabled=factor is not None,
            enabled_at=factor.confirmed_at if factor else None,
            recovery_codes_left=codes_left,
            required=identity.is_admin and self._context.settings.require_operator_second_factor,
        )

    async def start_setup(
        self, identity: Identity, password: str, client_info: ClientInfo
    ) -> SecondFactorSetupOut:
        """Return a new secret for the authenticator app; nothing is on until it is confirmed.

        Raises WrongPasswordError, TooManyRequestsError and SecondFactorEnabledError.
        """
        await verify_current_password(
            self._context, identity, password, client_info, field="password"
        )
        secret = new_totp_secret()
        encrypted = encrypt_totp_secret(self._key_ring, identity.user_id, secret)
        async with self._context.database.system() as session:
            await AccountRepository(session).lock_user(identity.user_id)
            await ensure_session_active(session, identity)
            started = await SecondFactorRepository(session).start_setup(
                identity.user_id, encrypted, utc_now()
            )
            if not started:
                raise SecondFactorEnabledError
            profile = await AccountRepository(session).get(identity.user_id)
        uri = build_otpauth_uri(secret, account=profile.email, issuer=self._context.settings.brand)
        return SecondFactorSetupOut(secret=secret, uri=uri, qr_code=draw_qr_code(uri))

    async def confirm_setup(
        self, identity: Identity, code: str, client_info: ClientInfo
    ) -> EnabledSecondFactor:
        """Switch the second factor on if the app shows the right code.

        Raises InvalidSecondFactorError, TooManyRequestsError, and SecondFactorDisabledError when
        no set-up was started.
        """
        subject = await count_try(self._context, identity.user_id, client_info)
        async with self._context.database.tenant(identity.tenant_id) as session:
            await AccountRepository(session).lock_user(identity.user_id)
            await ensure_session_active(session, identity)
            factors = SecondFactorRepository(session)
            factor = await factors.find_unconfirmed(identity.user_id)
            if factor is None:
                raise SecondFactorDisabledError
            secret = decrypt_totp_secret(self._key_ring, identity.user_id, factor.secret)
            step = find_step(secret, strip_separators(code), utc_now())
            if step is None:
                raise InvalidSecondFactorError(fields=_INVALID_CODE_FIELDS)
            await factors.confirm(identity.user_id, step, utc_now())
            recovery_codes = await self._replace_codes(session, identity.user_id)
            new_session = await self._record_change(
                session, identity, client_info, AuditEvent.SECOND_FACTOR_ENABLED,
                SecondFactorMail.ENABLED, is_confirmed=True,
            )  # fmt: skip
        await reset_tries(self._context, subject)
        return EnabledSecondFactor(recovery_codes, new_session)

    async def disable(
        self, identity: Identity, password: str, code: str, client_info: ClientInfo
    ) -> NewSession:
        """Switch the second factor off; return this browser's new session.

        Raises WrongPasswordError, InvalidSecondFactorError, SecondFactorDisabledError and
        TooManyRequestsError.
        """
        password_hash = await self._verify_password_and_code(identity, password, code, client_info)
        async with self._context.database.tenant(identity.tenant_id) as session:
            await self.lock_verified(session, identity, password_hash)
            if not await SecondFactorRepository(session).remove(identity.user_id):
                raise SecondFactorDisabledError
            return await self._record_change(
                session, identity, client_info, AuditEvent.SECOND_FACTOR_DISABLED,
                SecondFactorMail.DISABLED, is_confirmed=False,
            )  # fmt: skip

    async def replace_recovery_codes(
        self, identity: Identity, password: str, code: str, client_info: ClientInfo
    ) -> list[str]:
        """Return ten new recovery codes; the earlier ones are void. Raises like `disable`."""
        password_hash = await self._verify_password_and_code(identity, password, code, client_info)
        async with self._context.database.tenant(identity.tenant_id) as session:
            await self.lock_verified(session, identity, password_hash)
            if not await SecondFactorRepository(session).is_enabled(identity.user_id):
                raise SecondFactorDisabledError
            codes = await self._replace_codes(session, identity.user_id)
            now = self._context.clock.now()
            event = AuditEvent.RECOVERY_CODES_REPLACED
            await record_event(session, event, identity, client_info, now)
            await enqueue_second_factor_mail(
                session, identity.user_id, SecondFactorMail.CODES_REPLACED
            )
        return codes

    async def verify_credentials(
        self, identity: Identity, password: str, code: str, client_info: ClientInfo
    ) -> str:
        """Check the password and, where the second factor is on, a code; return the hash.

        Counts the attempts. Raises WrongPasswordError, InvalidSecondFactorError and
        TooManyRequestsError. The caller goes on with `lock_verified`.
        """
        async with self._context.database.tenant(identity.tenant_id) as session:
            is_enabled = await SecondFactorRepository(session).is_enabled(identity.user_id)
        if is_enabled:
            return await self._verify_password_and_code(identity, password, code, client_info)
        matched = await verify_current_password(
            self._context, identity, password, client_info, field="password"
        )
        return matched.stored_hash

    async def _verify_password_and_code(
        self, identity: Identity, password: str, code: str, client_info: ClientInfo
    ) -> str:
        """Check password and code, count both attempts, and return the password's hash."""
        matched = await verify_current_password(
            self._context, identity, password, client_info, field="password"
        )
        subject = await count_try(self._context, identity.user_id, client_info)
        async with self._context.database.tenant(identity.tenant_id) as session:
            await AccountRepository(session).lock_user(identity.user_id)
            await ensure_session_active(session, identity)  # before a code is used up
            if not await SecondFactorRepository(session).is_enabled(identity.user_id):
                raise SecondFactorDisabledError
            method = await redeem_second_factor(session, self._key_ring, identity.user_id, code)
            if method is None:
                await record_refusal(self._context, session, identity, client_info)
        if method is None:
            raise InvalidSecondFactorError(fields=_INVALID_CODE_FIELDS)
        await reset_tries(self._context, subject)
        return matched.stored_hash

    async def lock_verified(
        self, session: AsyncSession, identity: Identity, password_hash: str
    ) -> None:
        """Lock the account, whose password and session must be those that were verified."""
        accounts = AccountRepository(session)
        await accounts.lock_user(identity.user_id)
        await ensure_session_active(session, identity)
        stored = await accounts.find_password(identity.user_id)
        if stored is None or stored.password_hash != password_hash:
            raise WrongPasswordError(fields={"password": "errors.wrong_password"})

    async def _replace_codes(self, session: AsyncSession, user_id: UserId) -> list[str]:
        codes = new_recovery_codes()
        await SecondFactorRepository(session).replace_recovery_codes(
            user_id, [hash_recovery_code(self._key_ring, user_id, code) for code in codes]
        )
        return codes

    async def _record_change(
        self, session: TenantSession, identity: Identity, client_info: ClientInfo,
        event: AuditEvent, mail: SecondFactorMail, *, is_confirmed: bool,
    ) -> NewSession:  # fmt: skip
        """Record and mail the change, and replace all sessions by a new one."""
        now = self._context.clock.now()
        await record_event(session, event, identity, client_info, now)
        await enqueue_second_factor_mail(session, identity.user_id, mail)
        return await replace_sessions(
            session, self._context, identity, client_info,
            second_factor_at=utc_now() if is_confirmed else None,
        )  # fmt: skip
