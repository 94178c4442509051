"""The documentation lists the rate limits of support, imports, exports and invitations."""

from pathlib import Path

import pytest

from prawko.base.rate_limit import RateLimit
from prawko.drivers import rate_limits as tables
from prawko.notifications.recipients import rate_limits as invitations
from prawko.personal_data import rate_limits as archives
from prawko.support import rate_limits as letters

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
LIMITS = [
    limit
    for module in (letters, archives, tables, invitations)
    for limit in vars(module).values()
    if isinstance(limit, RateLimit)
]


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.scope)
def test_the_documentation_has_each_limit(limit) -> None:
    minutes = int(limit.window.total_seconds() // 60)
    assert f"| `{limit.scope}` | {limit.max_tries} in {minutes} minutes |" in PAGE
