"""Table of paused providers."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, GlobalTable


class ProviderPause(GlobalTable, Base):
    """A provider that refused our account, paused until it has answered again.

    `provider` is the name of a channel or payment provider. Times are system time.
    """

    __tablename__ = "provider_pause"

    provider: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]
    paused_until: Mapped[datetime]
    reason: Mapped[str]
