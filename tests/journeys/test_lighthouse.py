"""Lighthouse on the landing page, in `make e2e` on all public pages; `pytest -rP` prints figures.

Its times need an idle machine, so those are in docs/benchmarks.md.
"""

import os

import pytest
from lighthouse import run_lighthouse

PAGES = [("/", "pl"), ("/", "en"), ("/en", "en"), ("/terms", "pl"), ("/privacy", "en")]


@pytest.mark.parametrize(("path", "language"), PAGES if "ALL_JOURNEYS" in os.environ else PAGES[:1])
def test_a_public_page_keeps_the_rules_of_lighthouse(product, path, language):
    report = run_lighthouse(f"{product.url}{path}", language)

    print(report)  # noqa: T201  # shown by -rP
    for category in ("accessibility", "best-practices", "seo"):
        assert report.scores[category] >= 95, report.failures
    assert report.layout_shift == 0
