"""Lighthouse on the public pages. Its times need an idle machine: `tests.bench.public_pages`."""

import pytest
from lighthouse import run_lighthouse


@pytest.mark.parametrize(("path", "language"), [("/", "pl"), ("/en", "en")])
def test_a_public_page_keeps_the_rules_of_lighthouse(product, path, language):
    report = run_lighthouse(f"{product.url}{path}", language)

    for category in ("accessibility", "best-practices", "seo"):
        assert report.scores[category] >= 95, report.failures
    assert report.layout_shift == 0
