"""A person at a browser, as the tests know one."""

import uuid
from typing import Any

import asyncpg
import httpx
from sqlalchemy import text

from prawko.base.jobs import Tools
from prawko.deliveries.sending import deliver_due
from prawko.testing.fakes import RecordingChannel
from prawko.worker.wiring import correspondence

PASSWORD = "Sezamie0twórz"

_MOVE = """
    WITH other AS (SELECT id FROM user_account WHERE email_key = $1),
         here AS (SELECT m.tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id
                   WHERE u.email_key = $2),
         gone AS (DELETE FROM membership WHERE user_id = (SELECT id FROM other))
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    SELECT here.tenant_id, other.id, 'member', now() FROM here, other
"""


async def deliver(worker: Tools) -> int:
    """Send what waits in the outbox, as the worker does."""
    return await deliver_due(worker, correspondence(worker))


class Person:
    """Somebody who has signed up; `browser` carries the session."""

    def __init__(self, email: str, browser: httpx.AsyncClient) -> None:
        self.email = email
        self.browser = browser

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.browser.get(path, **options)

    async def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.browser.post(path, json=json, **options)

    async def put(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.browser.put(path, json=json, **options)

    async def delete(self, path: str, **options: Any) -> httpx.Response:
        return await self.browser.delete(path, **options)

    async def adds(self, number: str, first: str = "Jan", last: str = "Kowalski") -> str:
        """Add a driver and return its id."""
        answer = await self.post(
            "/api/drivers", {"firstName": first, "lastName": last, "licenseNumber": number}
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    async def tenant_id(self, worker: Tools) -> uuid.UUID:
        """The company's id, which no answer tells."""
        async with worker.database.system() as session:
            found = await session.scalar(
                text(
                    "SELECT m.tenant_id FROM membership m JOIN user_account u ON u.id = m.user_id"
                    " WHERE u.email_key = :email"
                ),
                {"email": self.email},
            )
        assert found is not None
        return found

    async def colleague(self, email: str, browser: httpx.AsyncClient, owner_url: str) -> "Person":
        """Somebody else of the same company, as an invitation will make one."""
        other = Person(email, browser)
        await other.signs_up()
        connection = await asyncpg.connect(owner_url)
        try:
            await connection.execute(_MOVE, email, self.email)
            await connection.execute(
                "UPDATE user_account SET email_verified = true WHERE email_key = $1", email
            )
        finally:
            await connection.close()
        await other.signs_in()
        return other

    async def signs_up(self) -> None:
        answer = await self.post("/api/register", {"email": self.email, "password": PASSWORD})
        assert answer.status_code == 201, answer.text

    async def verifies(self, worker: Tools, mailbox: RecordingChannel) -> None:
        """Type the code of the mail."""
        await deliver(worker)
        answer = await self.post("/api/verify-email", {"token": mailbox.to(self.email)[-1].code})
        assert answer.status_code == 200, answer.text

    async def signs_in(self) -> None:
        answer = await self.post("/api/login", {"email": self.email, "password": PASSWORD})
        assert answer.status_code == 200, answer.text


async def founded(
    name: str, email: str, tax_id: str, browser: httpx.AsyncClient, worker: Tools,
    mailbox: RecordingChannel,
) -> Person:  # fmt: skip
    """Sign up, verify by the code in the mail, and start the trial."""
    person = Person(email, browser)
    await person.signs_up()
    await person.verifies(worker, mailbox)
    answer = await person.post("/api/subscription/start-trial", {"taxId": tax_id})
    assert answer.status_code in {200, 201}, answer.text
    return person
