"""A company to look at: its people, drivers, and thirty days of the daily check; an operator."""

import asyncio
from pathlib import Path

from prawko.accounts.operators import make_operator
from prawko.base.queue import SilentQueue
from prawko.base.start import close_tools, open_tools
from prawko.worker.wiring import wire
from prawko_demo import documents
from prawko_demo.account import OPERATOR_EMAIL, OPERATOR_PASSWORD
from prawko_demo.data.founding import found_company
from prawko_demo.data.history import check_this_morning, write_days
from prawko_demo.data.past import PastClock, past_mails
from prawko_demo.register.documents import Shelf
from prawko_demo.stage import MAILBOX_FILE, PLUGINS, Stage

QUIET = {"LOG_LEVEL": "ERROR"}  # the terminal is a person's


def write_history(stage: Stage, shelf: Shelf, owner_url: str, *, up_to_today: bool) -> None:
    """Write the company into an empty database. Blocks; the simulator serves from `shelf`.

    `owner_url`: nobody else may make an operator. `up_to_today`: the check of this morning is
    done as well, if its hour has passed.
    """
    asyncio.run(_write(stage, shelf, up_to_today=up_to_today))
    asyncio.run(_make_operator({**stage.panel, **QUIET, "DATABASE_URL": owner_url}))


async def _make_operator(variables: dict[str, str]) -> None:
    tools = open_tools(variables, extra_plugins=PLUGINS, queue=SilentQueue())
    try:
        await make_operator(tools, OPERATOR_EMAIL, OPERATOR_PASSWORD)
    finally:
        await close_tools(tools)


async def _write(stage: Stage, shelf: Shelf, *, up_to_today: bool) -> None:
    clock = PastClock()
    plugins = {**PLUGINS, "demo-mailbox": past_mails(Path(stage.folder, MAILBOX_FILE), clock)}
    panel, worker = (
        open_tools({**variables, **QUIET}, extra_plugins=plugins, clock=clock, queue=SilentQueue())
        for variables in (stage.panel, stage.worker)
    )
    try:
        wire(worker)
        tenant_id, user_id = await found_company(panel, worker, clock)
        await write_days(panel, worker, shelf, tenant_id, user_id, clock)
        if up_to_today:
            await check_this_morning(worker, clock)
        documents.remember(shelf, Path(stage.folder))
    finally:
        await close_tools(worker)
        await close_tools(panel)
