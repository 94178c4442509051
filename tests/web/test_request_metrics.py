"""Metrics have route templates, states and plugins as labels: no person, company or path."""

import re
from uuid import UUID

import pytest

import prawko.apps.worker.main  # noqa: F401 (its metrics are walked, too)
from prawko.apps.composition_root import create_renderer_registry
from prawko.apps.worker import database_metrics
from prawko.apps.worker.database_metrics import refresh_database_metrics
from prawko.kit.http.request_observer import REQUEST_SECONDS
from prawko.kit.incidents.heartbeats import HeartbeatKind, record_heartbeat
from prawko.kit.incidents.service import open_incident
from prawko.kit.observability.metrics import take_snapshots
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.monitoring import check_health
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

LABEL = re.compile(r"[A-Za-z0-9_./{}:+-]{1,80}")
DIGITS = re.compile(r"[0-9]{4}")


async def test_requests_are_counted_by_template(anna, new_browser) -> None:
    def count(*labels: str) -> float:
        return REQUEST_SECONDS.read_value(*labels)

    driver = ("/api/drivers/{driver_id}", "DELETE", "404")
    unmatched = ("unmatched", "GET", "404")
    before = count(*driver), count(*unmatched)

    await anna.delete("/api/drivers/01890a5d-ac96-774b-bcce-b302099a8057")
    await new_browser().get("/api/nothing/of/this")

    assert (count(*driver), count(*unmatched)) == (before[0] + 1, before[1] + 1), [
        labels for labels, _ in REQUEST_SECONDS.snapshot().series
    ]


def read_series() -> dict[tuple[str, ...], list[float]]:
    """Return what was counted so far, by metric and labels."""
    return {
        (metric.name, *labels): values
        for metric in take_snapshots()
        for labels, values in metric.series
    }


async def test_no_label_tells_of_a_person_company_or_path(
    anna, bartek, celina, worker, console, new_browser
) -> None:
    before = read_series()  # tests count, too, and have words of their own
    number = "AA123456"
    await anna.add_driver(number, "Jan", "Żółć")
    await celina.add_driver("BB654321", "Ewa", "Nowak")
    for person in (anna, bartek, celina):
        await person.get("/api/drivers")
        await person.get("/api/subscription")
    await new_browser().get("/api/anna@acme.test/../48600100200")
    await new_browser().get(f"/api/drivers/{number}")
    await new_browser().request("ANNA", "/api/user")
    await new_browser().post("/api/webhooks/anna@acme.test", json={})
    await run_daily_check(worker, create_renderer_registry(worker))
    await deliver_outbox(worker)
    async with worker.database.system() as session:
        await open_incident(
            session, kind="run_late", key="anna@acme.test", detail="x", now=worker.clock.now()
        )
        await record_heartbeat(session, HeartbeatKind.WORKER, "0" * 32)
    await check_health(worker)
    await refresh_database_metrics(worker)

    people = ("anna", "acme", "bartek", "celina", "rival", "jan", "nowak", number.lower())
    counted = [series for series, values in read_series().items() if before.get(series) != values]
    values = {value for name, *labels in counted if name.startswith("prawko_") for value in labels}
    assert len(values) > 20
    for value in values:
        assert LABEL.fullmatch(value), value
        assert not any(word in value.lower() for word in people), value
        assert not DIGITS.search(value), value
        with pytest.raises(ValueError, match="badly formed"):
            UUID(value)


async def test_the_database_is_read_into_gauges(anna, worker, fleet) -> None:
    await anna.add_driver("AA123456")
    async with worker.database.system() as session:
        await open_incident(
            session, kind="backup_failed", key="x", detail="", now=worker.clock.now()
        )
        await record_heartbeat(session, HeartbeatKind.WORKER, "one")
    await check_health(worker)

    await refresh_database_metrics(worker)

    assert database_metrics.INCIDENTS.read_value("backup_failed") == 1
    assert database_metrics.WORKERS.read_value() == 1
    assert database_metrics.PENDING.read_value("email") >= 1
    assert 0 <= database_metrics.OLDEST_PENDING.read_value("email") < 60
    assert 0 <= database_metrics.HEARTBEAT_AGE.read_value("monitoring") < 60
