"""A company's erasure at its owner's request: recorded by the panel, done by the worker.

The panel's login has no right to erase. So the request ends every session of the company's people,
and the worker erases the company at once, or within a minute, and confirms it to them by mail.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from sqlalchemy import select, update

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.operators import ensure_operator_remains
from prawko.accounts.repository import AccountRepository
from prawko.accounts.second_factor.service import SecondFactorService
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import Accent, render_email
from prawko.kit.incidents.service import close_incident, open_incident
from prawko.kit.observability import logs
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.text.i18n import Language, translate
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko.personal_data.erasure import (
    CompanyNotFoundError,
    erase_accounts,
    erase_company_rows,
    retry_erasure,
)
from prawko_tenants.ids import DeliveryId, TenantId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

COMPANY_ERASED_MAIL = "company_erased"
STUCK_INCIDENT = "erasure_stuck"


class _Reader(msgspec.Struct, frozen=True):
    """The reader of the mail; encrypted in the outbox, because the account is deleted by then."""

    email: str
    language: Language


class ErasureRequests:
    """Requests of owners to erase their company."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def submit(
        self, identity: Identity, password: str, code: str, client_info: ClientInfo
    ) -> None:
        """Record the request and end the sessions of the company's people.

        `code` is of the second factor, where that is on. Raises WrongPasswordError,
        InvalidSecondFactorError, TooManyRequestsError and LastOperatorError (docs/rules.md R22).
        """
        factors = SecondFactorService(self._context)
        password_hash = await factors.verify_credentials(identity, password, code, client_info)
        now = self._context.clock.now()
        async with self._context.database.tenant(identity.tenant_id) as session:
            await factors.lock_verified(session, identity, password_hash)
            members = await AccountRepository(session).list_members(identity.tenant_id)
            await ensure_operator_remains(session, members)
            await session.execute(
                update(Tenant)
                .where(Tenant.id == identity.tenant_id)
                .values(erasure_requested_at=now)
            )
            event = AuditEvent.ERASURE_REQUESTED
            await record_event(session, event, identity, client_info, now)
            for member in members:
                await LoginSessionRepository(session).revoke_all(member, utc_now())
            self._context.enqueue_on_commit(session, erase_requested_companies)


@job(timeout=300)
async def erase_requested_companies(context: AppContext) -> None:
    """Erase the companies whose owners have requested it, each in a transaction of its own.

    One that cannot be erased is an incident and tried again with the next run.
    """
    async with context.database.planner() as planner:
        requested = select(Tenant.id).where(Tenant.erasure_requested_at.is_not(None))
        tenant_ids = (await planner.scalars(requested)).all()

    async def erase(tenant_id: TenantId) -> None:
        try:
            await retry_erasure(partial(_erase_in_transaction, context, tenant_id))
        except CompanyNotFoundError:
            pass  # erased concurrently
        except Exception as error:
            await _report_stuck(context, tenant_id, type(error).__name__)
            raise

    await run_each(context, zip(map(TenantId, tenant_ids)), erase, failure="company_not_erased")


async def _erase_in_transaction(context: AppContext, tenant_id: TenantId) -> None:
    async with context.database.tenant(tenant_id) as session:
        await _erase_and_mail(context, session)
        now = context.clock.now()
        await close_incident(session, kind=STUCK_INCIDENT, key=str(tenant_id), now=now)


async def _report_stuck(context: AppContext, tenant_id: TenantId, reason: str) -> None:
    async with context.database.system() as session:
        await open_incident(
            session, kind=STUCK_INCIDENT, key=str(tenant_id),
            detail=f"{tenant_id}: {reason}", now=context.clock.now(),
        )  # fmt: skip


async def _erase_and_mail(context: AppContext, session: TenantSession) -> None:
    accounts = AccountRepository(session)
    members = await accounts.list_by_id(await accounts.list_members(session.tenant_id))
    messages = [
        # Of no company: the message outlives this one.
        OutboxMessage(
            kind=COMPANY_ERASED_MAIL,
            medium=Medium.EMAIL,
            key=f"{COMPANY_ERASED_MAIL}:{session.tenant_id}:{member.id}",
        ).with_secret(
            msgspec.json.encode(_Reader(member.email, Language(member.language))).decode(),
            context.key_ring,
        )
        for member in members
        if member.email_verified
    ]
    people = await erase_company_rows(session)
    await enqueue_messages(session, messages)
    await erase_accounts(session, people)


async def render_company_erased_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails to the people of erased companies."""
    rendered = {}
    brand = context.settings.brand
    for message in due:
        if message.secret is None:
            continue
        reader = msgspec.json.decode(message.secret, type=_Reader)
        content = render_email(
            reader.language,
            brand,
            translate(f"mails.{message.kind}.title", reader.language, brand=brand),
            [translate(f"mails.{message.kind}.text", reader.language, brand=brand)],
            accent=Accent.WARNING,
            contact=context.settings.operator_contact_email,
        )
        rendered[message.id] = RenderedMessage(content, Recipient(email=reader.email, phone=None))
    return rendered
