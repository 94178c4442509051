"""Brings everything up that panel and worker need, while they are loading.

They are big programs: on two cores they load in the time that migrations and the company's
history take. What they are told, they are told when all of it is there.
"""

import sys
import threading
import traceback
from pathlib import Path

from prawko.embedded import EmbeddedError
from prawko_demo import documents, keys
from prawko_demo.databases import Servers, is_empty, prepare, writing
from prawko_demo.options import Options
from prawko_demo.register import RunningRegister
from prawko_demo.variables import stage


class Preparation(threading.Thread):
    """Runs once. A failure is raised where `done` is asked, in the supervisor's hands."""

    def __init__(
        self, options: Options, servers: Servers, folder: Path, register: RunningRegister
    ) -> None:
        super().__init__(name="preparation", daemon=True)
        self._options = options
        self._servers = servers
        self._folder = folder
        self._register = register
        self._failure: Exception | None = None
        self._done = False

    def run(self) -> None:
        try:
            self._prepare()
        except Exception as error:  # noqa: BLE001 (raised where somebody waits)
            self._failure = error
        self._done = True

    def done(self) -> bool:
        """Whether all is ready. Raises EmbeddedError if it cannot be."""
        if isinstance(self._failure, EmbeddedError):
            raise self._failure
        if self._failure is not None:
            traceback.print_exception(self._failure, file=sys.stderr)
            raise EmbeddedError("The demo could not be prepared.") from self._failure
        return self._done

    def _prepare(self) -> None:
        options, folder, register = self._options, self._folder, self._register
        secrets = keys.keep(folder)
        databases = prepare(options, self._servers, folder, secrets)
        scene = stage(options, folder, secrets, databases, register.address)
        if options.data and is_empty(databases):
            from prawko_demo.data import write_history  # noqa: PLC0415 (needed once in a home)

            with writing(folder):
                owner = databases.logins.owner
                write_history(scene, register.shelf, owner, up_to_today=options.timetable)
        documents.put_back(register.shelf, folder)
        register.control.on_change = lambda: documents.remember(register.shelf, folder)
        scene.publish()
