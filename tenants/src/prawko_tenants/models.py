"""The company, referenced by all of its rows."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base


class Tenant(Base):
    """A company with its billing details, which are empty until filled in.

    `id` is what other tables call `tenant_id`. `erasure_requested_at` is when its owner asked for
    its erasure, which the worker does.
    """

    __tablename__ = "tenant"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    company_name: Mapped[str] = mapped_column(default="", server_default="")
    tax_id: Mapped[str] = mapped_column(default="", server_default="")
    street: Mapped[str] = mapped_column(default="", server_default="")
    postal_code: Mapped[str] = mapped_column(default="", server_default="")
    city: Mapped[str] = mapped_column(default="", server_default="")
    trial_started_at: Mapped[datetime | None]
    trial_ended: Mapped[bool] = mapped_column(default=False, server_default="false")
    erasure_requested_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
