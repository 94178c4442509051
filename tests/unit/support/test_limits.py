"""The operators' page says how often people may write to us and ask for their data."""

from pathlib import Path

import pytest

from prawko.accounts.throttle import Limit
from prawko.personal_data import limits as archives
from prawko.support import limits as letters

PAGE = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
LIMITS = [
    limit
    for module in (letters, archives)
    for limit in vars(module).values()
    if isinstance(limit, Limit)
]


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.what)
def test_the_page_tells_of_each_limit(limit) -> None:
    minutes = int(limit.window.total_seconds() // 60)
    assert f"| `{limit.what}` | {limit.tries} in {minutes} minutes |" in PAGE
