"""Nobody writes more than a call is for, and no answer tells more than it is for."""

import json

import pytest

from persons import PASSWORD
from prawko.base.schemas import Incoming
from prawko.testing.fakes import withheld
from prawko.web.document import openapi_document
from stored import look, write

pytestmark = pytest.mark.anyio

# Bodies of providers: read as they come, proven by a signature instead.
RAW = {"takeEvents"}


def bodies() -> dict[str, str]:
    """Operation → the name of its body's schema."""
    found = {}
    for verbs in openapi_document()["paths"].values():
        for operation in verbs.values():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                reference = media["schema"].get("$ref", "")
                found[operation["operationId"]] = reference.rpartition("/")[2]
    return found


def closed(kind: type[Incoming] = Incoming) -> set[str]:
    """The names of all bodies that take no field they do not name."""
    found = {kind.__name__} if kind.__struct_config__.forbid_unknown_fields else set()
    return found.union(*(closed(below) for below in kind.__subclasses__()))


def operations() -> list[tuple[str, str, str]]:
    return [
        (operation["operationId"], verb, path)
        for path, verbs in openapi_document()["paths"].items()
        for verb, operation in verbs.items()
    ]


def test_every_body_is_closed() -> None:
    found = bodies()

    assert len(found) >= 10
    assert {name: body for name, body in found.items() if body not in closed()}.keys() <= RAW


async def test_no_answer_tells_a_secret_or_an_id_of_somebody_else(
    anna, bartek, celina, worker, logins, register, run_daily_check
) -> None:
    register.says["AA123456"] = withheld("AA123456")
    driver = await anna.adds("AA123456")
    await celina.adds("BB222222")
    await run_daily_check()
    account = "SELECT id, password_hash FROM user_account WHERE email_key = $1"
    secrets = [anna.browser.cookies["prawko"], PASSWORD, "argon2", "password", "token", "hash"]
    secrets.append(str(await anna.tenant_id(worker)))
    secrets.append(str(await celina.tenant_id(worker)))
    for person in (anna, bartek, celina):
        row = (await look(logins, account, person.email))[0]
        secrets += [row["password_hash"], str(row["id"])]
    told = 0
    for name, verb, path in operations():
        if verb != "get" or name in {"isLive", "isReady"}:
            continue
        answer = await anna.get(path.replace("{driver_id}", driver))
        if not answer.headers["content-type"].startswith("application/json"):
            continue
        told += 1
        text = answer.text.replace("lastVerificationHash", "")
        for secret in secrets:
            assert secret.lower() not in text.lower(), (name, secret)
        assert "bartek" not in text
        assert "celina" not in text
    assert told >= 6


async def test_the_user_sees_the_keys_of_the_contract_and_no_other(anna) -> None:
    user = (await anna.get("/api/user")).json()

    assert set(user) == {
        "email", "phoneNumber", "phoneVerified", "emailNotificationsEnabled",
        "smsNotificationsEnabled", "companyName", "isAdmin", "emailVerified", "createdAt",
        "subscriptions", "language", "clockOffset", "termsVersion", "emailProblem",
    }  # fmt: skip
    assert user["emailProblem"] is None
    assert "password" not in json.dumps(user)


@pytest.mark.parametrize(
    ("state", "problem"),
    [("ok", None), ("bounced", "bounced"), ("dropped", "dropped"), ("spam", "spam")],
)
async def test_an_address_that_was_switched_off_is_said_so(anna, logins, state, problem) -> None:
    await write(logins, "UPDATE user_account SET email_state = $1", state)

    assert (await anna.get("/api/user")).json()["emailProblem"] == problem
