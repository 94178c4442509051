"""No request waits for a thread: Litestar runs guards and hooks there that are no coroutines."""

import pytest
from litestar.utils import sync

pytestmark = pytest.mark.anyio


async def test_a_request_runs_none_of_our_functions_in_a_thread(
    anna, olga, new_browser, monkeypatch
):
    in_threads = []

    async def run(function, *args, **options):
        in_threads.append(function.__qualname__)
        return function(*args, **options)

    monkeypatch.setattr(sync, "sync_to_thread", run)
    await anna.add_driver("AA123456")

    statuses = [
        (await person.get(path)).status_code
        for person, path in (
            (anna, "/api/drivers"),
            (anna, "/api/user"),
            (anna, "/api/notifications"),
            (anna, "/api/subscription"),
            (anna, "/api/sessions"),
            (olga, "/api/admin/users"),
            (olga, "/api/admin/check-runs"),
            (new_browser(), "/api/drivers"),
        )
    ]

    assert statuses == [200] * 7 + [401]
    assert in_threads == []
