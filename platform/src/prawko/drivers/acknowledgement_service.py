"""Acknowledges episodes: a company records that it took the driver off the road (rule R9b).

An episode is the time in which a driver is withheld, needs attention or is not found. Its start
identifies it, so that a person cannot acknowledge a newer episode than the one on the screen.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from prawko.drivers.errors import EpisodeEndedError
from prawko.drivers.models import Acknowledgement, EntryKind, Outcome
from prawko.drivers.queries import get_drivers_json
from prawko.drivers.repository import AcknowledgementRepository, DriverRepository
from prawko.drivers.schemas import (
    AcknowledgementOut,
    AcknowledgementResult,
    AcknowledgementResultOut,
    EpisodeIn,
    EpisodeOut,
)
from prawko.drivers.validation import parse_note
from prawko.kit.clock import Clock
from prawko.kit.dates import format_short_instant
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language, translate
from prawko.notifications.repository import NotificationRepository
from prawko_tenants.ids import AcknowledgementId, DriverId, UserId, new_id
from prawko_tenants.sessions import TenantSession


class _DriverState(msgspec.Struct):
    """The part of a driver's JSON that an acknowledgement needs."""

    id: DriverId
    status: str
    episode: EpisodeOut | None


class AcknowledgedEpisode(msgspec.Struct, frozen=True):
    """What became of an episode: the id of its acknowledgement, and that of before, if any."""

    driver_id: DriverId
    result: AcknowledgementResult
    added: AcknowledgementId | None = None
    earlier: AcknowledgementOut | None = None

    def describe(self, language: Language) -> AcknowledgementResultOut:
        """Return the outcome with its sentence."""
        former = translate("drivers.acknowledged.former_member", language)
        earlier = self.earlier
        return AcknowledgementResultOut(
            driver_id=self.driver_id,
            result=self.result,
            message=translate(
                f"drivers.acknowledged.{self.result}",
                language,
                author=(earlier.created_by if earlier else None) or former,
                at=format_short_instant(earlier.created_at, language) if earlier else "",
            ),
            acknowledgement_id=earlier.id if earlier else self.added,
        )


class AcknowledgementService:
    """Acknowledges the episodes of one company's drivers, inside one transaction.

    The drivers' rows are locked meanwhile, so that the second of two colleagues sees the first
    entry.
    """

    def __init__(self, session: TenantSession, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._drivers = DriverRepository(session)
        self._entries = AcknowledgementRepository(session)

    async def acknowledge(
        self, episodes: Iterable[EpisodeIn], note: str, user_id: UserId
    ) -> list[AcknowledgedEpisode]:
        """Acknowledge present episodes; returns what became of each, repeated ones once.

        The author has read the notifications of these episodes.

        Raises InvalidAcknowledgementError.
        """
        line, results = parse_note(note), []
        episodes = {(one.driver_id, one.since): one for one in episodes}.values()
        states = await self._lock({one.driver_id for one in episodes})
        entries: list[Acknowledgement] = []
        for one in episodes:
            state = states.get(one.driver_id)
            added, earlier = None, None
            if state is None:
                result = AcknowledgementResult.NOT_FOUND
            elif state.episode is None or state.episode.since != one.since:
                result = AcknowledgementResult.ENDED
            elif state.episode.acknowledgement is not None:
                result = AcknowledgementResult.ALREADY_ACKNOWLEDGED
                earlier = state.episode.acknowledgement
            else:
                result = AcknowledgementResult.ACKNOWLEDGED
                entry = self._create(state, one.since, EntryKind.ACKNOWLEDGED, user_id, line)
                entries.append(entry)
                added = entry.id
            results.append(AcknowledgedEpisode(one.driver_id, result, added, earlier))
        await self._entries.add_entries(entries)
        if acknowledged := [(one.driver_id, one.since) for one in entries]:
            await NotificationRepository(session=self._session).mark_acted_on(user_id, acknowledged)
        return results

    async def withdraw(
        self, driver_id: DriverId, acknowledgement_id: AcknowledgementId, user_id: UserId
    ) -> AcknowledgementId | None:
        """Add an entry that undoes an acknowledgement; None if that was done before.

        Raises NotFoundError, and EpisodeEndedError for an acknowledgement of an earlier episode.
        """
        state = (await self._lock({driver_id})).get(driver_id)
        entry = await self._entries.get_one_or_none(driver_id=driver_id, id=acknowledgement_id)
        if state is None or entry is None or entry.kind is not EntryKind.ACKNOWLEDGED:
            raise NotFoundError
        if state.episode is None or entry.since != state.episode.since:
            raise EpisodeEndedError
        present = state.episode.acknowledgement
        if present is None or present.id != entry.id:
            return None
        withdrawal = self._create(state, entry.since, EntryKind.WITHDRAWN, user_id)
        await self._entries.add_entries([withdrawal])
        return withdrawal.id

    async def _lock(self, driver_ids: set[DriverId]) -> dict[DriverId, _DriverState]:
        """Lock the drivers there are and return their episodes."""
        found = await self._drivers.lock_many(driver_ids)
        body = await get_drivers_json(self._session, found, self._clock.now())
        return {one.id: one for one in msgspec.json.decode(body, type=list[_DriverState])}

    def _create(
        self, state: _DriverState, since: datetime, kind: EntryKind, user_id: UserId, note: str = ""
    ) -> Acknowledgement:
        # A valid licence that is over needs attention.
        status = Outcome.ATTENTION if state.status == Outcome.VALID else state.status
        return Acknowledgement(
            id=AcknowledgementId(new_id()), driver_id=state.id, status=status, since=since,
            kind=kind, note=note, created_at=self._clock.now(), created_by=user_id,
        )  # fmt: skip
