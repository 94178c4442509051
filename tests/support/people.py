"""People of the tests: each with an address and a browser."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import asyncpg
import httpx
from sqlalchemy import text

from prawko.accounts.legal_documents import current_documents
from prawko.accounts.roles import Role
from prawko.apps.composition_root import create_renderer_registry
from prawko.kit.context import AppContext
from prawko.kit.deliveries import channel_sender
from prawko.kit.deliveries.senders import deliver_due
from prawko_testing.fakes import RecordingChannel

PASSWORD = "Sezamie0twórz"

_MOVE_MEMBERSHIP = """
    WITH other AS (SELECT id FROM user_account WHERE email_key = $1),
         company AS (SELECT m.tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id
                      WHERE u.email_key = $2),
         deleted AS (DELETE FROM membership WHERE user_id = (SELECT id FROM other))
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    SELECT company.tenant_id, other.id, $3, now() FROM company, other
    RETURNING tenant_id, user_id
"""
_ACCEPT_DOCUMENT = """
    INSERT INTO legal_acceptance (tenant_id, id, user_id, document, version, accepted_at, ip)
    VALUES ($1, gen_random_uuid(), $2, $3, $4, now(), '127.0.0.1')
"""
_IMPERSONATE = """
    WITH operator AS (
        INSERT INTO user_account (id, email, email_key, password_hash, is_admin, created_at,
                                  updated_at)
        VALUES (gen_random_uuid(), 'operator', 'operator', '', true, now(), now())
        RETURNING id)
    UPDATE login_session SET impersonator_id = operator.id,
           expires_at = login_session.created_at + interval '1 hour'
      FROM operator WHERE agent = $1 OR $1 IS NULL
    RETURNING operator.id
"""


@contextmanager
def sending_in_turn() -> Iterator[None]:
    """Send messages one at a time, the oldest first. The worker sends several, in any order."""
    with patch.object(channel_sender, "BATCH_SIZE", 1):
        yield


async def deliver_outbox(worker: AppContext) -> int:
    """Send the messages that are due, the oldest first; return their number."""
    with sending_in_turn():
        return await deliver_due(worker, create_renderer_registry(worker))


class Person:
    """A person; `browser` has the session cookie."""

    def __init__(self, email: str, browser: httpx.AsyncClient) -> None:
        self.email = email
        self.browser = browser

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.browser.get(path, **options)

    async def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.browser.post(path, json=json, **options)

    async def put(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.browser.put(path, json=json, **options)

    async def delete(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.browser.request("DELETE", path, json=json, **options)

    async def add_driver(self, number: str, first: str = "Jan", last: str = "Kowalski") -> str:
        """Add a driver and return its id."""
        answer = await self.post(
            "/api/drivers", {"firstName": first, "lastName": last, "licenseNumber": number}
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    async def list_drivers(self, query: str = "") -> list[dict[str, Any]]:
        """Return the drivers that the person sees."""
        answer = await self.get(f"/api/drivers{query}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def tenant_id(self, worker: AppContext) -> uuid.UUID:
        """Return the company's id, read from the database."""
        async with worker.database.system() as session:
            tenant_id = await session.scalar(
                text(
                    "SELECT m.tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id"
                    " WHERE u.email_key = :email"
                ),
                {"email": self.email},
            )
        assert tenant_id is not None
        return tenant_id

    async def add_colleague(
        self, email: str, browser: httpx.AsyncClient, owner_url: str, role: Role = Role.MANAGER
    ) -> "Person":
        """Create another member of the same company."""
        colleague = Person(email, browser)
        await colleague.sign_up()
        connection = await asyncpg.connect(owner_url)
        try:
            tenant_id, user_id = await connection.fetchrow(
                _MOVE_MEMBERSHIP, email, self.email, role
            )
            await connection.execute(
                "SELECT set_config('app.tenant_id', $1, false)", str(tenant_id)
            )
            for one in current_documents():
                await connection.execute(
                    _ACCEPT_DOCUMENT, tenant_id, user_id, one.document.value, one.version
                )
            await connection.execute(
                "UPDATE user_account SET email_verified = true WHERE email_key = $1", email
            )
        finally:
            await connection.close()
        await colleague.sign_in()
        return colleague

    async def sign_up(self) -> None:
        answer = await self.post("/api/register", {"email": self.email, "password": PASSWORD})
        assert answer.status_code == 201, answer.text

    async def verify_email(self, worker: AppContext, mailbox: RecordingChannel) -> None:
        """Verify the address with the code of the mail."""
        await deliver_outbox(worker)
        answer = await self.post(
            "/api/verify-email", {"token": mailbox.messages_to(self.email)[-1].code}
        )
        assert answer.status_code == 200, answer.text

    async def sign_in(self) -> None:
        answer = await self.post("/api/login", {"email": self.email, "password": PASSWORD})
        assert answer.status_code == 200, answer.text


async def create_unverified(email: str, browser: httpx.AsyncClient) -> Person:
    """Sign up."""
    person = Person(email, browser)
    await person.sign_up()
    return person


async def create_verified(
    email: str, browser: httpx.AsyncClient, worker: AppContext, mailbox: RecordingChannel
) -> Person:
    """Sign up and verify the address."""
    person = await create_unverified(email, browser)
    await person.verify_email(worker, mailbox)
    return person


async def create_owner(
    email: str, tax_id: str, browser: httpx.AsyncClient, worker: AppContext,
    mailbox: RecordingChannel,
) -> Person:  # fmt: skip
    """Sign up, verify the address and start the trial."""
    person = await create_verified(email, browser, worker, mailbox)
    answer = await person.post("/api/subscription/start-trial", {"taxId": tax_id})
    assert answer.status_code in {200, 201}, answer.text
    return person


async def create_operator(email: str, browser: httpx.AsyncClient, owner_url: str) -> Person:
    """Sign up and make the account an operator's, as `prawko admin create` does."""
    person = await create_unverified(email, browser)
    connection = await asyncpg.connect(owner_url)
    try:
        await connection.execute(
            "UPDATE user_account SET is_admin = true, email_verified = true WHERE email_key = $1",
            email,
        )
    finally:
        await connection.close()
    return person


def token_of(person: Person) -> str:
    """Return the token of a person's session."""
    return person.browser.cookies["prawko"]


async def make_impersonated(owner_url: str, user_agent: str | None = None) -> uuid.UUID:
    """Make the login sessions of a user agent, or all, an operator's; return the operator's id."""
    connection = await asyncpg.connect(owner_url)
    try:
        return await connection.fetchval(_IMPERSONATE, user_agent)
    finally:
        await connection.close()
