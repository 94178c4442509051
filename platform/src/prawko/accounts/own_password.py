"""Changing the own password, signed in: the present one is asked for, all other sessions end."""

from prawko.accounts import limits, passwords
from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.errors import WrongPasswordError
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.new_passwords import require_form, require_new
from prawko.accounts.repository import AccountRepository
from prawko.accounts.signing_in import open_session
from prawko.accounts.throttle import Throttle
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools


class OwnPassword:
    """A signed-in person's password."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._throttle = Throttle(tools.database, tools.vault)

    async def change(
        self, identity: Identity, current: str, new: str, confirmed: str, origin: Origin
    ) -> str:
        """Store the new password and return the token of this browser's new session.

        Raises InvalidPasswordError, WrongPasswordError, TooManyRequestsError after too many
        wrong ones, and AuthRequiredError when the session ended meanwhile.
        """
        require_form(current, new, confirmed)
        require_new(new, confirmed, refuse_common=self._tools.settings.refuse_common_passwords)
        stored = await self._proven(identity, current, origin)
        hashed = await passwords.hash_password(new)
        async with self._tools.database.system() as session:
            accounts = AccountRepository(session)
            now = self._tools.clock.now()
            if not await accounts.change_password(identity.user_id, stored, hashed, now):
                raise WrongPasswordError(fields=_WRONG)
            await refuse_revoked(session, identity)
            await accounts.revoke_all(identity.user_id, machine_now())
            await accounts.spend_codes(identity.user_id, "reset", now)
            await note(session, Act.PASSWORD_CHANGED, identity, origin, now)
            opened = await open_session(
                session, identity.user_id, identity.tenant_id, origin, verified=True
            )
        return opened.token

    async def _proven(self, identity: Identity, current: str, origin: Origin) -> str:
        """The stored hash, when the present password fits it; no transaction waits meanwhile."""
        whose = str(identity.user_id)
        await self._throttle.count(limits.WRONG_PASSWORDS, whose)
        async with self._tools.database.system() as session:
            stored = await AccountRepository(session).password_hash(identity.user_id)
        if not await passwords.matches(stored, current) or stored is None:
            async with self._tools.database.system() as session:
                now = self._tools.clock.now()
                await note(session, Act.PASSWORD_REFUSED, identity, origin, now)
            raise WrongPasswordError(fields=_WRONG)
        await self._throttle.forget(limits.WRONG_PASSWORDS, whose)
        return stored


_WRONG = {"currentPassword": "errors.wrong_password"}
