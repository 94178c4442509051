"""One-time codes and links (docs/rules.md R16): their repository, sending, limits and checking.

Codes are stored as digests. Of each kind only a person's newest unused code counts. Until the
message that carries a code is sent, the delivery's row holds the code encrypted.
"""

import hmac
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor
from prawko.accounts.email_address import mailbox_of
from prawko.accounts.known_browsers import KnownBrowser
from prawko.accounts.models import CodeKind, OneTimeCode, UserAccount
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import Medium
from prawko.kit.context import AppContext
from prawko.kit.database import Repository
from prawko.kit.errors import AppError, TooManyRequestsError
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.rate_limit import GLOBAL_SUBJECT, RateLimit, client_network
from prawko.kit.text.i18n import Language
from prawko_tenants.ids import DeliveryId, UserId, new_id
from prawko_tenants.sessions import SystemSession, TenantSession

# 32 letters and digits that cannot be confused: no 0 and O, no 1 and I.
CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def _unused(user_id: UserId, kind: CodeKind) -> tuple[ColumnElement[bool], ...]:
    return OneTimeCode.user_id == user_id, OneTimeCode.kind == kind, OneTimeCode.used_at.is_(None)


class ValidCode(msgspec.Struct, frozen=True):
    """An unused code that has not expired, with its person's current addresses."""

    id: UUID
    email: str
    phone_number: str | None
    language: Language


class OneTimeCodeRepository(Repository[OneTimeCode]):
    """Reads and writes one-time codes in the caller's transaction."""

    model_type = OneTimeCode

    async def register_attempt(self, user_id: UserId, kind: CodeKind) -> OneTimeCode | None:
        """Count an attempt on the person's unused code; None when there is none."""
        return await self.session.scalar(
            update(OneTimeCode)
            .where(*_unused(user_id, kind))
            .values(tries=OneTimeCode.tries + 1)
            .returning(OneTimeCode)
        )

    async def find_unused(self, user_id: UserId, kind: CodeKind) -> OneTimeCode | None:
        """Return the person's unused code; None when there is none."""
        return await self.session.scalar(select(OneTimeCode).where(*_unused(user_id, kind)))

    async def consume(self, code_id: UUID, now: datetime) -> bool:
        """Mark a code as used; False when it was used already."""
        consumed = await self.session.scalar(
            update(OneTimeCode)
            .where(OneTimeCode.id == code_id, OneTimeCode.used_at.is_(None))
            .values(used_at=now)
            .returning(OneTimeCode.id)
        )
        return consumed is not None

    async def consume_all(self, user_id: UserId, kind: CodeKind, now: datetime) -> None:
        """Mark every code of that kind as used."""
        await self.session.execute(
            update(OneTimeCode).where(*_unused(user_id, kind)).values(used_at=now)
        )

    async def find_valid(
        self, code_ids: Sequence[UUID | None], now: datetime
    ) -> dict[UUID, ValidCode]:
        """Return those of the codes that are still valid, by id."""
        rows = await self.session.execute(
            select(
                OneTimeCode.id, UserAccount.email, UserAccount.phone_number, UserAccount.language
            )
            .join(UserAccount, UserAccount.id == OneTimeCode.user_id)
            .where(
                OneTimeCode.id.in_(code_ids),
                OneTimeCode.used_at.is_(None),
                OneTimeCode.expires_at > now,
            )
        )
        return {row.id: ValidCode(*row) for row in rows}

    async def find_owner(self, code_id: UUID, kind: CodeKind) -> UserId | None:
        """Return whose unused code this is; None when there is no such code."""
        return await self.session.scalar(
            select(OneTimeCode.user_id).where(
                OneTimeCode.id == code_id, OneTimeCode.kind == kind, OneTimeCode.used_at.is_(None)
            )
        )

    async def last_created_at(self, user_id: UserId, kind: CodeKind) -> datetime | None:
        """Return when the person's last code of a kind was created; None without one."""
        return await self.session.scalar(
            select(func.max(OneTimeCode.created_at)).where(
                OneTimeCode.user_id == user_id, OneTimeCode.kind == kind
            )
        )


class CodePurpose(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a kind of code.

    `message_kind` is also the purpose of the digest. Wrong tries are recorded as `refusal` up to
    `max_tries`; after them a code is invalid, but not a link, which cannot be guessed.
    """

    kind: CodeKind
    message_kind: str
    medium: Medium
    lifetime: timedelta
    max_tries: int
    refusal: AuditEvent


class OneTimeCodes:
    """Sends and checks the codes of one purpose."""

    def __init__(self, context: AppContext, purpose: CodePurpose) -> None:
        self._context = context
        self._purpose = purpose

    async def send(
        self, session: TenantSession, actor: Actor, secret: str, *,
        bound_to: str | None = None, code_id: UUID | None = None,
    ) -> None:  # fmt: skip
        """Make this the person's only valid code of its kind and add its message to the outbox.

        `bound_to` is the number that the code proves; it precedes the code in the message's
        secret. Concurrent calls for one person wait for each other.
        """
        purpose, codes = self._purpose, OneTimeCodeRepository(session)
        code_id, now = code_id or new_id(), self._context.clock.now()
        await AccountRepository(session).lock_user(actor.user_id)
        await codes.consume_all(actor.user_id, purpose.kind, now)
        await session.execute(
            insert(OneTimeCode).values(
                id=code_id,
                user_id=actor.user_id,
                kind=purpose.kind,
                code_hash=self._digest(actor.user_id, secret),
                bound_to=bound_to,
                created_at=now,
                expires_at=now + purpose.lifetime,
            )
        )
        message = OutboxMessage(
            kind=purpose.message_kind,
            medium=purpose.medium,
            key=f"{purpose.message_kind}:{code_id}",
            tenant_id=actor.tenant_id,
            user_id=actor.user_id,
            subject_id=code_id,
        )
        payload = f"{bound_to} {secret}" if bound_to else secret
        await enqueue_messages(session, [message.with_secret(payload, self._context.key_ring)])

    @asynccontextmanager
    async def redeem(
        self, actor: Actor, secret: str, client_info: ClientInfo,
        error: type[AppError],
    ) -> AsyncIterator[tuple[SystemSession, OneTimeCode]]:  # fmt: skip
        """Check a code and consume it in the transaction of the block. Raises `error`.

        The attempt is counted in a transaction of its own: it counts when it is refused, too.
        """
        async with self._context.database.system() as session:
            code = await self.try_code(session, actor, secret, client_info)
        if code is None:
            raise error
        async with self.consume(code, error) as session:
            yield session, code

    @asynccontextmanager
    async def consume(
        self, code: OneTimeCode, error: type[AppError]
    ) -> AsyncIterator[SystemSession]:
        """Consume a code that was tried in the transaction of the block. Raises `error`."""
        async with self._context.database.system() as session:
            await AccountRepository(session).lock_user(UserId(code.user_id))
            now = self._context.clock.now()
            if not await OneTimeCodeRepository(session).consume(code.id, now):
                raise error
            yield session

    async def try_code(
        self, session: AsyncSession, actor: Actor, secret: str,
        client_info: ClientInfo,
    ) -> OneTimeCode | None:  # fmt: skip
        """Count an attempt and return the code if it matches; None when it is refused."""
        purpose, now = self._purpose, self._context.clock.now()
        code = await OneTimeCodeRepository(session).register_attempt(actor.user_id, purpose.kind)
        if code is None:
            return None
        is_counted = code.tries <= purpose.max_tries
        is_match = self._matches(code, secret, now)
        if is_match and (is_counted or purpose.kind is CodeKind.RESET):
            return code
        if is_counted:
            await record_event(session, purpose.refusal, actor, client_info, now)
        return None

    async def is_valid(self, session: AsyncSession, user_id: UserId, secret: str) -> bool:
        """Whether this is the secret of the person's unused, unexpired code.

        No attempt is counted. Only for links, which cannot be guessed.
        """
        code = await OneTimeCodeRepository(session).find_unused(user_id, self._purpose.kind)
        return code is not None and self._matches(code, secret, self._context.clock.now())

    def _matches(self, code: OneTimeCode, secret: str, now: datetime) -> bool:
        is_match = hmac.compare_digest(self._digest(code.user_id, secret), code.code_hash)
        return is_match and code.expires_at > now

    def _digest(self, user_id: UserId, secret: str) -> bytes:
        owner = "" if self._purpose.kind is CodeKind.RESET else f"{user_id}:"  # a link is random
        return self._context.key_ring.digest(self._purpose.message_kind, f"{owner}{secret}")


async def render_one_time_messages(
    context: AppContext,
    due: Sequence[DueMessage],
    render: Callable[[ValidCode, str], RenderedMessage | None],
) -> dict[DeliveryId, RenderedMessage]:
    """Render the messages whose codes are still valid; `render` gets the code and the secret."""
    async with context.database.system() as session:
        codes = await OneTimeCodeRepository(session).find_valid(
            [message.subject_id for message in due], context.clock.now()
        )
    rendered = {}
    for message in due:
        if message.subject_id in codes and message.secret is not None:
            rendered[message.id] = render(codes[message.subject_id], message.secret)
    return {id_: message for id_, message in rendered.items() if message is not None}


async def count_mail(
    context: AppContext, address: str, client_info: ClientInfo,
    *, limit: RateLimit | None = None, browser: KnownBrowser | None = None,
) -> None:  # fmt: skip
    """Count a mail by mailbox and day, and by `limit` for its sender. Raises TooManyRequestsError.

    The limit holds for each network, so that a stranger's requests do not use up the owner's; the
    known browsers of the account have both limits for themselves, all of them together.
    """
    mailbox = mailbox_of(address)
    sender = browser.account_subject if browser else client_network(client_info.ip)
    if limit is not None:
        await context.throttle.hit(limit, f"{mailbox} {sender}")
    try:
        await context.throttle.hit(
            limits.MAILS_PER_MAILBOX, browser.account_subject if browser else mailbox
        )
    except TooManyRequestsError:
        with suppress(TooManyRequestsError):
            await context.throttle.hit(limits.FULL_MAILBOXES, GLOBAL_SUBJECT)
        raise
