"""The alert rules and the dashboard ask for metrics that exist; the rules fire when they must."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import prawko.apps.web.app
import prawko.apps.web.console_app
import prawko.apps.worker.main  # noqa: F401 (what they import counts)
from prawko.kit.http.request_observer import REQUEST_SECONDS
from prawko.kit.observability.metrics import REGISTRY

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "observability"
TEXTS = ROOT / "platform" / "src" / "prawko" / "texts" / "en"
RULES, RULE_TESTS = FOLDER / "alerts.yml", FOLDER / "alerts_test.yml"
CONFIGURATION = FOLDER / "prometheus.yml"
DASHBOARD = FOLDER / "grafana-dashboard.json"
PROMTOOL = shutil.which("promtool")
NAME = re.compile(r"prawko_[a-z0-9_]+")
INCIDENT = re.compile(r"# incident: (.+)\n +- alert: (\w+)")
ALERT = re.compile(r"alert(?:name)?: (Prawko\w+)")


@pytest.fixture(scope="module")
def known() -> set[str]:
    """The names of all series of panel, console and worker."""
    assert REQUEST_SECONDS in REGISTRY
    names = set()
    for metric in REGISTRY:
        histogram = [f"{metric.name}{end}" for end in ("_bucket", "_count", "_sum")]
        names |= set(histogram) if metric.kind == "histogram" else {metric.name}
    return {name for name in names if name.startswith("prawko_")}


def dashboard_expressions() -> list[str]:
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", ())]


@pytest.mark.parametrize("path", [RULES, RULE_TESTS, DASHBOARD], ids=lambda path: path.name)
def test_every_metric_exists(known, path) -> None:
    used = set(NAME.findall(path.read_text(encoding="utf-8")))

    assert used
    assert used - known == set()


def test_every_metric_is_shown_or_watched(known) -> None:
    shown = set(NAME.findall(" ".join([*dashboard_expressions(), RULES.read_text("utf-8")])))
    bases = {re.sub("_(bucket|count|sum)$", "", name) for name in shown}

    assert {re.sub("_(bucket|count|sum)$", "", name) for name in known} - bases == set()


def test_the_names_say_what_is_measured(known) -> None:
    for metric in REGISTRY:
        if metric.name in known:
            assert metric.name.endswith("_total") is (metric.kind == "counter"), metric.name
            assert metric.help.endswith(".")


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed")
@pytest.mark.parametrize(
    "arguments",
    [("check", "rules", RULES), ("test", "rules", RULE_TESTS), ("check", "config", CONFIGURATION)],
)
def test_promtool_accepts_the_rules(arguments) -> None:
    result = subprocess.run(
        [PROMTOOL, *arguments], cwd=FOLDER, capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed")
def test_promtool_accepts_the_dashboards_expressions(tmp_path) -> None:
    rules = [{"record": f"panel:{n}", "expr": one} for n, one in enumerate(dashboard_expressions())]
    file = tmp_path / "dashboard.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))

    result = subprocess.run(
        [PROMTOOL, "check", "rules", file], capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stdout + result.stderr


def test_every_critical_alert_has_a_test_and_an_action() -> None:
    rules = RULES.read_text("utf-8").split("- alert: ")[1:]
    tested = set(ALERT.findall(RULE_TESTS.read_text("utf-8")))
    critical = {rule.split("\n")[0] for rule in rules if "severity: critical" in rule}

    assert all("action: " in rule and "summary: " in rule for rule in rules)
    assert critical - tested == set()


def test_every_alert_has_an_incident_beside_it_or_the_reason_why_not() -> None:
    texts = tomllib.loads((TEXTS / "mails.toml").read_text("utf-8"))
    kinds = set(texts["operator"]["kinds"])
    rules = RULES.read_text("utf-8")
    incidents = {alert: incident for incident, alert in INCIDENT.findall(rules)}
    without = {alert for alert, incident in incidents.items() if incident.startswith("none: ")}

    assert incidents.keys() == set(ALERT.findall(rules))
    for alert in incidents.keys() - without - {"PrawkoIncidentOpen"}:
        assert set(incidents[alert].split(", ")) <= kinds, alert
    assert without == {
        "PrawkoNobodyWatches", "PrawkoMonitoringSilent", "PrawkoDatabaseMetricsStale",
        "PrawkoRequestsFail", "PrawkoRequestsSlow", "PrawkoPoolExhausted", "PrawkoLogLinesLost",
    }  # fmt: skip
