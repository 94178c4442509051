"""The panel conforms to its OpenAPI document, for valid and invalid requests.

Schemathesis generates the requests: what the schema allows, what it does not, the edges of
both, and undeclared methods. The seed is fixed, so that a failure is reproducible.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import httpx
import hypothesis
import msgspec
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

from prawko.accounts.email_address import OPENAPI_PATTERN
from prawko.apps.web.openapi import build_openapi_document
from prawko_testing.fakes import withheld_licence
from support.database import insert_subscription
from support.email_addresses import email_addresses
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)

pytestmark = pytest.mark.anyio

schemathesis.openapi.format("email", email_addresses())

HERE = "http://127.0.0.1:8000"
SEED = 20261121
EXAMPLES = 5  # beside some twenty edge cases of every operation
CHECKS = [
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


def document_with_email_format() -> dict[str, Any]:
    """The document with ordinary addresses for the pattern, which fits all, and some too many."""
    pattern = b'"pattern":' + msgspec.json.encode(OPENAPI_PATTERN)
    text = msgspec.json.encode(build_openapi_document())
    assert pattern in text
    return msgspec.json.decode(text.replace(pattern, b'"format":"email"'))


def find_violations(
    send: Send, *, selects: Callable[[dict[str, Any]], bool], ids: Mapping[str, str]
) -> dict[str, str]:
    """Call the operations that `selects` accepts; returns the violations by operation.

    `ids` are ids of existing rows: with a generated one, every call would end in a 404.
    """
    config = schemathesis.Config.from_path(Path(__file__).with_name("fuzzing.toml"))
    schema = schemathesis.openapi.from_dict(document_with_email_format(), config=config)
    violations: dict[str, str] = {}

    def check(case: Any) -> None:
        if case.meta.generation.mode.is_positive:
            case.path_parameters.update(
                {name: id_ for name, id_ in ids.items() if name in case.path_parameters}
            )
        request = requests.Request(**case.as_transport_kwargs(base_url=HERE)).prepare()
        case.validate_response(send(request), checks=CHECKS)

    settings = hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    operations = [result.ok() for result in schema.get_all_operations()]
    for operation in sorted(operations, key=lambda operation: operation.method == "delete"):  # last
        if not selects(operation.definition.raw):
            continue
        modes = [HypothesisTestMode.COVERAGE, HypothesisTestMode.FUZZING]
        test_config = HypothesisTestConfig(
            project=schema.config, modes=modes, settings=settings, seed=SEED
        )
        try:
            create_test(operation=operation, test_func=check, config=test_config)()
        except (Exception, FailureGroup) as failure:  # noqa: BLE001 (all failures are reported together)
            violations[operation.label] = f"{failure}"
    return violations


async def fuzz(browser: httpx.AsyncClient, **options: Any) -> dict[str, str]:
    """Generate requests in a thread, and send them from the event loop of the panel."""

    async def forward(request: requests.PreparedRequest) -> httpx.Response:
        return await browser.request(
            request.method, request.url, headers=dict(request.headers), content=request.body
        )

    def send(request: requests.PreparedRequest) -> httpx.Response:
        return anyio.from_thread.run(forward, request)

    return await anyio.to_thread.run_sync(lambda: find_violations(send, **options))


def is_public(operation: dict[str, Any]) -> bool:
    """Whether a visitor may call the operation."""
    return "401" not in operation["responses"] or operation["operationId"] == "login"


async def test_a_visitor_finds_no_violation(new_browser) -> None:
    violations = await fuzz(new_browser(), selects=is_public, ids={})

    assert violations == {}, "\n".join(violations.values())


async def test_an_owner_finds_no_violation(anna, worker, register, run_daily_check) -> None:
    await insert_subscription(anna, worker, driver_limit=100)
    register.answers["AA123456"] = withheld_licence("AA123456")
    driver = await anna.add_driver("AA123456")
    await run_daily_check()
    [notification] = (await anna.get("/api/notifications")).json()
    ids = {"driver_id": driver, "notification_id": notification["id"]}

    violations = await fuzz(
        anna.browser, selects=lambda operation: operation["operationId"] != "logout", ids=ids
    )

    assert violations == {}, "\n".join(violations.values())
    assert (await anna.get("/api/user")).status_code == 200, "she was signed in until the end"
