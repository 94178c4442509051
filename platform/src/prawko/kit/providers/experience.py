"""The experience of this process with its plugins: the availability of each, by kind and name.

Every process finds out for itself, and another one that gets on with the plugin goes on. A process
that follows one which a plugin has ended begins with that (`call_slot`).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from prawko.kit.backoff import Backoff
from prawko.kit.clock import utc_now
from prawko.kit.providers import availability
from prawko.kit.providers.availability import Availability, Rules
from prawko.kit.providers.call_slot import SLOT
from prawko.kit.providers.evidence import FailedCall

FAULTS_UNTIL_REST = 5
# For the jobs of a panel that open and close incidents to have run, in whatever order.
SETTLING = timedelta(minutes=1)


class PluginAvailability(Availability, frozen=True, kw_only=True):
    """The availability of a plugin: it rests after faults in a row, and after each block."""

    rules: ClassVar = Rules(
        failures=FAULTS_UNTIL_REST,
        probe_interval=timedelta(minutes=1),
        pause=Backoff(timedelta(minutes=1), timedelta(hours=1)),
    )


class PluginExperience:
    """The experience of this process with one plugin.

    `name` is its kind and name, as in `channel smtp`. `unreported_block` says how it blocked or
    ended a process, until that is reported.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = SLOT.number_of(name)
        self.unreported_block = ""
        self._good_since: datetime | None = None  # when its incident was ended last
        self._is_known_good = False  # no incident of it is open
        self._blocks = 0
        self._changed_process_at: datetime | None = None
        self._availability = PluginAvailability()

    def rests_until(self) -> datetime | None:
        """Return until when it is not to be called; None if it may be called now."""
        now = utc_now()
        state = availability.without_future_times(self._availability, now)
        return availability.unavailable_until(state, now)

    def rests_after_block_until(self) -> datetime | None:
        """Return until when it rests because it blocked a process; meanwhile nothing calls it."""
        if self._availability.paused_until is None:  # at nearly every call
            return None
        now = utc_now()
        paused_until = availability.without_future_times(self._availability, now).paused_until
        return paused_until if paused_until is not None and paused_until > now else None

    def count_faults(self, failed: Sequence[FailedCall]) -> bool:
        """Count faults; whether the plugin rests now."""
        now, state = utc_now(), self._availability
        if self.rests_until() is None:  # the first call after a rest is the probe
            state = availability.after_probe(state, now)
        self._availability = availability.on_failures(state, now, failed)
        if self.rests_until() is None:
            return False
        self.doubt()
        return True

    def count_success(self) -> bool:
        """Count a success; whether an incident may be open that it ends.

        It is ended twice, SETTLING apart: a job that opens it may overtake the first that ends it.
        """
        now = utc_now()
        self._availability = availability.on_success(self._availability, now)
        if self._is_known_good or self.rests_until() is not None:
            return False
        if self._changed_process_at is not None and now - self._changed_process_at < SETTLING:
            return False
        if self._good_since is None:
            self._good_since = now
            return True
        self._is_known_good = now - self._good_since >= SETTLING
        return self._is_known_good

    def count_block(self, reason: str, *, since: timedelta = timedelta(0)) -> bool:
        """Count a block of a process `since` ago; whether the plugin still rests for it."""
        self._blocks += 1
        rest = self._availability.rules.pause.delay(self._blocks) - since
        if rest <= timedelta(0):
            return False
        self._availability = availability.on_throttled(
            self._availability, utc_now(), rest.total_seconds()
        )
        self.unreported_block = reason
        self.doubt()
        return True

    def count_change(self, changed: Sequence[str]) -> None:
        """Count a change of the process's state, which was put back: no reason to rest."""
        self.unreported_block = f"it changed the process: {', '.join(changed)}"
        self._changed_process_at = utc_now()
        self.doubt()

    def doubt(self) -> None:
        """Note that an incident may be open."""
        self._is_known_good, self._good_since = False, None


class PluginExperiences:
    """The experience of this process with each of its plugins."""

    def __init__(self) -> None:
        self._by_name: dict[str, PluginExperience] = {}

    def get(self, name: str) -> PluginExperience:
        """Return the experience with a plugin."""
        if name not in self._by_name:
            self._by_name[name] = PluginExperience(name)
        return self._by_name[name]

    def take_blocks(self) -> list[tuple[PluginExperience, str]]:
        """Return the plugins that blocked the process since the last call, and how."""
        blocks = [(one, one.unreported_block) for one in self._by_name.values()]
        for plugin, _ in blocks:
            plugin.unreported_block = ""
        return [(plugin, reason) for plugin, reason in blocks if reason]
