"""The peer of the list: FastAPI, Pydantic and SQLAlchemy's ORM, used in the usual way."""

import datetime as dt
import hashlib
import os
from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import UUID

from fastapi import Cookie, Depends, FastAPI, HTTPException
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy import ForeignKey, LargeBinary, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, selectinload


class Base(DeclarativeBase):
    pass


class LoginSession(Base):
    __tablename__ = "login_session"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    user_id: Mapped[UUID]
    tenant_id: Mapped[UUID]


class Driver(Base):
    __tablename__ = "driver"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    tenant_id: Mapped[UUID]
    first_name: Mapped[str]
    last_name: Mapped[str]
    license_number: Mapped[str]
    status: Mapped[str]
    sort_key: Mapped[str]
    created_at: Mapped[dt.datetime]
    verifications: Mapped[list["PeerVerification"]] = relationship(
        order_by="PeerVerification.verified_at.desc()"
    )


class PeerVerification(Base):
    """A table of the bench, with the latest verification of each driver."""

    __tablename__ = "peer_verification"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    driver_id: Mapped[UUID] = mapped_column(ForeignKey("driver.id"))
    status: Mapped[str]
    verified_at: Mapped[dt.datetime]
    document_status: Mapped[str | None]
    issuing_authority: Mapped[str | None]
    expiry_date: Mapped[dt.date | None]
    categories: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True, alias_generator=to_camel, populate_by_name=True)


class CategoryOut(BaseModel):
    kategoria: str
    dataWaznosci: dt.date | None  # noqa: N815 (the register's name)


class VerificationOut(Out):
    id: UUID
    driver_id: UUID
    status: str
    verified_at: dt.datetime
    document_status: str | None
    issuing_authority: str | None
    expiry_date: dt.date | None
    categories: list[CategoryOut]


class DriverOut(Out):
    id: UUID
    first_name: str
    last_name: str
    license_number: str
    status: str
    created_at: dt.datetime
    verifications: list[VerificationOut]


engine = create_async_engine(
    os.environ.get("BENCH_URL", "postgresql://").replace("postgresql:", "postgresql+asyncpg:"),
    pool_size=8,
)
sessions = async_sessionmaker(engine, expire_on_commit=False)
app = FastAPI()


async def session() -> AsyncIterator[AsyncSession]:
    async with sessions() as db:
        yield db


async def caller(
    db: Annotated[AsyncSession, Depends(session)], prawko: Annotated[str, Cookie()]
) -> LoginSession:
    digest = hashlib.sha256(prawko.encode()).digest()
    login = await db.scalar(select(LoginSession).where(LoginSession.token_hash == digest))
    if login is None:
        raise HTTPException(401)
    return login


@app.get("/api/drivers")
async def list_drivers(
    db: Annotated[AsyncSession, Depends(session)],
    signed_in: Annotated[LoginSession, Depends(caller)],
) -> list[DriverOut]:
    drivers = await db.scalars(
        select(Driver)
        .where(Driver.tenant_id == signed_in.tenant_id)
        .order_by(Driver.sort_key)
        .options(selectinload(Driver.verifications))
    )
    return [DriverOut.model_validate(driver) for driver in drivers]
