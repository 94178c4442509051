"""Requests take no unknown field, and responses contain no data beyond their purpose."""

import json
import re

import pytest

from prawko.kit.http.schemas import RequestModel
from prawko_testing.fakes import withheld_licence
from support.database import execute_as_owner, fetch_rows
from support.openapi import read_operations, read_paths
from support.people import PASSWORD

pytestmark = pytest.mark.anyio

# Bodies of providers, which are verified by a signature instead.
RAW = {"takeEvents"}


def request_schemas() -> dict[str, str]:
    """Operation → the name of its body's schema."""
    schemas = {}
    for verbs in read_paths().values():
        for operation in verbs.values():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                reference = media["schema"].get("$ref", "")
                schemas[operation["operationId"]] = reference.rpartition("/")[2]
    return schemas


def strict_schemas(kind: type[RequestModel] = RequestModel) -> set[str]:
    """The names of all bodies that forbid unknown fields."""
    names = {kind.__name__} if kind.__struct_config__.forbid_unknown_fields else set()
    return names.union(*(strict_schemas(subclass) for subclass in kind.__subclasses__()))


def test_every_body_forbids_unknown_fields() -> None:
    schemas = request_schemas()

    assert len(schemas) >= 10
    assert {
        name: body for name, body in schemas.items() if body not in strict_schemas()
    }.keys() <= RAW


async def test_no_response_contains_a_secret_or_a_foreign_id(
    anna, bartek, celina, worker, logins, register, run_daily_check
) -> None:
    register.answers["AA123456"] = withheld_licence("AA123456")
    driver = await anna.add_driver("AA123456")
    await celina.add_driver("BB222222")
    await run_daily_check()
    account = "SELECT id, password_hash FROM user_account WHERE email_key = $1"
    secrets = [anna.browser.cookies["prawko"], PASSWORD, "argon2", "password", "token", "hash"]
    secrets.append(str(await anna.tenant_id(worker)))
    secrets.append(str(await celina.tenant_id(worker)))
    for person in (anna, bartek, celina):
        row = (await fetch_rows(logins, account, person.email))[0]
        secrets += [row["password_hash"], str(row["id"])]
    checked = 0
    for name, (verb, path) in read_operations().items():
        if verb != "GET" or name in {"isLive", "isReady"}:
            continue
        answer = await anna.get(path.replace("{driver_id}", driver))
        if not answer.headers["content-type"].startswith("application/json"):
            continue
        checked += 1
        text = answer.text.replace("lastVerificationHash", "")
        if name == "listMembers":  # which names the members of her own company by their ids
            own = {one["id"] for one in answer.json()}
            assert len(own) == 2
            text = re.sub("|".join(own), "", text)
        for secret in secrets:
            assert secret.lower() not in text.lower(), (name, secret)
        if name not in {"listAlertRecipients", "listMembers"}:  # which name them
            assert "bartek" not in text
        assert "celina" not in text
    assert checked >= 6


async def test_the_user_response_has_the_keys_of_the_contract_only(anna) -> None:
    user = (await anna.get("/api/user")).json()

    assert set(user) == {
        "email", "phoneNumber", "phoneVerified", "emailNotificationsEnabled",
        "smsNotificationsEnabled", "companyName", "isAdmin", "emailVerified", "createdAt",
        "subscriptions", "language", "clockOffset", "pendingDocuments", "emailProblem",
        "impersonator", "listView", "plannedDrivers", "role", "acts",
    }  # fmt: skip
    assert (user["emailProblem"], user["impersonator"]) == (None, None)
    assert "password" not in json.dumps(user)


@pytest.mark.parametrize(
    ("state", "problem"),
    [("ok", None), ("bounced", "bounced"), ("dropped", "dropped"), ("spam", "spam")],
)
async def test_a_suppressed_address_is_reported_to_its_user(anna, logins, state, problem) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET email_state = $1", state)

    assert (await anna.get("/api/user")).json()["emailProblem"] == problem
