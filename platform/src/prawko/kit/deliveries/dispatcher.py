"""Sends due messages through all channels concurrently: a slow carrier delays no other."""

import asyncio
from collections.abc import Awaitable, Iterable
from itertools import chain
from typing import TypeVar, cast

from prawko.hooks.channels import Channel, Medium
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.channel_sender import LEASE, ChannelSender
from prawko.kit.outbox.rendering import RendererRegistry
from prawko.kit.outbox.repository import DeliveryRepository

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
    deadline = utc_now() + LEASE
    while await _count_in_flight(context) and utc_now() < deadline:
        await asyncio.sleep(POLL_SECONDS)
        sent += await deliver_due(context, renderers)
    return sent


async def _count_in_flight(context: AppContext) -> int:
    async with context.database.system() as session:
        return await DeliveryRepository(session).count_in_flight(utc_now())
