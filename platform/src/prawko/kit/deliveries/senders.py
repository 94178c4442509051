"""The senders of all channels, at the same time: a slow carrier delays no other."""

import asyncio
from collections.abc import Awaitable, Iterable
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import TypeVar, cast

from prawko.hooks.channels import Channel, Medium
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.channel_sender import LONGEST_LEASE, ChannelSender
from prawko.kit.outbox.rendering import RendererRegistry
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.single_flight import SingleFlights

MAX_RUN_TIME = timedelta(minutes=1)
POLL_SECONDS = 0.05

T = TypeVar("T")


def configured_channels(context: AppContext) -> dict[Medium, tuple[Channel, ...]]:
    """Return the configured channels of each medium that has any, in order of preference."""
    channels = {
        medium: context.plugins.get_channels(medium, context.settings.channel_names(medium))
        for medium in Medium
    }
    return {medium: found for medium, found in channels.items() if found}


async def run_to_end(runs: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of runs at the same time; the first failure is raised after all ended.

    No task group: a failure of one sender must not cancel another in the middle of a call.
    """
    results = await asyncio.gather(*runs, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return cast("list[T]", results)


class ChannelSenders:
    """The senders of all channels; each runs at most once at a time in a process.

    Jobs are enqueued often, and a slow carrier must not occupy every slot of the worker. A job
    that comes while a channel sends does not wait for it: the other channels send at once.
    """

    def __init__(self) -> None:
        self._flights = SingleFlights()

    async def run(self, context: AppContext, renderers: RendererRegistry) -> bool:
        """Send for at most MAX_RUN_TIME; True when more may be due."""
        deadline = utc_now() + MAX_RUN_TIME
        channels = chain.from_iterable(configured_channels(context).values())
        sends = (
            (channel.name, partial(_send, context, renderers, channel, deadline))
            for channel in channels
        )
        return any(await run_to_end(self._flights.run(name, send) for name, send in sends))


async def _send(
    context: AppContext, renderers: RendererRegistry, channel: Channel, deadline: datetime
) -> bool:
    """Send through one channel; True when the deadline is over."""
    if context.must_stop():
        return False
    await ChannelSender(context, renderers, channel).run(lambda: utc_now() > deadline)
    return utc_now() > deadline


async def deliver_due(context: AppContext, renderers: RendererRegistry) -> int:
    """Send until nothing is due; returns how many were sent."""
    channels = list(chain.from_iterable(configured_channels(context).values()))
    sent = 0
    while channels:
        senders = [ChannelSender(context, renderers, channel) for channel in channels]
        sent += sum(await run_to_end(sender.run(lambda: False) for sender in senders))
        # A rejected account enqueued a mail to the operators, which another channel may send.
        healthy = [sender.channel for sender in senders if not sender.account_rejected]
        channels = healthy if len(healthy) < len(channels) else []
    return sent


async def deliver_all(context: AppContext, renderers: RendererRegistry) -> int:
    """Like `deliver_due`, and wait for the messages that other processes are sending."""
    sent = await deliver_due(context, renderers)
    deadline = utc_now() + LONGEST_LEASE
    while await _count_in_flight(context) and utc_now() < deadline:
        await asyncio.sleep(POLL_SECONDS)
        sent += await deliver_due(context, renderers)
    return sent


async def _count_in_flight(context: AppContext) -> int:
    async with context.database.system() as session:
        return await DeliveryRepository(session).count_in_flight(utc_now())
