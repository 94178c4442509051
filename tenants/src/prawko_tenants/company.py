"""The company itself, the row that every other row of its data hangs on."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base


class Tenant(Base):
    """A company. Its own `id` is the company; the billing details are empty until filled in."""

    __tablename__ = "tenant"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    company_name: Mapped[str] = mapped_column(default="", server_default="")
    tax_id: Mapped[str] = mapped_column(default="", server_default="")
    street: Mapped[str] = mapped_column(default="", server_default="")
    postal_code: Mapped[str] = mapped_column(default="", server_default="")
    city: Mapped[str] = mapped_column(default="", server_default="")
    trial_started_at: Mapped[datetime | None]
    trial_ended: Mapped[bool] = mapped_column(default=False, server_default="false")
    provider_customer_ref: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
