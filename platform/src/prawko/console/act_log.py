"""The log of operators' acts, and the verification of its hashes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from litestar import get
from litestar.di import NamedDependency
from sqlalchemy import case, func, select
from sqlalchemy.orm import aliased

from prawko.accounts.acts.chain_verification import ActChainRepository, verify_chain
from prawko.accounts.acts.models import AdminAction, AdminActionType
from prawko.accounts.models import UserAccount
from prawko.console.resource import (
    Resource,
    create_router,
    ids_filter,
    operator_responses,
    text_filter,
    value_filter,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.http.schemas import ResponseModel
from prawko_tenants.models import Tenant


class AdminActionOut(ResponseModel):
    """An act of an operator; the addresses are null once the accounts are deleted.

    `command` is the command that acted, and the system user that ran it; null for the console. A
    command may act without an operator's account.
    """

    id: UUID
    sequence: int
    created_at: datetime
    admin_email: str | None
    command: str | None
    target_email: str | None
    company_id: UUID | None
    company_name: str | None
    action_type: str
    reason: str | None
    details: dict[str, Any] | None


class ChainVerificationOut(ResponseModel):
    """Whether the hashes of the log hold now; `broken_at` is the first row that does not."""

    id: str
    checked_at: datetime
    rows: int
    broken_at: int | None


@get(
    "/verification",
    operation_id="verifyAdminActions",
    summary="Compute the hashes of all acts again",
    responses=operator_responses(),
)
async def verify_acts(context: NamedDependency[AppContext]) -> ChainVerificationOut:
    """`rows` is the number of intact ones."""
    async with context.database.operator() as session:
        chain = ActChainRepository(session)
        report = await verify_chain(chain.stream_links(), await chain.find_known_head())
    return ChainVerificationOut(
        id="verification",
        checked_at=utc_now(),
        rows=report.head.sequence,
        broken_at=report.broken_at,
    )


_admin, _target = aliased(UserAccount), aliased(UserAccount)

ACT_LOG = Resource(
    name="actions",
    tag="System",
    list_id="listAdminActions",
    out=AdminActionOut,
    statement=select(
        AdminAction.id,
        AdminAction.sequence,
        AdminAction.created_at,
        _admin.email.label("admin_email"),
        # A browser has an address, a command has none.
        case((AdminAction.ip == "", func.nullif(AdminAction.agent, ""))).label("command"),
        _target.email.label("target_email"),
        AdminAction.tenant_id.label("company_id"),
        Tenant.company_name,
        AdminAction.action_type,
        AdminAction.reason,
        AdminAction.details,
    )
    .outerjoin(_admin, _admin.id == AdminAction.admin_id)
    .outerjoin(_target, _target.id == AdminAction.target_user_id)
    .outerjoin(Tenant, Tenant.id == AdminAction.tenant_id),
    id_column=AdminAction.id,
    columns={"createdAt": AdminAction.sequence, "sequence": AdminAction.sequence},
    filters={
        "id": ids_filter(AdminAction.id),
        "q": text_filter(_admin.email_key, _target.email_key),
        "actionType": value_filter(AdminAction.action_type, AdminActionType),
        "companyId": value_filter(AdminAction.tenant_id),
        "adminId": value_filter(AdminAction.admin_id),
    },
)
ROUTES = (create_router(ACT_LOG, verify_acts),)
