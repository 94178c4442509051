"""The requests and bytes that a phone with a slow connection loads before it shows a screen.

Asserted closely is what makes a page fast: requests, bytes, and how many wait for one another.
Times depend on the machine, so they have room here; `pytest -rP` prints them, and
docs/benchmarks.md has measured ones.
"""

import random
import sys

import pytest
from companies import CompanyClient
from payment_steps import create_subscriber
from slow_phone import PageLoad, load_page

DRIVERS = 300
LIST_PATH = "/api/drivers?verifications=1&view=summary"
LIST_WIRE_BYTES = 30_000
LOGIN_FORM, SUMMARY, ROW = "input[type=email]", "main section[aria-label]", "main tbody tr"
# Twice and a half of what is wanted of an idle machine.
FIRST_PAINT_MILLISECONDS, LIST_MILLISECONDS = 5_000, 9_000

FIRST_NAMES = ["Jan", "Anna", "Piotr", "Ewa", "Łukasz", "Zofia", "Mateusz", "Świętosława"]
STEMS = ["Kowal", "Nowak", "Wiśniew", "Wójcik", "Zieliń", "Szymań", "Dąbrow", "Jankow", "Mazur"]
ENDINGS = ["", "ski", "ska", "czyk", "owicz", "ewicz", "ak", "uk"]
CITIES = ["Miasta Łodzi", "m.st. Warszawy", "Miasta Krakowa", "Miasta Poznania"]


@pytest.fixture(scope="module")
def fleet(product) -> CompanyClient:
    """A company with 300 drivers of different names and documents, all of them checked."""
    company = create_subscriber(product, "wielka", drivers=DRIVERS)
    dice = random.Random(DRIVERS)
    for number in range(DRIVERS):
        first, last = dice.choice(FIRST_NAMES), dice.choice(STEMS) + dice.choice(ENDINGS)
        serial = f"FP{dice.randrange(1000):03}{number:03}"
        expiry = f"{dice.randrange(2030, 2041)}-{dice.randrange(1, 13):02}-11"
        product.add_document(
            serial, firstName=first, lastName=last, expiryDate=expiry,
            state={"kod": "DICT003_WYD", "wartosc": "Wydany"},
            issuingAuthority=f"Prezydent {dice.choice(CITIES)}",
            categories=[{"kategoria": "B", "dataWaznosci": expiry},
                        {"kategoria": "C", "dataWaznosci": f"2030-0{dice.randrange(1, 10)}-11"},
                        {"kategoria": "AM"}],
        )  # fmt: skip
        company.add_driver(first, last, serial)
    product.run_daily_check()
    return company


def measure(chromium, product, path: str, awaited: str, company=None) -> PageLoad:
    load = load_page(chromium, product.url + path, awaited, company)
    sys.stdout.write(f"{path}: {load}\n")
    return load


def test_login_is_drawn_before_its_scripts(chromium, product) -> None:
    load = measure(chromium, product, "/auth/login", LOGIN_FORM)

    assert load.first_paint < min(FIRST_PAINT_MILLISECONDS, load.shown)
    assert len(load.scripts) <= 16
    assert load.wire_bytes < 280_000
    assert load.chain_length <= 3


def test_the_panel_is_drawn_before_its_scripts(chromium, product, fleet) -> None:
    load = measure(chromium, product, "/panel", SUMMARY, fleet)

    assert load.first_paint < min(FIRST_PAINT_MILLISECONDS, load.shown)
    assert len(load.scripts) <= 16
    assert load.chain_length <= 4


def test_a_list_of_300_drivers_is_small_and_requested_once(chromium, product, fleet) -> None:
    load = measure(chromium, product, "/panel/drivers", ROW, fleet)

    assert load.shown < LIST_MILLISECONDS
    (drivers,) = [request for request in load.requests if request.path.startswith("/api/drivers")]
    assert drivers.path == LIST_PATH
    assert drivers.wire_bytes <= LIST_WIRE_BYTES
    assert [request.path for request in load.requests].count("/api/user") == 1
    assert load.wire_bytes < 320_000
    assert load.chain_length <= 4
    # Its page requests it, while scripts are still loading; none of them is the landing page's.
    assert drivers.started < max(script.ended for script in load.scripts if script.ended)
    assert not [script.path for script in load.scripts if "landing" in script.path]
