"""The history of a person and their company; looking at it is an act."""

from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.models import UserActivity
from prawko.billing.models import SubscriptionHistory
from prawko.console.list_query import FilterWord
from prawko.console.resource import operator_responses, parse_record_id
from prawko.console.users import USERS, company_of
from prawko.drivers.models import MayDrive
from prawko.drivers.needed_categories import Validity, entitled_until
from prawko.drivers.schemas import CategoryOut
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.crypto import KeyRing
from prawko.kit.errors import NotFoundError
from prawko.kit.http.schemas import ResponseModel
from prawko.verifications.answers import decrypt_answer
from prawko.verifications.models import RegisterAnswer, Verification
from prawko_tenants.ids import AnswerId, UserId, VerificationId

MAX_HISTORY_ROWS = 200
RECENT = timedelta(days=31)  # so that a large company's partitions are not all read

ActivityType = Annotated[FilterWord | None, QueryParameter(name="activityType")]


class ConsoleActivityOut(ResponseModel):
    """An event of the person's activity log."""

    id: UUID
    activity_type: str
    created_at: datetime
    details: dict[str, Any] | None
    ip_address: str | None


class ConsoleSubscriptionChangeOut(ResponseModel):
    """A change of the company's subscription."""

    id: UUID
    changed_at: datetime
    old_status: str | None
    new_status: str
    old_end_date: datetime | None
    new_end_date: datetime | None
    note: str | None


class ConsoleVerificationOut(ResponseModel):
    """A verification of one of the company's drivers, with the name that was queried.

    `mayDrive` is the answer by this check alone, on its day; `verificationResponse` is the
    register's answer as received.
    """

    id: VerificationId
    verified_at: datetime
    driver_first_name: str
    driver_last_name: str
    status: str
    may_drive: MayDrive
    document_status: str | None
    categories: list[str]
    verification_response: dict[str, Any] | None


class UserHistoryOut(ResponseModel):
    """The histories of a person and their company, the newest first, at most 200 entries each."""

    id: UserId
    activity: list[ConsoleActivityOut]
    subscriptions: list[ConsoleSubscriptionChangeOut]
    verifications: list[ConsoleVerificationOut]


@get(
    "/users/{record_id:str}/history",
    operation_id="getUserHistory",
    responses=operator_responses(NotFoundError),
    tags=["Users"],
)
async def get_history(
    record_id: FromPath[str],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
    activity_type: ActivityType = None,
) -> UserHistoryOut:
    """What happened to a person and their company; the look at it is recorded."""
    user = await USERS.read(context, parse_record_id(record_id))
    events = (
        select(UserActivity)
        .where(UserActivity.user_id == user.id)
        .order_by(UserActivity.created_at.desc(), UserActivity.id.desc())
        .limit(MAX_HISTORY_ROWS)
    )
    if activity_type:
        events = events.where(UserActivity.activity_type == activity_type)
    tenant_id = company_of(user)
    changes = (
        select(SubscriptionHistory)
        .where(SubscriptionHistory.tenant_id == tenant_id)
        .order_by(SubscriptionHistory.changed_at.desc(), SubscriptionHistory.id.desc())
        .limit(MAX_HISTORY_ROWS)
    )
    async with context.database.operator() as session:
        activity = (await session.scalars(events)).all()
        subscriptions = (await session.scalars(changes)).all()
    async with acts.open_company(tenant_id) as bound:
        verifications = await _list_verifications(bound, context.clock.now())
        await acts.record(
            AdminActionType.HISTORY_VIEWED,
            tenant_id=user.company_id,
            target_user_id=user.id,
            requires_reason=False,
        )
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
        subscriptions=msgspec.convert(
            subscriptions, list[ConsoleSubscriptionChangeOut], from_attributes=True
        ),
        verifications=[_describe(context.key_ring, *row) for row in verifications],
    )


async def _list_verifications(
    session: AsyncSession, now: datetime
) -> list[tuple[Verification, RegisterAnswer]]:
    """Return the newest verifications of the session's company, with their answers."""
    newest = select(Verification).order_by(Verification.verified_at.desc()).limit(MAX_HISTORY_ROWS)
    recent = newest.where(Verification.verified_at > now - RECENT)
    verifications = (await session.scalars(recent)).all()
    if len(verifications) < MAX_HISTORY_ROWS:  # few in a month: there are not many in all
        verifications = (await session.scalars(newest)).all()
    answers = await session.scalars(
        select(RegisterAnswer).where(
            RegisterAnswer.driver_id.in_({one.driver_id for one in verifications}),
            RegisterAnswer.id.in_({one.answer_id for one in verifications}),
        )
    )
    by_id = {answer.id: answer for answer in answers}
    return [(one, by_id[one.answer_id]) for one in verifications if one.answer_id in by_id]


def _describe(
    key_ring: KeyRing, verification: Verification, answer: RegisterAnswer
) -> ConsoleVerificationOut:
    listed = msgspec.convert(answer.categories, list[CategoryOut])
    categories = [(one.kategoria, one.data_waznosci) for one in listed]
    return ConsoleVerificationOut(
        id=verification.id,
        verified_at=verification.verified_at,
        driver_first_name=answer.first_name,
        driver_last_name=answer.last_name,
        status=verification.outcome,
        may_drive=Validity(
            verification.outcome, entitled_until(answer.expiry_date, (), categories)
        ).may_drive(warsaw_date(verification.verified_at)),
        document_status=answer.document_status,
        categories=[one.kategoria for one in listed],
        verification_response=decrypt_answer(
            key_ring, AnswerId(answer.id), answer.key_id, answer.raw
        ),
    )


ROUTES = (get_history,)
