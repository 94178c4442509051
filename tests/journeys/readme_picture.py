"""Takes the picture of README.md from a running demo, as `make picture` does.

python tests/journeys/readme_picture.py http://127.0.0.1:8000
"""

import sys
from pathlib import Path

import httpx
from chromium import launch_options
from companies import DEMO_LOGIN, CompanyClient
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[2] / "docs" / "dashboard.png"
SIZE = {"width": 1280, "height": 740}


def take_picture(url: str) -> None:
    """Photograph the demo company's dashboard."""
    email, password = DEMO_LOGIN
    company = CompanyClient(email, httpx.Client(base_url=url, trust_env=False))
    company.post("/api/login", email=email, password=password)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context(base_url=url, viewport=SIZE, locale="pl-PL")
        company.sign_in_browser(context)
        page = context.new_page()
        page.goto("/panel")
        page.get_by_role("heading", name="WYKRYTO KIEROWCĘ").wait_for()
        page.wait_for_load_state("networkidle")
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    take_picture(sys.argv[1])
