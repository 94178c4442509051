"""Operators learn that a provider's methods cannot be asked for."""

import pytest

from prawko.hooks.environment import Environment
from prawko.hooks.payments import Money, PaymentMethod
from prawko.kit.incidents.plugin_faults import record_success
from prawko.kit.providers.experience import FAULTS_UNTIL_REST
from prawko.payments.available_methods import MethodCache
from prawko.payments.provider_calls import get_provider_experience
from support.database import fetch_rows

NOTHING = Environment({})


@pytest.mark.anyio
async def test_methods_that_cannot_be_asked_for_are_an_incident_of_the_panel(
    context, worker, fake, queue, logins, caplog
) -> None:
    async def run(job, **arguments: object) -> None:
        await job(worker, **arguments)

    async def fail(amount: Money) -> frozenset[PaymentMethod]:
        raise TypeError(amount)

    async def incidents() -> list[tuple[str, str, bool]]:
        rows = await fetch_rows(logins, "SELECT key, detail, closed_at FROM incident")
        return [(row["key"], row["detail"], row["closed_at"] is None) for row in rows]

    queue.handler, working, fake.available_methods = run, fake.available_methods, fail
    for grosze in range(1, FAULTS_UNTIL_REST + 1):
        await MethodCache().methods_by_provider(context, [fake], Money(grosze))
    line = fail.__code__.co_firstlineno + 1
    reason = f"TypeError in fail, line {line}"
    logs = [record.msg for record in caplog.records]
    assert reason in {log["reason"] for log in logs if log["event"] == "methods_unavailable"}
    key = "payment provider fake"
    assert await incidents() == [(key, f"{key}: {reason}", True)]

    fake.available_methods = working
    await record_success(context, get_provider_experience(context, fake))
    assert await incidents() == [(key, f"{key}: {reason}", False)]
