"""Requests that a proxy and the router would read differently are refused."""

import pytest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "path", ["//api/user", "/api//user", "///api/user", "//example.test/panel", "/api/user//"]
)
async def test_a_path_with_an_empty_segment_is_no_other_path(anna, path) -> None:
    answer = await anna.browser.get(f"http://127.0.0.1:8000{path}")

    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["//api/admin/users", "/api//admin/users", "//admin"])
async def test_so_it_is_in_the_console(olga, path) -> None:
    answer = await olga.browser.get(f"http://127.0.0.1:8000{path}")

    assert answer.status_code == 404


@pytest.mark.parametrize("hosts", [("127.0.0.1:8000", "evil.test"), ("a.test", "a.test")])
@pytest.mark.parametrize("path", ["/api/user", "/health/live", "/api/admin/users"])
async def test_two_hosts_are_refused(anna, path, hosts) -> None:
    headers = [("Host", host) for host in hosts]
    answer = await anna.browser.get(path, headers=headers)

    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")


async def test_one_host_is_enough(anna) -> None:
    assert (await anna.get("/api/user")).status_code == 200
