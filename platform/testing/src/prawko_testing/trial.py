"""Runs the tests of `prawko plugins try` under pytest: contracts of the author, and the drills.

A test that ends the process leaves its name and the results before it in the folder of the trial.
"""

import faulthandler
import os
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from email.headerregistry import Address
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
import pytest
from yarl import URL

from prawko.hooks.environment import variable_name
from prawko.hooks.urls import LOOPBACK_HOSTS

STARTED, RESULTS = "started", "results"
TEST_SECONDS = 60  # a plugin that holds the interpreter so long is ended with its process
FAILED_SECONDS = 60.0  # of failed tests, such as calls that do not end; the rest is not run
# The class of the contracts that tests of each kind derive from.
CONTRACTS = {
    "register": "RegisterContract",
    "channel": "ChannelContract",
    "payments": "PaymentProviderContract",
    "invoices": "InvoiceIssuerContract",
}
_FILLINGS = {Address: "Prawko <prawko@prawko.test>", int: "1", float: "1"}
_OPTIONS = ("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:faulthandler")


class Loaded(NamedTuple):
    """A plugin's objects by kind and name, and its settings by prefix."""

    objects: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, type[msgspec.Struct]]


class TrialResult(msgspec.Struct, frozen=True):
    """One test, which ended `ok`, `skip` or `fail`.

    `said` is what was wanted and what came, `place` the class and line of the plugin.
    """

    state: str
    test: str
    said: str = ""
    place: str = ""


class Trial:
    """What pytest runs: gives the drills the plugin's objects, and records each result."""

    def __init__(
        self,
        load: Callable[[Mapping[str, str]], Loaded],
        variables: Mapping[str, str],
        path: Path,
        folder: Path,
    ) -> None:
        self._load = load
        self._variables = variables
        self._path = path
        self._folder = folder
        self._contracts: set[str] = set()
        self._failed_seconds = 0.0
        self._failed_last = ""
        objects = self.create(URL("http://127.0.0.1:1"))
        self.names = {kind: [*named] for kind, named in objects.items()}

    def create(self, url: URL) -> Mapping[str, Mapping[str, Any]]:
        """Load the plugin's objects with the address of a server; return them by kind and name."""
        filled = _fill(self._load({}).settings, self._variables, url)
        return self._load({**self._variables, **filled}).objects

    def find_untested(self) -> Iterator[str]:
        """Yield the contracts of which no test derives, after the tests ran."""
        wanted = (CONTRACTS[kind] for kind, names in self.names.items() if names)
        return (contract for contract in wanted if contract not in self._contracts)

    def pytest_configure(self, config: pytest.Config) -> None:
        """Give the drills the plugin."""
        config.trial = self  # type: ignore[attr-defined]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out drills of kinds that the plugin does not offer; note the contracts."""
        items[:] = [item for item in items if "NOTSET" not in item.name]
        classes = (getattr(item, "cls", None) or object for item in items)
        self._contracts |= {base.__name__ for one in classes for base in one.__mro__}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record tests that cannot be collected, such as a module that cannot be imported."""
        if report.failed:
            test = report.nodeid or "collection"
            add_result(self._folder, TrialResult("fail", test, str(report.longrepr)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note the test that begins, and end the process if it holds the interpreter."""
        (self._folder / STARTED).write_text(nodeid)
        faulthandler.dump_traceback_later(TEST_SECONDS, exit=True, file=2)

    def pytest_runtest_setup(self) -> None:
        """Leave out the rest once failed tests have taken FAILED_SECONDS."""
        if self._failed_seconds >= FAILED_SECONDS:
            taken = f"failed tests took {self._failed_seconds:.0f} s"
            pytest.skip(f"not tried: {taken}, the last one as {self._failed_last}")

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Record a test that failed, with the plugin's line, was skipped, or has passed."""
        if call.excinfo is None:
            if call.when == "call":
                add_result(self._folder, TrialResult("ok", item.nodeid))
            return
        error = call.excinfo.value
        is_skipped = isinstance(error, pytest.skip.Exception)
        text = (
            str(error) if isinstance(error, pytest.fail.Exception | AssertionError) else repr(error)
        )
        state = "skip" if is_skipped else "fail"
        said = str(error) if is_skipped else text.partition("\nassert ")[0] or repr(error)
        if not is_skipped:
            self._failed_seconds += call.duration
            self._failed_last = said
        add_result(
            self._folder,
            TrialResult(state, item.nodeid, said, "" if is_skipped else self._locate(error)),
        )

    def _locate(self, error: BaseException | None) -> str:
        """Return the line of the plugin's code that an error, or one behind it, passed last."""
        folder, place = self._path.parent, ""
        while error is not None:
            for frame, line in traceback.walk_tb(error.__traceback__):
                if Path(frame.f_code.co_filename).is_relative_to(folder):
                    place = f"{frame.f_code.co_qualname}, {frame.f_code.co_filename}, line {line}"
            error = error.__cause__ or error.__context__
        return place


def run_trial(
    load: Callable[[Mapping[str, str]], Loaded],
    variables: Mapping[str, str],
    path: Path,
    folder: Path,
    tests: Path | None,
) -> None:
    """Run the tests that have no result in `folder` yet; `path` is the plugin's file.

    `load` loads the plugin with other variables. What it raises passes.
    """
    os.environ.pop("PYTEST_ADDOPTS", None)  # the author's options change what is reported
    trial = Trial(load, variables, path, folder)
    contracts = tests or _find_tests(path)
    drills = Path(__file__).with_name("fault_drills.py")
    for options in (
        ["-o", "addopts=", str(contracts)] if contracts else [],
        ["-c", os.devnull, "-o", "addopts=", str(drills)],
    ):
        done = (f"--deselect={one}" for one in read_results(folder))
        if options:
            pytest.main(
                [*_OPTIONS, "--import-mode=importlib", f"--rootdir={folder}", *done, *options],
                plugins=[trial],
            )
        faulthandler.cancel_dump_traceback_later()
    for contract in trial.find_untested():
        said = f"no tests derive from {contract}: name their folder by --tests"
        add_result(folder, TrialResult("skip", contract, said))


def format_trial(results: Collection[TrialResult]) -> Iterator[str]:
    """Yield lines for a terminal: each test that did not pass, and how many did."""
    for one in results:
        if one.state != "ok":
            test = one.test.rpartition("/")[2].partition("::")
            yield f"{one.state:<5}  {test[2] or test[0]}"
            yield from (f"       {line}" for line in (*one.said.splitlines(), one.place) if line)
    counts = Counter(one.state for one in results)
    yield ", ".join(f"{state}: {counts[state]}" for state in ("ok", "skip", "fail"))


def keep_on_this_machine(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise OSError for a connection to another machine, whatever settings name one."""
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        if not ip_address(str(arguments[1][0]).partition("%")[0]).is_loopback:
            raise OSError("a trial reaches this machine alone")
    elif event == "socket.getaddrinfo" and arguments[0] not in {None, "", *LOOPBACK_HOSTS}:
        raise OSError("a trial reaches this machine alone")


def add_result(folder: Path, result: TrialResult) -> None:
    """Add a result to those that outlive the process."""
    with (folder / RESULTS).open("ab") as file:
        file.write(msgspec.json.encode(result) + b"\n")


def read_results(folder: Path) -> dict[str, TrialResult]:
    """Return the results by test; of a test that failed after it had passed, the failure."""
    file = folder / RESULTS
    lines = file.read_bytes().splitlines() if file.exists() else []
    results = [msgspec.json.decode(line, type=TrialResult) for line in lines]
    return {one.test: one for one in results}


def _find_tests(path: Path) -> Path | None:
    """Return the folder `tests` of the project that an editable plugin belongs to."""
    for folder in path.parents[:4]:
        if (folder / "pyproject.toml").exists() and (folder / "tests").is_dir():
            return folder / "tests"
    return None


def _fill(
    asked: Mapping[str, type[msgspec.Struct]], variables: Mapping[str, str], url: URL
) -> dict[str, str]:
    """Return values of the settings: the server's address, a short deadline, what is missing."""
    filled: dict[str, str] = {}
    for prefix, settings in asked.items():
        for field in msgspec.structs.fields(settings):
            name, types = variable_name(field, prefix), set(_plain_types(field.type))
            own = {"host": str(url.host), "port": str(url.port), "deadline": "1"}
            if URL in types or field.name in own:
                filled[name] = own.get(field.name, str(url))
            elif field.required and not variables.get(name):
                filled[name] = next((_FILLINGS[one] for one in types if one in _FILLINGS), "trial")
    return filled


def _plain_types(annotation: Any) -> Iterator[Any]:
    """Yield the types of an annotation, without what is said about them."""
    if get_origin(annotation) is None:
        yield annotation
    for one in get_args(annotation):
        yield from _plain_types(one)
