"""Operators' acts about a person: reading the history, changes, deletion, impersonation."""

from datetime import datetime
from uuid import UUID

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Actor
from prawko.accounts.impersonation import Impersonation, start_impersonation
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.state import effective_limit
from prawko.console.errors import (
    ImpersonationRefusedError,
    InvalidUserChangeError,
)
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.console.users.repository import (
    UserRepository,
    UserRow,
    list_company_verifications,
    lock_user_row,
)
from prawko.console.users.schemas import (
    FIRST_DAY,
    LAST_DAY,
    ConsoleActivityOut,
    ConsoleSubscriptionChangeOut,
    ConsoleSubscriptionOut,
    ConsoleUserOut,
    ConsoleVerificationOut,
    UserChangeIn,
    UserHistoryOut,
)
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.personal_data.erasure import erase_accounts, erase_person_rows, retry_erasure
from prawko.verifications.answers import decrypt_answer
from prawko.verifications.models import RegisterAnswer, Verification
from prawko_tenants.ids import AnswerId, SubscriptionId, TenantId


class UserService:
    """Acts of one operator on people of all companies."""

    def __init__(self, context: AppContext, actions: ActionLog) -> None:
        self._context = context
        self._actions = actions
        self._now = context.clock.now()

    async def find_user(self, user_id: UUID) -> UserRow:
        """Return a person. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            found = await UserRepository(session, self._now).find_user(user_id)
        if found is None:
            raise NotFoundError
        return found

    async def load_history(self, user_id: UUID, activity_type: str | None) -> UserHistoryOut:
        """Return what happened to a person and their company, and record the look at it.

        Raises NotFoundError.
        """
        user = await self.find_user(user_id)
        async with self._context.database.operator() as session:
            users = UserRepository(session, self._now)
            activity = await users.list_activity(user.id, activity_type)
            changes = await users.list_subscription_changes(_company_of(user))
        async with self._actions.open_company(_company_of(user)) as bound:
            verifications = await list_company_verifications(bound, self._now)
            await self._actions.record(
                AdminActionType.HISTORY_VIEWED, tenant_id=user.tenant_id, target_user_id=user.id,
                requires_reason=False,
            )  # fmt: skip
        return UserHistoryOut(
            id=user.id,
            activity=[
                ConsoleActivityOut(
                    id=one.id,
                    activity_type=one.activity_type,
                    created_at=one.created_at,
                    details=one.details,
                    ip_address=one.ip,
                )
                for one in activity
            ],
            subscriptions=[
                ConsoleSubscriptionChangeOut(
                    id=one.id,
                    changed_at=one.changed_at,
                    old_status=one.old_status,
                    new_status=one.new_status,
                    old_end_date=one.old_end_date,
                    new_end_date=one.new_end_date,
                    note=one.note,
                )
                for one in changes
            ],
            verifications=[self._to_verification(*row) for row in verifications],
        )

    async def change_user(self, user_id: UUID, data: UserChangeIn) -> UserRow:
        """Change the subscription of a person's company; return the person.

        Raises NotFoundError and InvalidUserChangeError.
        """
        day = data.subscription_end_date
        if day is not None and not FIRST_DAY <= day <= LAST_DAY:
            raise InvalidUserChangeError
        user = await self.find_user(user_id)
        if user.tenant_id is None:
            raise InvalidUserChangeError
        change = OperatorChange(
            driver_limit=data.driver_limit,
            end_day=day,
            status=SubscriptionStatus(data.status) if data.status else None,
        )
        async with self._actions.open_company(user.tenant_id) as session:
            changed = await change_subscription(session, change, self._now)
            if changed is None:
                raise InvalidUserChangeError
            await self._actions.record(
                AdminActionType.USER_UPDATED, tenant_id=user.tenant_id, target_user_id=user.id,
                reason=data.reason, status=data.status, driver_limit=data.driver_limit,
                end_date=day.isoformat() if day else None, subscription=changed.id,
            )  # fmt: skip
        return await self.find_user(user_id)

    async def delete_user(self, user_id: UUID, reason: str | None) -> None:
        """Erase a person, and the company if they are its only member (docs/rules.md R22).

        Issued invoices stay. Raises NotFoundError, and LastOperatorError.
        """
        user = await self.find_user(user_id)

        async def delete_once() -> None:
            async with self._actions.open_erasure(_company_of(user), person=user.id) as session:
                if await lock_user_row(session, user.id) is None:
                    raise NotFoundError
                people = await erase_person_rows(session, user.id)
                await LoginSessionRepository(session).lock_all(people)
                # Before the account's deletion, which takes its id out of the row.
                await self._actions.record(
                    AdminActionType.USER_DELETED, tenant_id=user.tenant_id, target_user_id=user.id,
                    reason=reason,
                )  # fmt: skip
                await erase_accounts(session, people)

        await retry_erasure(delete_once)

    async def impersonate(
        self, user_id: UUID, reason: str | None, client_info: ClientInfo
    ) -> tuple[UserRow, Impersonation]:
        """Replace the operator's session by one in a person's name; return the new one.

        Raises NotFoundError, and ImpersonationRefusedError for operators, oneself among them.
        """
        user, operator = await self.find_user(user_id), self._actions.identity
        if user.tenant_id is None:
            raise ImpersonationRefusedError
        async with self._actions.open_system(person=user.id) as session:
            locked = await lock_user_row(session, user.id)
            if locked is None:
                raise NotFoundError
            if locked.is_admin or user.id == operator.user_id:
                raise ImpersonationRefusedError
            started = await start_impersonation(
                session,
                operator,
                Actor(user_id=user.id, tenant_id=user.tenant_id),
                client_info,
                self._now,
            )
            await self._actions.record(
                AdminActionType.IMPERSONATION_STARTED, tenant_id=user.tenant_id,
                target_user_id=user.id, reason=reason, impersonation=started.session_id,
            )  # fmt: skip
        return user, started

    def _to_verification(
        self, verification: Verification, answer: RegisterAnswer
    ) -> ConsoleVerificationOut:
        return ConsoleVerificationOut(
            id=verification.id,
            verified_at=verification.verified_at,
            driver_first_name=answer.first_name,
            driver_last_name=answer.last_name,
            status=verification.outcome,
            document_status=answer.document_status,
            categories=[str(one["kategoria"]) for one in answer.categories],
            verification_response=decrypt_answer(
                self._context.key_ring, AnswerId(answer.id), answer.key_id, answer.raw
            ),
        )


def to_user_out(user: UserRow, now: datetime) -> ConsoleUserOut:
    """Return the response model of a person."""
    return ConsoleUserOut(
        id=user.id,
        email=user.email,
        created_at=user.created_at,
        email_verified=user.email_verified,
        is_admin=user.is_admin,
        language=user.language,
        company_id=user.tenant_id,
        company_name=user.company_name,
        subscriptions=[_to_subscription_out(one, now) for one in user.subscriptions],
        status="active" if user.is_active else "inactive",
        driver_limit=user.driver_limit,
        drivers_count=user.drivers_count,
    )


def _to_subscription_out(subscription: Subscription, now: datetime) -> ConsoleSubscriptionOut:
    return ConsoleSubscriptionOut(
        id=SubscriptionId(subscription.id),
        status=subscription.status_at(now),
        driver_limit=effective_limit(subscription, now),
        end_date=subscription.end_date,
        is_trial=subscription.is_trial,
        cancelled=subscription.cancelled_at is not None,
    )


def _company_of(user: UserRow) -> TenantId:
    """Return the person's company; an id of nothing for a person without one."""
    return user.tenant_id or TenantId(UUID(int=0))
