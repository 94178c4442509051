"""Table of the browsers that get push messages."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, TenantTable, tenant_foreign_key
from prawko_tenants.ids import PushBrowserId, SessionId, UserId, new_id


class PushBrowser(TenantTable, Base):
    """A browser in which a member switched push messages on.

    `session_id` is the last session of the member in that browser: nothing is sent once it was
    revoked, and the row is deleted when it is purged. `endpoint`, `p256dh` and `auth` came from the
    browser, `server_key` is our key that they were made for.
    """

    __tablename__ = "push_browser"
    __table_args__ = (
        tenant_foreign_key("user_id", "membership.user_id"),
        tenant_foreign_key("session_id", "login_session.id"),
        UniqueConstraint("tenant_id", "user_id", "endpoint"),
        Index(None, "tenant_id", "session_id"),
    )

    id: Mapped[PushBrowserId] = mapped_column(primary_key=True, default=new_id, sort_order=-1)
    user_id: Mapped[UserId]
    session_id: Mapped[SessionId]
    endpoint: Mapped[str]
    p256dh: Mapped[str]
    auth: Mapped[str]
    server_key: Mapped[str]
    agent: Mapped[str]
    created_at: Mapped[datetime]
