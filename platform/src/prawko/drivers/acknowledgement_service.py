"""Acknowledges episodes: a company records that it took the driver off the road (rule R9b).

An episode is the time in which a driver is withheld, needs attention or is not found. Its start
identifies it, so that a person cannot acknowledge a newer episode than the one on the screen.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.drivers.errors import EpisodeEndedError
from prawko.drivers.models import Acknowledgement, EntryKind, Outcome
from prawko.drivers.queries import get_driver_json
from prawko.drivers.repository import AcknowledgementRepository, DriverRepository
from prawko.drivers.schemas import EpisodeOut
from prawko.drivers.validation import parse_note
from prawko.kit.clock import Clock
from prawko.kit.errors import NotFoundError
from prawko_tenants.ids import AcknowledgementId, DriverId, UserId
from prawko_tenants.sessions import TenantSession


class _DriverState(msgspec.Struct):
    """The part of a driver's JSON that an acknowledgement needs."""

    status: str
    episode: EpisodeOut | None


class AcknowledgementService:
    """Acknowledges the episodes of one company's drivers, inside one transaction.

    The driver's row is locked meanwhile, so that the second of two colleagues sees the first entry.
    """

    def __init__(self, session: TenantSession, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._drivers = DriverRepository(session)
        self._entries = AcknowledgementRepository(session)

    async def acknowledge(
        self, driver_id: DriverId, since: datetime, note: str, user_id: UserId
    ) -> AcknowledgementId | None:
        """Acknowledge the present episode, which began at `since`; None if that was done before.

        Raises InvalidAcknowledgementError, NotFoundError and EpisodeEndedError.
        """
        line = parse_note(note)
        status, episode = await self._lock_episode(driver_id)
        if episode.since != since:
            raise EpisodeEndedError
        if episode.acknowledgement is not None:
            return None
        return await self._add(
            Acknowledgement(
                driver_id=driver_id, status=status, since=since, kind=EntryKind.ACKNOWLEDGED,
                note=line, created_by=user_id,
            )
        )  # fmt: skip

    async def withdraw(
        self, driver_id: DriverId, acknowledgement_id: AcknowledgementId, user_id: UserId
    ) -> AcknowledgementId | None:
        """Add an entry that undoes an acknowledgement; None if that was done before.

        Raises NotFoundError, and EpisodeEndedError for an acknowledgement of an earlier episode.
        """
        status, episode = await self._lock_episode(driver_id)
        entry = await self._entries.get_one_or_none(driver_id=driver_id, id=acknowledgement_id)
        if entry is None or entry.kind is not EntryKind.ACKNOWLEDGED:
            raise NotFoundError
        if entry.since != episode.since:
            raise EpisodeEndedError
        if episode.acknowledgement is None or episode.acknowledgement.id != entry.id:
            return None
        return await self._add(
            Acknowledgement(
                driver_id=driver_id, status=status, since=entry.since, kind=EntryKind.WITHDRAWN,
                note="", created_by=user_id,
            )
        )  # fmt: skip

    async def _lock_episode(self, driver_id: DriverId) -> tuple[str, EpisodeOut]:
        """Lock the driver and return its episode, and the status that the episode has."""
        if await self._drivers.lock(driver_id) is None:
            raise NotFoundError
        body = await get_driver_json(self._session, driver_id, self._clock.now())
        state = msgspec.json.decode(body, type=_DriverState)
        if state.episode is None:
            raise EpisodeEndedError
        has_lapsed = state.status == Outcome.VALID
        return Outcome.ATTENTION if has_lapsed else state.status, state.episode

    async def _add(self, entry: Acknowledgement) -> AcknowledgementId:
        entry.entry = 1 + await self._entries.count(driver_id=entry.driver_id, since=entry.since)
        entry.created_at = self._clock.now()
        added: UUID = (await self._entries.add(entry)).id
        return AcknowledgementId(added)
