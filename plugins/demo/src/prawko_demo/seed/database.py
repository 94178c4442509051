"""Fills an empty database with a company, thirty days of its daily checks, and an operator."""

import asyncio
from pathlib import Path

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.operators import make_operator
from prawko.apps.composition_root import create_context
from prawko.kit.bootstrap import close_context
from prawko.kit.work.queue import RecordingQueue
from prawko_demo import register_state
from prawko_demo.config import MAILBOX_FILE, MAX_TRIES, PLUGINS, DemoConfig
from prawko_demo.credentials import OPERATOR_EMAIL, OPERATOR_PASSWORD
from prawko_demo.register.document_store import DocumentStore
from prawko_demo.seed.history import run_todays_check, write_check_history
from prawko_demo.seed.history_clock import HistoryClock, backdated_mailbox_plugin
from prawko_demo.seed.onboarding import seed_company

QUIET_VARIABLES = {"LOG_LEVEL": "ERROR"}  # this process logs to the terminal


def seed_database(
    config: DemoConfig, document_store: DocumentStore, owner_url: str, *, check_today: bool
) -> None:
    """Write the company and the operator; blocks.

    `document_store` is the running simulator's. `owner_url` is of the only login that may create
    operators. With `check_today` today's check is done, too, if its hour has passed.
    """
    asyncio.run(_seed_company(config, document_store, check_today=check_today))
    asyncio.run(
        _create_operator({**config.panel_variables, **QUIET_VARIABLES, "DATABASE_URL": owner_url})
    )


async def _create_operator(variables: dict[str, str]) -> None:
    context = create_context(variables, extra_plugins=PLUGINS, queue=RecordingQueue())
    try:
        acts = OperatorActs(context, None, ClientInfo(ip="", user_agent="prawko demo"))
        await make_operator(context, acts, OPERATOR_EMAIL, OPERATOR_PASSWORD)
    finally:
        await close_context(context)


async def _seed_company(
    config: DemoConfig, document_store: DocumentStore, *, check_today: bool
) -> None:
    clock = HistoryClock()
    plugins = {
        **PLUGINS,
        "demo-mailbox": backdated_mailbox_plugin(Path(config.folder, MAILBOX_FILE), clock),
    }
    panel, worker = (
        create_context(
            {**variables, **QUIET_VARIABLES},
            extra_plugins=plugins,
            clock=clock,
            queue=RecordingQueue(),
            max_tries=MAX_TRIES,
        )
        for variables in (config.panel_variables, config.worker_variables)
    )
    try:
        owner = await seed_company(panel, worker, clock)
        await write_check_history(panel, worker, document_store, owner, clock)
        if check_today:
            await run_todays_check(worker, clock)
        register_state.save_register_state(document_store, Path(config.folder))
    finally:
        await close_context(worker)
        await close_context(panel)
