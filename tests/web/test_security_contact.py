"""`/.well-known/`."""

import dataclasses
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from prawko.apps.web.app import create_app

pytestmark = pytest.mark.anyio

PATH = "/.well-known/security.txt"


def browser_of(context, browser_for_app, folder, **settings):
    (folder / "__spa-fallback.html").write_text("<h1>Panel</h1>")
    settings = msgspec.structs.replace(context.settings, **settings)
    changed = dataclasses.replace(context, settings=settings)
    return browser_for_app(create_app(changed, frontend_dir=folder))


async def test_security_txt_names_contact_site_and_expiry(
    context, browser_for_app, tmp_path
) -> None:
    browser = browser_of(
        context, browser_for_app, tmp_path,
        operator_contact_email="kontakt@acme.test", base_url="https://acme.test",
    )  # fmt: skip
    answer = await browser.get(PATH)
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    expires = datetime.fromisoformat(fields.pop("Expires"))

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert fields == {
        "Contact": "mailto:kontakt@acme.test",
        "Preferred-Languages": "pl, en",
        "Canonical": f"https://acme.test{PATH}",
    }
    assert timedelta(days=300) < expires - datetime.now(UTC) < timedelta(days=365)


async def test_security_txt_never_expires_however_long_the_process_runs(
    context, browser_for_app, tmp_path, monkeypatch
) -> None:
    browser = browser_of(context, browser_for_app, tmp_path, operator_contact_email="a@acme.test")
    later = datetime.now(UTC) + timedelta(days=900)
    monkeypatch.setattr("prawko.kit.http.security_contact.utc_now", lambda: later)
    [expires] = [
        line.partition(": ")[2]
        for line in (await browser.get(PATH)).text.splitlines()
        if line.startswith("Expires")
    ]

    assert datetime.fromisoformat(expires) > later


async def test_without_a_contact_there_is_none(context, browser_for_app, tmp_path) -> None:
    browser = browser_of(context, browser_for_app, tmp_path, operator_contact_email="")

    assert (await browser.get(PATH)).status_code == 404


@pytest.mark.parametrize(
    "path", ["/.well-known", "/.well-known/", "/.well-known/change-password", "/.well-known/a/b"]
)
async def test_other_well_known_paths_are_not_pages(
    context, browser_for_app, tmp_path, path
) -> None:
    browser = browser_of(context, browser_for_app, tmp_path, operator_contact_email="a@acme.test")
    answer = await browser.get(path)

    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
