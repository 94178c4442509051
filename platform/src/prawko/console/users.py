"""People and their companies' subscriptions, which operators change, and deleting a person."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import delete, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta
from sqlalchemy import ColumnElement, and_, case, func, lateral, select, true
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.accounts.errors import LastOperatorError
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import Membership, UserAccount
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.state import effective_limit
from prawko.console.list_query import ListQuery
from prawko.console.resource import (
    NOW,
    AnyRow,
    AnySelect,
    Filter,
    Resource,
    create_router,
    ids_filter,
    operator_responses,
    parse_record_id,
    text_filter,
)
from prawko.console.schemas import Reason, ReasonIn
from prawko.console.subscription_change import (
    OperatorChange,
    SubscriptionOverError,
    change_subscription,
)
from prawko.drivers.models import Driver
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import ResponseModel
from prawko.personal_data.erasure import erase_accounts, erase_person_rows, retry_erasure
from prawko_tenants.ids import SubscriptionId, TenantId, UserId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import OperatorSession

FIRST_DAY, LAST_DAY = date(2020, 1, 1), date(2100, 1, 1)
MAX_DRIVER_LIMIT = 1_000_000

StatusBadge = Literal["active", "inactive"]
SettableStatus = Literal["active", "inactive", "cancelled"]
DriverLimit = Annotated[int, Meta(ge=0, le=MAX_DRIVER_LIMIT)]


class ConsoleSubscriptionOut(ResponseModel):
    """A subscription with its effective status."""

    id: SubscriptionId
    status: str
    driver_limit: int
    end_date: datetime
    is_trial: bool
    cancelled: bool


class ConsoleUserOut(ResponseModel):
    """A person with their first company's subscriptions, the newest first.

    `status` and `driverLimit` are those of the newest: "inactive" and 0 without one.
    """

    id: UserId
    email: str
    created_at: datetime
    email_verified: bool
    is_admin: bool
    language: str
    company_id: TenantId | None
    company_name: str
    subscriptions: list[ConsoleSubscriptionOut]
    status: StatusBadge
    driver_limit: int
    drivers_count: int


class UserChangeIn(msgspec.Struct, rename="camel", kw_only=True):
    """Changes of the subscription; absent or null fields stay unchanged, others are ignored.

    react-admin sends the whole record back: "inactive" closes an active subscription, and changes
    the status of no other.
    """

    driver_limit: DriverLimit | None = None
    subscription_end_date: date | None = None
    status: SettableStatus | None = None
    reason: Reason | None = None


class DeletedUserOut(ResponseModel):
    """The deleted account."""

    id: UserId


class InvalidUserChangeError(AppError):
    """A value is out of range, or the person belongs to no company."""

    status = 422
    key = "invalid_user_change"


_CURRENT_COLUMNS = (
    Subscription.status,
    Subscription.end_date,
    Subscription.driver_limit,
    Subscription.scheduled_limit,
    Subscription.scheduled_limit_at,
)
# The company that a person joined first and its newest subscription, looked up for each of a few.
_company = lateral(
    select(Membership.tenant_id)
    .where(Membership.user_id == UserAccount.id)
    .order_by(Membership.created_at)
    .limit(1)
).alias("company")
_current = lateral(
    select(*_CURRENT_COLUMNS)
    .where(Subscription.tenant_id == _company.c.tenant_id)
    .order_by(Subscription.id.desc())
    .limit(1)
).alias("current")
# The same for all people: each table is read once.
_companies = (
    select(Membership.user_id, Membership.tenant_id)
    .ext(distinct_on(Membership.user_id))
    .order_by(Membership.user_id, Membership.created_at)
    .subquery("companies")
)
_subscriptions = (
    select(Subscription.tenant_id, *_CURRENT_COLUMNS)
    .ext(distinct_on(Subscription.tenant_id))
    .order_by(Subscription.tenant_id.desc(), Subscription.id.desc())  # as the index has them
    .subquery("subscriptions")
)


def _is_active(current: Any) -> ColumnElement[bool]:
    """Whether the subscription is active, as `Subscription.status_at` has it."""
    is_active = and_(current.c.status == SubscriptionStatus.ACTIVE, current.c.end_date > NOW)
    return func.coalesce(is_active, False)


def _driver_limit(current: Any) -> ColumnElement[int]:
    """The limit, as `effective_limit` has it; 0 without a subscription."""
    scheduled = case((current.c.scheduled_limit_at <= NOW, current.c.scheduled_limit))
    return func.coalesce(scheduled, current.c.driver_limit, 0)


def select_user_ids(query: ListQuery) -> AnySelect:
    """Return the ids, with the subscriptions of all companies if the query needs them."""
    statement: AnySelect = select(UserAccount.id)
    if "status" in query.filters or query.sort.field in {"driverLimit", "status"}:
        statement = statement.outerjoin(_companies, _companies.c.user_id == UserAccount.id)
        statement = statement.outerjoin(
            _subscriptions, _subscriptions.c.tenant_id == _companies.c.tenant_id
        )
    return statement


async def describe_users(
    context: AppContext, session: OperatorSession, rows: Sequence[AnyRow]
) -> list[ConsoleUserOut]:
    """Return people with what their companies have: three statements more."""
    now = context.clock.now()
    companies = {row.company_id for row in rows if row.company_id is not None}
    names = await session.execute(
        select(Tenant.id, Tenant.company_name).where(Tenant.id.in_(companies))
    )
    name_of = {row.id: row.company_name for row in names}
    counts = await session.execute(
        select(Driver.tenant_id, func.count().label("number"))
        .where(Driver.tenant_id.in_(companies))
        .group_by(Driver.tenant_id)
    )
    count_of = {row.tenant_id: row.number for row in counts}
    subscriptions = defaultdict(list)
    newest_first = (
        select(Subscription)
        .where(Subscription.tenant_id.in_(companies))
        .order_by(Subscription.id.desc())
    )
    for one in await session.scalars(newest_first):
        subscriptions[one.tenant_id].append(_describe_subscription(one, now))
    return [
        ConsoleUserOut(
            id=row.id,
            email=row.email,
            created_at=row.created_at,
            email_verified=row.email_verified,
            is_admin=row.is_admin,
            language=row.language,
            company_id=row.company_id,
            company_name=name_of.get(row.company_id, ""),
            subscriptions=subscriptions[row.company_id],
            status="active" if row.is_active else "inactive",
            driver_limit=row.driver_limit,
            drivers_count=count_of.get(row.company_id, 0),
        )
        for row in rows
    ]


def _describe_subscription(subscription: Subscription, now: datetime) -> ConsoleSubscriptionOut:
    return ConsoleSubscriptionOut(
        id=SubscriptionId(subscription.id),
        status=subscription.status_at(now),
        driver_limit=effective_limit(subscription, now),
        end_date=subscription.end_date,
        is_trial=subscription.is_trial,
        cancelled=subscription.cancelled_at is not None,
    )


@put(
    "/{record_id:str}",
    operation_id="changeUser",
    opt={"malformed": InvalidUserChangeError},
    responses=operator_responses(
        NotFoundError, InvalidUserChangeError, SubscriptionOverError, ReasonRequiredError
    ),
)
async def change_subscription_of_user(
    record_id: FromPath[str],
    data: JSONBody[UserChangeIn],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
) -> ConsoleUserOut:
    """Change the subscription of a person's company.

    What suspends or resumes the company is recorded as that act, as the company's own acts are.
    """
    day = data.subscription_end_date
    user_id = parse_record_id(record_id)
    if day is not None and not FIRST_DAY <= day <= LAST_DAY:
        raise InvalidUserChangeError
    user = await USERS.read(context, user_id)
    if user.company_id is None:
        raise InvalidUserChangeError
    is_unchanged = data.status == user.status == "inactive" and user.subscriptions
    change = OperatorChange(
        driver_limit=data.driver_limit,
        end_day=day,
        status=SubscriptionStatus(data.status) if data.status and not is_unchanged else None,
    )
    async with acts.open_company(user.company_id) as session:
        _, current = await SubscriptionRepository(session).lock_current()
        was_suspended = current is not None and current.status == SubscriptionStatus.INACTIVE
        changed = await change_subscription(session, change, context.clock.now())
        if changed is None:
            raise InvalidUserChangeError
        is_suspended = changed.status == SubscriptionStatus.INACTIVE
        act = AdminActionType.COMPANY_SUSPENDED if is_suspended else AdminActionType.COMPANY_RESUMED
        await acts.record(
            AdminActionType.USER_UPDATED if is_suspended is was_suspended else act,
            tenant_id=user.company_id,
            target_user_id=user.id,
            reason=data.reason,
            status=change.status,
            driver_limit=data.driver_limit,
            end_date=day.isoformat() if day else None,
            subscription=changed.id,
        )
    return await USERS.read(context, user_id)


@delete(
    "/{record_id:str}",
    operation_id="deleteUser",
    status_code=200,
    responses=operator_responses(NotFoundError, LastOperatorError, ReasonRequiredError),
)
async def delete_user(
    record_id: FromPath[str],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
    data: JSONBody[ReasonIn | None] = None,
) -> DeletedUserOut:
    """Erase a person, and the company if they are its only member (docs/rules.md R22).

    Issued invoices stay.
    """
    user = await USERS.read(context, parse_record_id(record_id))

    async def delete_once() -> None:
        async with acts.open_erasure(company_of(user), person=user.id) as session:
            if await lock_account(session, user.id) is None:
                raise NotFoundError
            people = await erase_person_rows(session, user.id)
            await LoginSessionRepository(session).lock_all(people)
            # Before the account's deletion, which takes its id out of the row.
            await acts.record(
                AdminActionType.USER_DELETED,
                tenant_id=user.company_id,
                target_user_id=user.id,
                reason=data.reason if data else None,
            )
            await erase_accounts(session, people)

    await retry_erasure(delete_once)
    return DeletedUserOut(id=user.id)


def company_of(user: ConsoleUserOut) -> TenantId:
    """Return the person's company; an id of no company for a person without one."""
    return user.company_id or TenantId(UUID(int=0))


async def lock_account(session: AsyncSession, user_id: UserId) -> AnyRow | None:
    """Lock an account until the transaction ends; return its `id` and `is_admin`."""
    statement = (
        select(UserAccount.id, UserAccount.is_admin)
        .where(UserAccount.id == user_id)
        .with_for_update(key_share=True)
    )
    return (await session.execute(statement)).one_or_none()


USERS = Resource(
    name="users",
    tag="Users",
    list_id="listUsers",
    read_id="findUser",
    out=ConsoleUserOut,
    # Column by column: the login may not read password hashes.
    statement=select(
        UserAccount.id,
        UserAccount.email,
        UserAccount.created_at,
        UserAccount.email_verified,
        UserAccount.is_admin,
        UserAccount.language,
        _company.c.tenant_id.label("company_id"),
        _is_active(_current).label("is_active"),
        _driver_limit(_current).label("driver_limit"),
    )
    .select_from(UserAccount)
    .outerjoin(_company, true())
    .outerjoin(_current, true()),
    ids=select_user_ids,
    describe=describe_users,
    id_column=UserAccount.id,
    columns={
        "createdAt": UserAccount.created_at,
        "email": UserAccount.email_key,
        "driverLimit": _driver_limit(_subscriptions),
        "status": _is_active(_subscriptions),
    },
    filters={
        "id": ids_filter(UserAccount.id),
        "q": text_filter(UserAccount.email_key),
        "email": text_filter(UserAccount.email_key),
        "status": Filter(
            StatusBadge,
            lambda badge: _is_active(_subscriptions).is_(badge == "active"),
        ),
    },
)
ROUTES = (create_router(USERS, change_subscription_of_user, delete_user),)
