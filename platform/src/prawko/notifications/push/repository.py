"""The browsers that get push messages, in the caller's transaction, bound to a company."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select, update

from prawko.accounts.models import LoginSession
from prawko.kit.database import Repository
from prawko.notifications.push.models import PushBrowser
from prawko_tenants.ids import SessionId, UserId


def has_lasting_session() -> ColumnElement[bool]:
    """Return the condition that the browser's session was not revoked; it may have expired."""
    return (
        select(LoginSession.id)
        .where(LoginSession.id == PushBrowser.session_id, LoginSession.revoked_at.is_(None))
        .exists()
    )


class PushBrowserRepository(Repository[PushBrowser]):
    """Reads and writes the browsers of a company's members."""

    model_type = PushBrowser

    async def list_of(self, user_id: UserId) -> Sequence[tuple[PushBrowser, bool]]:
        """Return a member's browsers, the newest first, and whether each gets messages now."""
        rows = await self.session.execute(
            select(PushBrowser, has_lasting_session())
            .where(PushBrowser.user_id == user_id)
            .order_by(PushBrowser.id.desc())
        )
        return [(row, is_active) for row, is_active in rows]

    async def count_of(self, user_id: UserId) -> int:
        """Return the number of a member's browsers."""
        statement = select(func.count()).where(PushBrowser.user_id == user_id)
        return (await self.session.scalars(statement)).one()

    async def renew(
        self, user_id: UserId, endpoint: str, server_key: str, *, session_id: SessionId, agent: str
    ) -> PushBrowser | None:
        """Bind a member's browser to a session; None for one that is not known under this key."""
        statement = (
            update(PushBrowser)
            .where(
                PushBrowser.user_id == user_id,
                PushBrowser.endpoint == endpoint,
                PushBrowser.server_key == server_key,
            )
            .values(session_id=session_id, agent=agent)
            .returning(PushBrowser)
        )
        return await self.session.scalar(statement)

    async def remove_endpoint(self, user_id: UserId, endpoint: str) -> None:
        """Delete a member's browser, if it is known."""
        await self.session.execute(
            delete(PushBrowser).where(
                PushBrowser.user_id == user_id, PushBrowser.endpoint == endpoint
            )
        )

    async def remove_own(self, user_id: UserId, browser_id: UUID) -> bool:
        """Delete a member's browser; False when the member has none with that id."""
        statement = (
            delete(PushBrowser)
            .where(PushBrowser.user_id == user_id, PushBrowser.id == browser_id)
            .returning(PushBrowser.id)
        )
        return await self.session.scalar(statement) is not None

    async def remove(self, browser_id: UUID | None) -> None:
        """Delete a browser of the company that its push service no longer knows."""
        await self.session.execute(delete(PushBrowser).where(PushBrowser.id == browser_id))
