"""The panel keeps every promise of its OpenAPI document, whatever it is asked.

Schemathesis makes the questions up: what the schema allows, what it does not, the edges of
both, and verbs that nobody declared. Always the same ones, so that a failure comes again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import httpx
import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck
from schemathesis import checks
from schemathesis.core.failures import FailureGroup
from schemathesis.generation.hypothesis.builder import (
    HypothesisTestConfig,
    HypothesisTestMode,
    create_test,
)
from schemathesis.specs.openapi import checks as of_openapi

from buying import TAKES_MONEY
from prawko.testing.fake_payments import FakeProvider
from prawko.testing.fakes import withheld
from prawko.web.document import openapi_document
from stored import subscribed

pytestmark = pytest.mark.anyio

HERE = "http://127.0.0.1:8000"
SEED = 20261121
EXAMPLES = 5  # beside some twenty edges of every operation
PROMISES = [
    checks.not_a_server_error,
    of_openapi.status_code_conformance,
    of_openapi.content_type_conformance,
    of_openapi.response_headers_conformance,
    of_openapi.response_schema_conformance,
    of_openapi.negative_data_rejection,
    of_openapi.positive_data_acceptance,
    of_openapi.missing_required_header,
    of_openapi.unsupported_method,
    of_openapi.allow_header_conformance,
]

Send = Callable[[requests.PreparedRequest], httpx.Response]


def broken_promises(
    send: Send, *, asks: Callable[[dict[str, Any]], bool], ids: Mapping[str, str]
) -> dict[str, str]:
    """Ask the operations that `asks` chooses; returns what was broken, by operation.

    `ids` are rows that exist: a made-up id would be not found, and nothing behind it be asked.
    """
    config = schemathesis.Config.from_path(Path(__file__).with_name("fuzzing.toml"))
    schema = schemathesis.openapi.from_dict(openapi_document(), config=config)
    found: dict[str, str] = {}

    def ask(case: Any) -> None:
        if case.meta.generation.mode.is_positive:
            case.path_parameters.update(
                {name: id_ for name, id_ in ids.items() if name in case.path_parameters}
            )
        request = requests.Request(**case.as_transport_kwargs(base_url=HERE)).prepare()
        case.validate_response(send(request), checks=PROMISES)

    settings = hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    operations = [result.ok() for result in schema.get_all_operations()]
    for operation in sorted(operations, key=lambda one: one.method == "delete"):  # at the end
        if not asks(operation.definition.raw):
            continue
        modes = [HypothesisTestMode.COVERAGE, HypothesisTestMode.FUZZING]
        how = HypothesisTestConfig(project=schema.config, modes=modes, settings=settings, seed=SEED)
        try:
            create_test(operation=operation, test_func=ask, config=how)()
        except (Exception, FailureGroup) as broken:  # noqa: BLE001 (all are wanted at once)
            found[operation.label] = f"{broken}"
    return found


async def fuzzed(browser: httpx.AsyncClient, **how: Any) -> dict[str, str]:
    """Make the questions up in a thread, and send them from the loop that the panel runs in."""

    async def over(request: requests.PreparedRequest) -> httpx.Response:
        return await browser.request(
            request.method, request.url, headers=dict(request.headers), content=request.body
        )

    def send(request: requests.PreparedRequest) -> httpx.Response:
        return anyio.from_thread.run(over, request)

    return await anyio.to_thread.run_sync(lambda: broken_promises(send, **how))


def is_open(operation: dict[str, Any]) -> bool:
    """Whether a visitor gets further than to the question who it is."""
    return "401" not in operation["responses"] or operation["operationId"] == "login"


@pytest.fixture
def providers() -> tuple[FakeProvider, ...]:
    return (FakeProvider(),)


@pytest.fixture
def variables(variables) -> dict[str, str]:
    """Of a panel that takes money."""
    return {**variables, **TAKES_MONEY}


async def test_a_visitor_finds_nothing(visitor) -> None:
    found = await fuzzed(visitor(), asks=is_open, ids={})

    assert found == {}, "\n".join(found.values())


async def test_anna_finds_nothing(anna, worker, register, run_daily_check) -> None:
    await subscribed(anna, worker, driver_limit=100)
    register.says["AA123456"] = withheld("AA123456")
    driver = await anna.adds("AA123456")
    await run_daily_check()
    [notification] = (await anna.get("/api/notifications")).json()
    ids = {"driver_id": driver, "notification_id": notification["id"]}

    found = await fuzzed(anna.browser, asks=lambda told: told["operationId"] != "logout", ids=ids)

    assert found == {}, "\n".join(found.values())
    assert (await anna.get("/api/user")).status_code == 200, "she was inside until the end"
