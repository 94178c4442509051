"""Runs Lighthouse with the journeys' browser: a phone on slow 4G, simulated."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import msgspec
from chromium import HERE, launch_options

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TIMEOUT_SECONDS = 180


class Report(msgspec.Struct, frozen=True):
    """Scores of 0 to 100; the layout shift has no unit, the paint is in seconds."""

    scores: dict[str, int]
    largest_paint: float
    layout_shift: float
    blocking_seconds: float
    failures: list[str]


def run_lighthouse(url: str, language: str) -> Report:
    """Audit a page as a visitor whose browser prefers this language."""
    options = launch_options()
    flags = [*options["args"], "--headless", f"--lang={language}", f"--accept-lang={language}"]
    environment = {
        **os.environ,
        **options.get("env", {}),
        "CHROME_PATH": options["executable_path"],
    }
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "report.json"
        subprocess.run(
            [
                HERE / "node_modules" / ".bin" / "lighthouse", url, "--quiet", "--output=json",
                f"--output-path={output}", "--no-enable-error-reporting",
                f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={' '.join(flags)}",
            ],
            env=environment, check=True, timeout=TIMEOUT_SECONDS,
        )  # fmt: skip
        return _read_report(json.loads(output.read_text(encoding="utf-8")))


def _read_report(document: dict) -> Report:
    audits, categories = document["audits"], document["categories"]
    assert "runtimeError" not in document, document["runtimeError"]
    return Report(
        scores={name: round(category["score"] * 100) for name, category in categories.items()},
        largest_paint=audits["largest-contentful-paint"]["numericValue"] / 1000,
        layout_shift=audits["cumulative-layout-shift"]["numericValue"],
        blocking_seconds=audits["total-blocking-time"]["numericValue"] / 1000,
        failures=[
            f"{name}: {audit['title']}"
            for name, category in categories.items()
            for reference in category["auditRefs"]
            if reference["weight"]
            and (audit := audits[reference["id"]])["score"] is not None
            and audit["score"] < 1
        ],
    )
