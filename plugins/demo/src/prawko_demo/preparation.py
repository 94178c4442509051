"""Prepares the database and the demo's data while the panel and the worker load.

On two cores both take about the same time. The processes wait for the configuration, which is
saved at the end.
"""

import sys
import threading
import traceback
from pathlib import Path

from prawko.hooks.environment import SettingsError
from prawko.kit.providers.registry import PluginError
from prawko_demo import register_state, secret_store
from prawko_demo.databases import DemoServers, is_empty, mark_unfinished, prepare_databases
from prawko_demo.options import DemoOptions
from prawko_demo.register import RegisterSimulator
from prawko_demo.variables import build_config
from prawko_embedded import EmbeddedError


class Preparation(threading.Thread):
    """A thread that runs once; `is_done` raises its failure in the supervisor's thread."""

    def __init__(
        self, options: DemoOptions, servers: DemoServers, folder: Path, register: RegisterSimulator
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
        except Exception as error:  # noqa: BLE001 (raised by is_done)
            self._failure = error
        self._done = True

    def is_done(self) -> bool:
        """Whether the preparation has succeeded. Raises EmbeddedError where it has failed."""
        if isinstance(self._failure, EmbeddedError):
            raise self._failure
        if isinstance(self._failure, PluginError | SettingsError):
            raise EmbeddedError(str(self._failure)) from None
        if self._failure is not None:
            traceback.print_exception(self._failure, file=sys.stderr)
            raise EmbeddedError("The demo could not be prepared.") from self._failure
        return self._done

    def _prepare(self) -> None:
        options, folder, register = self._options, self._folder, self._register
        secrets = secret_store.load_or_create_secrets(folder)
        databases = prepare_databases(options, self._servers, folder, secrets)
        config = build_config(options, folder, secrets, databases, register.address)
        if options.seed_data and is_empty(databases):
            from prawko_demo.seed.database import (  # noqa: PLC0415 (for the first start only)
                seed_database,
            )

            with mark_unfinished(folder):
                owner = databases.logins.owner
                seed_config = build_config(
                    options.for_seeding, folder, secrets, databases, register.address
                )
                seed_database(
                    seed_config,
                    register.document_store,
                    owner,
                    check_today=options.scheduler_enabled,
                )
        register_state.restore_register_state(register.document_store, folder)
        register.control.on_change = lambda: register_state.save_register_state(
            register.document_store, folder
        )
        config.save()
