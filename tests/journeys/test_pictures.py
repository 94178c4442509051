"""Compares pictures of the panel's screens with those that were looked at, as `make e2e` does.

A picture is stored as a fingerprint: its height, and for each of 16 x 24 cells whether it is
lighter than the next one. `WRITE_PICTURES=1 make e2e` stores the present ones in
`pictures.json`; the pictures themselves are in `screenshots/`.
"""

import io
import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from companies import CompanyClient
from payment_steps import create_subscriber
from PIL import Image
from playwright.sync_api import Page
from test_screens import HEIGHT, SCREENSHOTS, WAIT_UNTIL_STILL

pytestmark = pytest.mark.skipif("ALL_JOURNEYS" not in os.environ, reason="only by make e2e")

STORED = Path(__file__).parent / "pictures.json"
MOMENT = datetime.fromisoformat("2027-03-02T09:00:00+01:00")
SIZES = (0, 12, 300)
WIDTHS = (390, 1280, 1920)
APPEARANCES = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
SCREENS = {
    "dashboard": "/panel", "drivers": "/panel/drivers", "driver": "/panel/drivers/{first}",
    "first-check": "/panel?firstCheck", "subscription": "/panel/subscription",
    "notifications": "/panel/notifications", "account": "/panel/account",
}  # fmt: skip
COLUMNS, ROWS = 16, 24
MIN_STEP = 3  # of 255: what the drawing of letters differs by
MAX_CELLS, MAX_HEIGHT_CHANGE = 12, 0.02
LAST_NAMES = ("Nowak", "Brzęczyszczykiewicz-Rozwadowska", "Ćwikła", "Lis", "Żak", "Ó Súilleabháin")
WITHHELD = {"state": {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"}}


@pytest.fixture(scope="module")
def fleets(product):
    """Companies of each size, checked on a day in the future, so that all dates are the same."""
    with product.clock_set_to(MOMENT.isoformat()):
        companies = {size: create_fleet(product, size) for size in SIZES}
        product.run_daily_check()
        yield companies


def create_fleet(product, size: int) -> CompanyClient:
    company = create_subscriber(product, f"obrazy{size}", drivers=max(size, 15))
    rows = []
    for number in range(size):
        serial = f"OB{size:03}{number:03}"
        name = LAST_NAMES[number % len(LAST_NAMES)]
        soon = {"expiryDate": str((MOMENT + timedelta(days=20)).date())}
        given = {0: WITHHELD, 4: {"expiryDate": "2027-02-22"}, 7: soon}.get(number % 60, {})
        if number % 60 != 9:  # the register has no such document
            product.add_document(serial, firstName="Jan", lastName=name, **given)
        rows.append(f"Jan;{name};{serial}")
    if rows:
        company.post("/api/drivers/import", text="\n".join(rows), rows=[*range(1, size + 1)])
    return company


def fingerprint(picture: bytes) -> dict[str, object]:
    with Image.open(io.BytesIO(picture)) as image:
        small = image.convert("L").resize((COLUMNS + 1, ROWS), Image.Resampling.BOX)
        height = image.height
    lights = small.tobytes()
    bits = [
        lights[row * (COLUMNS + 1) + column] > lights[row * (COLUMNS + 1) + column + 1] + MIN_STEP
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]
    cells = int("".join("01"[bit] for bit in bits), 2)
    return {"height": height, "cells": f"{cells:0{COLUMNS * ROWS // 4}x}"}


def describe_change(before: dict | None, now: dict) -> str | None:
    """Return what differs, or none where the pictures look the same."""
    if before is None:
        return "new"
    if abs(now["height"] - before["height"]) > before["height"] * MAX_HEIGHT_CHANGE:
        return f"{before['height']} pixels high, now {now['height']}"
    cells = (int(before["cells"], 16) ^ int(now["cells"], 16)).bit_count()
    return f"{cells} of {COLUMNS * ROWS} cells differ" if cells > MAX_CELLS else None


def take_pictures(page: Page, name: str) -> dict[str, dict]:
    """Return the fingerprints of an open screen by name, and write its pictures."""
    SCREENSHOTS.mkdir(exist_ok=True)
    taken = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        for appearance, media in APPEARANCES.items():
            page.emulate_media(**media)
            page.evaluate(WAIT_UNTIL_STILL, False)
            key = f"{name}-{width}-{appearance}"
            path = SCREENSHOTS / f"picture-{key}.png"
            modal = page.locator("[data-modal]").count() > 0
            picture = page.screenshot(path=path, full_page=not modal)
            taken[key] = fingerprint(picture)
    return taken


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_looks_as_it_did(open_page, fleets, screen, size) -> None:
    company = fleets[size]
    drivers = company.client.get("/api/drivers").json()
    if "{first}" in SCREENS[screen] and not drivers:
        pytest.skip("no driver to show")
    page = open_page(company=company)
    page.goto(SCREENS[screen].format(first=drivers[0]["id"] if drivers else ""))
    page.wait_for_load_state("networkidle")
    taken = take_pictures(page, f"{screen}-{size}")

    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if "WRITE_PICTURES" in os.environ:
        STORED.write_text(json.dumps({**stored, **taken}, indent=0, sort_keys=True) + "\n")
        return
    changes = {key: describe_change(stored.get(key), now) for key, now in taken.items()}
    assert {key: change for key, change in changes.items() if change} == {}
