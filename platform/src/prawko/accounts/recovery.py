"""A forgotten password: the link, and the new password it lets in (reading R16).

Asking tells nobody whether an account exists, neither by the answer nor by its time (R27).
"""

import hmac
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import limits, passwords
from prawko.accounts.activity import Act, Origin, Somebody, note
from prawko.accounts.addresses import email_key, parse_email
from prawko.accounts.beat import on_the_beat
from prawko.accounts.errors import InvalidEmailError, InvalidResetLinkError
from prawko.accounts.new_passwords import require_new
from prawko.accounts.repository import AccountRepository, KnownUser, ResetCode
from prawko.accounts.reset_links import RESET_LINK_LIFE, code_of, new_token
from prawko.accounts.reset_mail import order_reset_mail
from prawko.accounts.throttle import Throttle
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.deliveries.jobs import deliver_pending
from prawko_tenants.ids import new_id

KIND = "reset"
MOST_NOTED = 10  # of one link's refusals: a network alone is too generous a limit for the log


class Recovery:
    """The calls of somebody who cannot sign in."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._throttle = Throttle(tools.database, tools.vault)
        self._per_network = limits.resets_per_network(tools.settings)
        self._per_email = limits.resets_per_email(tools.settings)
        self._logins = limits.login_per_account(tools.settings)

    async def request(self, email: str, origin: Origin) -> None:
        """Send a link to the address if it is an account's; it replaces an older one.

        Raises InvalidEmailError for what is no address, and TooManyRequestsError, both the
        same whether or not there is an account.
        """
        address = parse_email(email)
        if address is None:
            raise InvalidEmailError(fields={"email": "accounts.email.invalid"})
        key = email_key(address)
        await self._throttle.count(self._per_network, limits.network(origin.ip))
        await self._throttle.count(self._per_email, key)
        async with on_the_beat():
            async with self._tools.database.system() as session:
                known = await AccountRepository(session).find(key)
            if known is not None:
                await self._send(known, origin)

    async def _send(self, known: KnownUser, origin: Origin) -> None:
        code_id = new_id()
        token = new_token(code_id)
        now = self._tools.clock.now()
        later = AfterCommit()
        async with self._tools.database.tenant(known.tenant_id) as session:
            await AccountRepository(session).add_code(
                known.id, KIND, self._digest(token), now, now + RESET_LINK_LIFE, code_id=code_id
            )
            await order_reset_mail(self._tools, session, known.id, known.tenant_id, code_id, token)
            await note(session, Act.PASSWORD_RESET_REQUESTED, known.somebody, origin, now)
            later.put(deliver_pending)
        await later.ring(self._tools.queue)

    async def reset(self, token: str, new: str, confirmed: str, origin: Origin) -> None:
        """Let the new password in, once, and end every session of the person.

        Raises InvalidPasswordError (the link stays good), InvalidResetLinkError and
        TooManyRequestsError.
        """
        await self._throttle.count(self._per_network, limits.network(origin.ip))
        require_new(new, confirmed, refuse_common=self._tools.settings.refuse_common_passwords)
        code_id = code_of(token)
        if code_id is None:
            raise InvalidResetLinkError
        hashed = await passwords.hash_password(new)
        async with self._tools.database.system() as session:
            key = await self._replace(session, code_id, token, hashed, origin)
        if key is None:
            raise InvalidResetLinkError
        # Whoever locked the account by guessing locks out nobody who reads its mail.
        await self._throttle.forget(self._logins, key)

    async def _replace(
        self, session: AsyncSession, code_id: UUID, token: str, hashed: str, origin: Origin
    ) -> str | None:
        """Whose password it was; None, which is noted, where the link does not count."""
        accounts = AccountRepository(session)
        now = self._tools.clock.now()
        code = await accounts.hold_reset_code(code_id)
        if code is None:
            return None
        who = Somebody(code.user_id, code.tenant_id)
        if not self._counts(code, token):
            tried = await accounts.try_code(code.user_id, KIND)
            if tried is not None and tried.tries <= MOST_NOTED:
                await note(session, Act.RESET_LINK_REFUSED, who, origin, now)
            return None
        await accounts.spend_codes(code.user_id, KIND, now)
        key = await accounts.replace_password(code.user_id, hashed, now, machine_now())
        await accounts.revoke_all(code.user_id, machine_now())
        await note(session, Act.PASSWORD_RESET, who, origin, now)
        return key

    def _counts(self, code: ResetCode, token: str) -> bool:
        fits = hmac.compare_digest(self._digest(token), code.code_hash)
        return fits and code.expires_at > self._tools.clock.now()

    def _digest(self, token: str) -> bytes:
        return self._tools.vault.digest("password_reset", token)
