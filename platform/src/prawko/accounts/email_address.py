"""E-mail addresses: their syntax, their unique form, and whether mail arrives (email_state)."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailSyntaxError, validate_email
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import UserAccount
from prawko.kit.text.letters import normalise_typed
from prawko.kit.text.plain_text import is_far_too_long
from prawko_tenants.ids import UserId

# Only the syntax is validated; the verification code shows whether mail arrives.
SPECIAL_USE_DOMAIN_NAMES.clear()

MAX_LENGTH = 254
# For clients: every valid address fits, in syntax that every regular-expression dialect has.
OPENAPI_PATTERN = r"^[!#-'*+./0-9=?A-Z^-~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$"

_GMAIL_DOMAINS = frozenset({"gmail.com", "googlemail.com"})


def parse_email(text: str) -> str | None:
    """Return the address, normalised; None when it is malformed or not ASCII.

    Signs of ASCII stay as they are typed: a grave accent may be part of an address. What looks like
    an encoded word is refused: no header can have it (RFC 2047, section 5).
    """
    if is_far_too_long(text, MAX_LENGTH):
        return None
    address = (text if text.isascii() else normalise_typed(text)).strip()
    if len(address) > MAX_LENGTH or not address.isascii() or "=?" in address:
        return None
    try:
        validate_email(address, check_deliverability=False, strict=True)
    except EmailSyntaxError:
        return None
    return address


def normalise_email(address: str) -> str:
    """Return the key under which the address is unique: lower case (docs/rules.md R27)."""
    return address.lower()


def mailbox_of(address: str) -> str:
    """Return the mailbox that mail to the address reaches, to count its mails.

    Most servers deliver `name+anything@domain` to `name@domain`; dots matter to most of them, but
    not to Gmail, which has two domains. No key of an account: an address is compared as it is.
    """
    local, _, domain = normalise_email(address).rpartition("@")
    name = local.partition("+")[0]
    if domain in _GMAIL_DOMAINS:
        name, domain = name.replace(".", ""), "gmail.com"
    return f"{name or local}@{domain}"


class EmailProblem(StrEnum):
    """Why no mail is sent to an address any more."""

    BOUNCED = "bounced"
    DROPPED = "dropped"
    SPAM = "spam"


def to_email_problem(state: str) -> EmailProblem | None:
    """Return the problem that an `email_state` stands for; None while mail is sent."""
    return EmailProblem(state) if state in set(EmailProblem) else None


_SEVERITY_ORDER = ("ok", "refused", "dropped", "bounced", "spam")


async def mark_delivered(
    session: AsyncSession, user_ids: Collection[UserId], *, now: datetime
) -> None:
    """Set refused addresses back to `ok`; a reported one stays until its owner confirms it."""
    refused = (
        select(UserAccount.id)
        .where(UserAccount.id.in_(user_ids), UserAccount.email_state == "refused")
        .order_by(UserAccount.id)  # accounts are always locked in this order
        .with_for_update(key_share=True)
    )
    if ids := (await session.scalars(refused)).all():
        await session.execute(
            update(UserAccount)
            .where(UserAccount.id.in_(ids))
            .values(email_state="ok", email_state_reason=None, updated_at=now)
        )


async def mark_refused(
    session: AsyncSession, user_id: UserId, *, reason: str, now: datetime
) -> bool:
    """Set the address to `refused`; return whether it was `ok` before."""
    return await _escalate(session, user_id, "refused", reason=reason, now=now)


async def suppress_address(
    session: AsyncSession,
    user_id: UserId,
    problem: EmailProblem,
    *,
    reported_at: datetime,
    reason: str,
    now: datetime,
) -> bool:
    """Stop mail to the address; return whether it was `ok` before.

    `reported_at` is by the carrier's clock. Reports older than the owner's last confirmation
    of the address (`email_trusted_at`) change nothing.
    """
    return await _escalate(
        session, user_id, problem.value, reason=reason, now=now, reported_at=reported_at
    )


async def _escalate(
    session: AsyncSession,
    user_id: UserId,
    state: str,
    *,
    reason: str,
    now: datetime,
    reported_at: datetime | None = None,
) -> bool:
    row = await session.execute(
        select(UserAccount.email_state, UserAccount.email_trusted_at)
        .where(UserAccount.id == user_id)
        .with_for_update(key_share=True)
    )
    current = row.one_or_none()
    if current is None or _severity(current.email_state) >= _severity(state):
        return False
    trusted_at = current.email_trusted_at
    if reported_at is not None and trusted_at is not None and reported_at <= trusted_at:
        return False
    await session.execute(
        update(UserAccount)
        .where(UserAccount.id == user_id)
        .values(email_state=state, email_state_reason=reason, updated_at=now)
    )
    return bool(current.email_state == "ok")


def _severity(state: str) -> int:
    return _SEVERITY_ORDER.index(state)
