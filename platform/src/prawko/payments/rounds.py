"""Goes round the open payments and asks for each: calls get lost, and some are never made.

Each payment is taken with a lease, and no transaction is open while its provider is asked.
"""

import asyncio
from datetime import timedelta

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.payments.asking import NoAnswerError, last_word, truth
from prawko.payments.buyers import Buyers
from prawko.payments.charging import Charging
from prawko.payments.pauses import paused
from prawko.payments.recording import Recorder
from prawko.payments.repository import PaymentRepository, Stored
from prawko.payments.settling import ASK_EVERY, UNKNOWN_FOR, State, is_over

log = logs.logger(__name__)

AT_ONCE = 8
LEASE = timedelta(minutes=3)  # longer than two questions that meet the deadline, and the writing
FIRST_WAIT = timedelta(minutes=1)


async def ask_due(tools: Tools, buyers: Buyers) -> int:
    """Ask for what is due; returns how many payments were looked at.

    A provider that does not answer is left alone for the rest of this run.
    """
    silent: set[str] = set()
    asked = 0
    while not tools.stopping:
        async with tools.database.system() as session:
            resting = await paused(session, machine_now())
            awake = tools.plugins.payments.keys() - resting - silent
            due = await PaymentRepository(session).claim(
                awake,
                most=AT_ONCE,
                now=machine_now(),
                product_now=tools.clock.now(),
                lease=LEASE,
            )
        if not due:
            break
        asked += len(due)
        answered = await asyncio.gather(*(_ask(tools, buyers, payment) for payment in due))
        silent |= {one.provider for one, said in zip(due, answered, strict=True) if not said}
    return asked


async def _ask(tools: Tools, buyers: Buyers, payment: Stored) -> bool:
    """Ask for one payment; False when its provider did not answer. Never raises.

    What cannot be put off is due again when its lease ends.
    """
    try:
        await _settle(tools, buyers, payment)
    except NoAnswerError as error:
        answered, asked_for = error.bug, error.wait
    except Exception:  # the edge of a job: one payment must not hold up the others
        log.exception("payment_not_settled", payment_id=str(payment.id))
        answered, asked_for = True, FIRST_WAIT
    else:
        return True
    wait = max(min(FIRST_WAIT * 2 ** min(payment.attempts - 1, 10), ASK_EVERY), asked_for)
    try:
        async with tools.database.system() as session:
            await PaymentRepository(session).put_off(payment, tools.clock.now() + wait)
    except Exception:
        log.exception("payment_not_put_off", payment_id=str(payment.id))
    return answered


async def _settle(tools: Tools, buyers: Buyers, payment: Stored) -> None:
    young = tools.clock.now() < payment.created_at + UNKNOWN_FOR
    if payment.state is State.STARTING and payment.mandate_id is not None and young:
        # Whoever was to charge it died, or heard nothing; under one key it is charged once.
        await Charging(tools, buyers).charge(payment)
        return
    provider = tools.plugins.payments[payment.provider]
    over = is_over(payment.state, payment.open_until, tools.clock.now())
    said = await (last_word if over else truth)(tools, provider, payment)
    async with tools.database.tenant(payment.tenant_id) as session:
        await Recorder(tools, session, buyers).record(payment, said, in_turn=True)
