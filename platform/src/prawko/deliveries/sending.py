"""Sends what is due, mails and SMS side by side: a slow carrier of one holds up no other."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.deliveries.composing import Correspondence
from prawko.deliveries.lane import LEASE, Lane
from prawko.deliveries.repository import DeliveryRepository
from prawko.hooks.channels import Channel, Medium

POLL_SECONDS = 0.05

Enough = Callable[[], bool]


def carriers(tools: Tools) -> dict[Medium, Channel]:
    """The channel that the settings chose for each medium, where they chose one."""
    chosen = {
        Medium.EMAIL: tools.settings.mail_channel,
        Medium.SMS: tools.settings.sms_channel,
    }
    found = {medium: tools.plugins.channel(medium, name) for medium, name in chosen.items()}
    return {medium: channel for medium, channel in found.items() if channel is not None}


async def deliver_due(
    tools: Tools, correspondence: Correspondence, *, enough: Enough = lambda: False
) -> int:
    """Send until nothing is due, or `enough` says so; returns how many were sent."""
    working = list(carriers(tools).values())
    sent = 0
    while working:
        lanes = [Lane(tools, correspondence, channel) for channel in working]
        # Not a task group: what breaks one lane must not cut off what another is handing over.
        counts = await asyncio.gather(*(lane.run(enough) for lane in lanes), return_exceptions=True)
        for count in counts:
            if isinstance(count, BaseException):
                raise count
            sent += count
        # A carrier that refused our account left a mail to the operators for another to take.
        well = [lane.channel for lane in lanes if not lane.refused]
        working = well if len(well) < len(working) else []
    return sent


async def deliver_all(tools: Tools, correspondence: Correspondence) -> int:
    """Like `deliver_due`, and wait for what other processes are sending at this moment."""
    sent = await deliver_due(tools, correspondence)
    give_up = machine_now() + LEASE
    while await _in_flight(tools) and machine_now() < give_up:
        await asyncio.sleep(POLL_SECONDS)
        sent += await deliver_due(tools, correspondence)
    return sent


async def next_due(tools: Tools) -> datetime | None:
    """When the next message may be tried, by the machine's clock; None when none waits."""
    media = [medium.value for medium in carriers(tools)]
    async with tools.database.system() as session:
        return await DeliveryRepository(session).next_due(
            media, machine_now(), tools.clock.offset()
        )


async def _in_flight(tools: Tools) -> int:
    async with tools.database.system() as session:
        return await DeliveryRepository(session).in_flight(machine_now())
