"""The jobs that work on what providers called of, and ask for what they did not call of."""

from prawko.base.jobs import Tools, job
from prawko.payments.buyers import till
from prawko.payments.events import work_on_events
from prawko.payments.rounds import ask_due
from prawko.payments.telling import tell_of_payments


@job(timeout=300)
async def work_on_payments(tools: Tools) -> None:
    """Work on the providers' events; periodic, too, for a lost ring."""
    if tools.plugins.payments and await work_on_events(tools, till.buyers):
        await tell_of_payments(tools)


@job(timeout=300)
async def ask_open_payments(tools: Tools) -> None:
    """Ask for every payment whose time has come: a lost call is made up for by asking."""
    if tools.plugins.payments and await ask_due(tools, till.buyers):
        await tell_of_payments(tools)
