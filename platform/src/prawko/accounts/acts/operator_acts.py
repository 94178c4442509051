"""Acts of operators: each in one transaction, which is rolled back unless it records the act."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import msgspec
from sqlalchemy import insert

from prawko.accounts.acts.models import AdminAction, AdminActionType
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Actor, Identity, ensure_session_active
from prawko.accounts.repository import AccountRepository
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, AuthForbiddenError, NotFoundError
from prawko.kit.text.letters import normalise_line
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.sessions import SystemSession, TenantSession

ActSession = TenantSession | SystemSession


class ReasonRequiredError(AppError):
    """The setting REQUIRE_REASONS refuses acts without a reason."""

    status = 422
    key = "reason_required"


class NamedOperatorRequiredError(AppError):
    """The setting REQUIRE_NAMED_OPERATOR refuses acts without an operator's account."""

    status = 403
    key = "named_operator_required"


class OperatorActs:
    """The acts of one operator: opens the transaction of each, and records it there.

    `operator` is the identity of a request to the console, the account that a command names, or
    None for a command that names none. `client_info` describes the browser or the command.
    """

    def __init__(
        self, context: AppContext, operator: Actor | None, client_info: ClientInfo
    ) -> None:
        self.context = context
        self._operator = operator
        self._client_info = client_info
        self._session: ActSession | None = None
        self._count = 0

    @property
    def identity(self) -> Identity:
        """The operator of the console. Raises TypeError for a command's."""
        if not isinstance(self._operator, Identity):
            raise TypeError("a command has no session")
        return self._operator

    @property
    def _operator_ids(self) -> list[UserId]:
        return [self._operator.user_id] if self._operator else []

    @asynccontextmanager
    async def open_company(self, tenant_id: TenantId) -> AsyncGenerator[TenantSession]:
        """Open the transaction of an act on one company's rows.

        It is rolled back with AuthRequiredError when the operator's session ended meanwhile, with
        AuthForbiddenError when the user is no longer an operator, with NamedOperatorRequiredError
        when a setting requires an account, and with RuntimeError when no act was recorded in it.
        """
        async with self.context.database.tenant(tenant_id) as session:
            await lifecycle.lock_tenant(session)
            async with self._act_in(session):
                yield session

    @asynccontextmanager
    async def open_erasure(
        self, tenant_id: TenantId, *, person: UserId | None = None
    ) -> AsyncGenerator[TenantSession]:
        """Open the transaction that erases a company, or a person of it, as `open_company` does.

        The company is locked first, then the operator's account with that of the person, or of
        all members: two operators who erase each other wait for one another.
        """
        async with self.context.database.tenant(tenant_id) as session:
            await lifecycle.lock_tenant(session, to_delete=True)
            accounts = AccountRepository(session)
            erased = [person] if person else await accounts.list_members(tenant_id)
            await accounts.lock_users([*self._operator_ids, *erased], to_delete=True)
            async with self._act_in(session):
                yield session

    @asynccontextmanager
    async def open_system(self, *, person: UserId | None = None) -> AsyncGenerator[SystemSession]:
        """Open the transaction of an act on rows of no company, as `open_company` does.

        With `person`, that account and the operator's are locked before the session is checked, so
        that revoking all sessions of one of them comes first or includes what the act opens.
        """
        async with self.context.database.system() as session:
            if person is not None:
                await AccountRepository(session).lock_users([*self._operator_ids, person])
            async with self._act_in(session):
                yield session

    async def record(
        self,
        action: AdminActionType,
        /,
        *,
        tenant_id: TenantId | None = None,
        target_user_id: UserId | None = None,
        reason: str | None = None,
        requires_reason: bool = True,
        **details: UUID | int | str | None,
    ) -> None:
        """Record the act in its transaction. Details are ids and numbers, never names.

        Called when nothing else is waited for: until the commit, all other acts wait. Raises
        ReasonRequiredError for an act without a reason, where the setting asks for one (a look at
        something, and what touches no customer, needs none), and NotFoundError for a person who
        was erased meanwhile.
        """
        if self._session is None:
            raise RuntimeError("an act is recorded in its transaction")
        reason = self.clean_reason(reason, is_required=requires_reason)
        if target_user_id is not None and not await AccountRepository(
            self._session
        ).lock_against_deletion(target_user_id):
            raise NotFoundError
        values = {
            "admin_id": self._operator.user_id if self._operator else None,
            "target_user_id": target_user_id,
            "tenant_id": tenant_id,
            "action_type": action,
            "reason": reason,
            "ip": self._client_info.ip,
            "agent": self._client_info.user_agent,
            "created_at": self.context.clock.now(),
        }
        if details:  # without them the column stays null, which JSON's own null is not
            values["details"] = msgspec.to_builtins(details)
        await self._session.execute(insert(AdminAction).values(values))
        self._count += 1

    def clean_reason(self, reason: str | None, *, is_required: bool = True) -> str | None:
        """Return a reason as it is stored. Raises ReasonRequiredError as `record` does."""
        reason = normalise_line(reason or "") or None
        is_reason = any(character.isalnum() for character in reason or "")
        if not is_reason and is_required and self.context.settings.require_reasons:
            raise ReasonRequiredError(fields={"reason": "errors.reason_required"})
        return reason

    def note_recorded(self) -> None:
        """Note that a function of the database has recorded the act in its transaction."""
        self._count += 1

    @asynccontextmanager
    async def _act_in(self, session: ActSession) -> AsyncGenerator[None]:
        await self._ensure_operator(session)
        self._session, self._count = session, 0
        try:
            yield
            if self._count == 0:
                raise RuntimeError("an act of an operator was not recorded")
        finally:
            self._session = None

    async def _ensure_operator(self, session: ActSession) -> None:
        accounts, operator = AccountRepository(session), self._operator
        if operator is None:
            # The first operator is made by a command that can name none.
            if self.context.settings.require_named_operator and await accounts.has_operator():
                raise NamedOperatorRequiredError
            return
        if isinstance(operator, Identity):
            # Locks the account and the session's row until the commit, so that nothing can delete
            # or revoke them in between. A command's login may lock no account: of a deleted one
            # the row's foreign key refuses the act.
            await accounts.lock_against_deletion(operator.user_id)
            await ensure_session_active(session, operator)
        if not await accounts.is_operator(operator.user_id):
            raise AuthForbiddenError
