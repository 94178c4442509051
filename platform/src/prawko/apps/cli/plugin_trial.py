"""`prawko plugins try`: an installed plugin under its contract tests and drills, with limits.

The tests are in `prawko_testing.trial` and run in a child process. A test that ends the process has
failed; the rest runs in the next one.
"""

import resource
import sys
from collections.abc import Collection, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prawko.hooks import PROJECT
from prawko.hooks.environment import Environment, SettingsError
from prawko.kit.providers.child_runs import Ended, run_in_child
from prawko.kit.providers.entries import discover_plugins
from prawko.kit.providers.loader import load_plugins
from prawko.kit.providers.registry import PluginError

TRIAL_SECONDS = 900.0
MAX_PROCESSES = 3  # of a plugin that ends them; the tests after that are not run
MEMORY_BYTES = 2 * 1024**3  # beyond what the process has already


def try_plugin(name: str, variables: Mapping[str, str], tests: Path | None) -> Collection[Any]:
    """Run the contract tests in `tests` and the drills; return a TrialResult for each test.

    `tests` are those of the project that an editable plugin belongs to, if they are not named.
    """
    trial = import_module("prawko_testing.trial")
    with TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        work = partial(_run_tests, trial, name, variables, folder, tests)
        started: Path = folder / trial.STARTED
        for _ in range(MAX_PROCESSES):
            started.unlink(missing_ok=True)
            run = run_in_child(work, seconds=TRIAL_SECONDS)
            if run.result is not None:
                break
            test = started.read_text() if started.exists() else "loading"
            said = f"wanted: a result; came: the end of the process, with the code {run.exit_code}"
            trial.add_result(folder, trial.TrialResult("fail", test, said))
        results: Mapping[str, Any] = trial.read_results(folder)
        return results.values()


def _run_tests(
    trial: Any,
    name: str,
    variables: Mapping[str, str],
    folder: Path,
    tests: Path | None,
    _ended: Ended,
) -> bytes:
    """Run the tests that are not done, within the limits of a trial."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES,) * 2)
    sys.addaudithook(trial.keep_on_this_machine)
    others = dict.fromkeys(entry_points(group=PROJECT).names - {name}, "is not tried")
    [plugin] = [one for one in discover_plugins({}, faults=others) if one.name == name]

    def load(chosen: Mapping[str, str]) -> Any:
        loaded = load_plugins(Environment(chosen), [plugin], demo=True)
        objects = {kind.value: named for kind, named in loaded.by_kind.items()}
        return trial.Loaded(objects, loaded.settings.get(name, {}))

    try:
        trial.run_trial(load, variables, Path(plugin.path), folder, tests)
    except (PluginError, SettingsError) as error:
        trial.add_result(folder, trial.TrialResult("fail", "loading", str(error)))
    return b""
