"""The modules that run in five flows of the product are no more than their limits.

`FLOW_FIGURES` names a file for the figures, of which `python -m tests.architecture` prints them.
"""

import json
import os
from collections.abc import Collection
from pathlib import Path

import pytest

from architecture.flows import record_modules
from architecture.measures import Measure, read_limits
from prawko_testing.fakes import withheld_licence
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.orders import OrderScenario
from support.people import Person

pytestmark = pytest.mark.anyio


def assert_within_limit(flow: str, modules: Collection[str]) -> None:
    measure = Measure(f"flow: {flow}", len(modules), read_limits()[f"flow: {flow}"])
    if figures := os.environ.get("FLOW_FIGURES"):
        with Path(figures).open("a", encoding="utf-8") as file:
            file.write(json.dumps([measure.name, measure.value]) + "\n")
    assert measure.holds, f"{measure}\n" + "\n".join(sorted(modules))


async def test_add_a_driver_and_get_an_alert_by_mail(
    anna, register, mailbox, run_daily_check
) -> None:
    register.answers["AA123456"] = withheld_licence("AA123456")

    with record_modules() as modules:
        await anna.add_driver("AA123456")
        await run_daily_check()

    assert (
        mailbox.messages_to(anna.email)[-1].subject
        == "Nie może jechać. Zatrzymane uprawnienia: Jan Kowalski"
    )
    assert_within_limit("add a driver → alert mail", modules)


async def test_a_nightly_run(anna, register, run_daily_check, clock) -> None:
    await anna.add_driver("AA123456")
    await run_daily_check()
    clock.forward(days=1)

    with record_modules() as modules:
        report = await run_daily_check()

    assert report.valid == 1
    assert_within_limit("nightly run", modules)


async def test_check_out_and_get_a_subscription(anna, worker, logins, fake) -> None:
    scenario = OrderScenario(worker, logins, fake)

    with record_modules() as modules:
        await scenario.buy(anna, 20)

    assert (await anna.get("/api/subscription")).json()["status"] == "active"
    assert_within_limit("checkout → activation", modules)


async def test_sign_up_and_sign_in(new_browser, worker, mailbox) -> None:
    person = Person("dorota@nowa.test", new_browser())

    with record_modules() as modules:
        await person.sign_up()
        await person.verify_email(worker, mailbox)
        await person.sign_in()

    assert_within_limit("sign-up → login", modules)


async def test_an_act_in_the_console(anna, olga, worker) -> None:
    company = await anna.tenant_id(worker)
    await olga.get(f"/api/admin/companies/{company}")  # the first call creates the application

    with record_modules() as modules:
        answer = await olga.post(
            f"/api/admin/companies/{company}/suspend", {"reason": "zaległa płatność"}
        )

    assert answer.status_code == 200, answer.text
    assert_within_limit("console act", modules)
