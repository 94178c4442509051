"""Watches this process from outside and from inside: its event loop, and its plugins' blocks.

The hard limit ends a process whose loop stands still. The next process of the role reads from the
slot which plugin's code ran, has it rest, and opens the incident.
"""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from prawko.hooks.deadlines import HARD_LIMIT_SECONDS
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import report_block
from prawko.kit.observability import logs
from prawko.kit.providers.call_slot import SLOT, find_folder, read_ended
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.hard_limit import HardLimit
from prawko.kit.providers.process_state import KEPT_STATE, read_state, restore_state

HELD = f"it blocked the process for {HARD_LIMIT_SECONDS:g} s, which was ended"

log = logs.get_logger(__name__)


class ProcessWatch:
    """Watches the running loop and the plugins, from `start` to `stop`.

    `role` is what the process is: `panel`, `console` or `worker`.
    """

    def __init__(self, context: AppContext, role: str) -> None:
        self._context = context
        self._plugins = context.components.get(PluginExperiences)
        self._reports: set[asyncio.Task[None]] = set()
        self._limit = HardLimit(self._open_slot(role), self._tick)

    def start(self) -> None:
        """Start to watch; the process's handlers of signals and logs are its own by now."""
        KEPT_STATE.state = read_state()
        self._bystander = KEPT_STATE.bystander = asyncio.create_task(asyncio.Event().wait())
        self._limit.start()

    def stop(self) -> None:
        """Stop watching: the process ends in order."""
        self._limit.stop()
        KEPT_STATE.state = {}
        KEPT_STATE.bystander = None
        self._bystander.cancel()
        SLOT.close()

    def _open_slot(self, role: str) -> BinaryIO | None:
        """Read the slots of processes that have ended, and open that of this one."""
        try:
            folder = find_folder(self._context.settings.database_url)
            self._count_ended(folder, role)
            return SLOT.open(folder, role)
        except OSError as error:  # the limit holds all the same, and names no plugin
            log.warning("call_slot_not_opened", error=str(error))
            return None

    def _count_ended(self, folder: Path, role: str) -> None:
        """Have the plugins rest in whose calls processes of this role have ended."""
        for one in sorted(read_ended(folder, role), key=lambda one: one.ended_at):
            if one.is_new:
                log.critical(
                    "process_ended_by_call", plugin=one.plugin or None, traceback=one.traceback
                )
            if one.plugin:
                reason = HELD if one.traceback else "the process ended within its call"
                since = timedelta(seconds=utc_now().timestamp() - one.ended_at)
                self._plugins.get(one.plugin).count_block(reason, since=since)

    def _tick(self) -> None:
        SLOT.note_tick()
        self._restore_state()
        for plugin, reason in self._plugins.take_blocks():
            task = asyncio.create_task(report_block(self._context, plugin, reason))
            self._reports.add(task)
            task.add_done_callback(self._reports.discard)

    def _restore_state(self) -> None:
        """Put back what plugins changed; the one that did is known if no other one ran."""
        plugins, KEPT_STATE.ran = KEPT_STATE.ran, set()
        changed = restore_state(KEPT_STATE.state)
        if changed and len(plugins) == 1:
            plugins.pop().count_change(changed)
        elif changed:
            names = sorted(plugin.name for plugin in plugins)
            log.critical("process_state_changed", changed=changed, plugins=names)
