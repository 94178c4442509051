"""A faulty plugin is refused when it is loaded, in one line with its name and fault."""

import asyncio
import json
import logging
import os
import re
import sys
import time
import warnings
from types import SimpleNamespace

import pytest

from prawko.hooks import VERSION, hookimpl
from prawko.hooks.channels import Medium
from prawko.hooks.deadlines import LOADING_SECONDS
from prawko.hooks.environment import Environment, SettingsError
from prawko.kit.bootstrap import close_context, create_context
from prawko.kit.providers import entries, hard_limit, loader, thread
from prawko.kit.providers.entries import DISABLED_VARIABLE as DISABLED
from prawko.kit.providers.entries import InstalledPlugin
from prawko.kit.providers.process_state import read_state, restore_state
from prawko.kit.providers.registry import PluginError
from prawko.kit.providers.validation import find_version_fault
from prawko.kit.variables import list_variables
from prawko_testing.fake_payments import FakePaymentProvider
from prawko_testing.fakes import FakeRegister, RecordingChannel
from support.plugins import STARTING, install_plugin, list_plugins, run_prawko

NOTHING = Environment({})
PIGEON = "plugin pigeon (distribution prawko-channel-pigeon"
OURS = f"this is version {VERSION} of the hooks"
WORKING = """
from prawko.hooks import hookimpl

@hookimpl
def channels(environment):
    return []
"""


CHECKED = """
from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium
from prawko_testing.fakes import RecordingChannel

class Pigeon(RecordingChannel):
    async def check(self):
        {deed}

@hookimpl
def channels(environment):
    return [Pigeon(Medium.SMS)]
"""


def offering(*objects: object, hook: str = "channels") -> SimpleNamespace:
    """Return a plugin whose hook returns these objects."""

    @hookimpl(specname=hook)
    def offer(environment):
        return list(objects)

    return SimpleNamespace(offer=offer)


def load(implementation: object, *, seconds: float = 5.0) -> None:
    pigeon = InstalledPlugin("pigeon", implementation, "prawko-channel-pigeon", "1.0", "/p.py")
    loader.load_plugins(NOTHING, [pigeon], seconds=seconds)


def refusal_of(implementation: object, *, seconds: float = 5.0) -> str:
    """Return the line with which a plugin is refused."""
    with pytest.raises(PluginError) as refused:
        load(implementation, seconds=seconds)
    line = str(refused.value)
    assert line.startswith(f"{PIGEON} 1.0, /p.py)")
    assert "\n" not in line
    return line


@pytest.fixture
def module_name(tmp_path) -> str:
    """A name of one test: an import that was left behind holds the lock of its module."""
    return f"pigeon_{hash(tmp_path) & 0xFFFFFF}"


@pytest.fixture
def discover(monkeypatch, tmp_path, module_name):
    """Install a module as a plugin and return what is discovered of it."""

    def run(module: str = "", **options: str) -> InstalledPlugin:
        if module:
            install_plugin(tmp_path / "site", module, name=module_name, **options)
            monkeypatch.syspath_prepend(tmp_path / "site")
        found = entries.discover_plugins({}, seconds=5.0 if "sleep" not in module else 0.5)
        [pigeon] = [one for one in found if one.name == "pigeon"]
        return pigeon

    return run


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("import pigeonry", "cannot be imported: ModuleNotFoundError: No module named 'pigeonry'"),
        ("def channels(:", "cannot be imported: SyntaxError: "),
        ("import sys\nsys.exit(0)", "cannot be imported: ends the process with SystemExit: 0"),
        ("raise KeyboardInterrupt", "cannot be imported: ends the process with KeyboardInterrupt"),
        ("import time\ntime.sleep(60)", "cannot be imported: did not end within 0.5 seconds"),
        (
            "from prawko.hooks.pigeons import Loft",
            "cannot be imported: ModuleNotFoundError: No module named 'prawko.hooks.pigeons'",
        ),
    ],
    ids=["import", "syntax", "exit", "interrupt", "sleep", "newer hooks"],
)
def test_a_plugin_that_cannot_be_imported_is_named(
    discover, tmp_path, module_name, module, reason
) -> None:
    pigeon = discover(module)

    file = tmp_path / "site" / f"{module_name}.py"
    assert pigeon.fault.startswith(f"{PIGEON} 1.0, {file}) {reason}")
    assert pigeon.fault.endswith(f"; {OURS}") == ("prawko.hooks" in module)
    assert "\n" not in pigeon.fault
    with pytest.raises(PluginError, match="cannot be imported"):
        loader.load_plugins(NOTHING, [pigeon])


@pytest.mark.parametrize(
    ("deed", "parts"),
    [
        ("import locale; locale.setlocale(locale.LC_ALL, 'POSIX')", "the locale"),
        ("import logging; logging.disable()", "the level of logging"),
        ("import logging; logging.root.handlers.clear()", "the handlers of logging"),
        ("import os; os.environ['PATH'] = '/loft'", "variables of the environment"),
        ("import os; del os.environ['PATH']", "variables of the environment"),
        ("import os, time; os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()", "the time zone"),
        ("import sys; sys.setrecursionlimit(500)", "the recursion limit"),
        ("import sys; sys.setswitchinterval(10)", "the switch interval"),
        ("import socket; socket.setdefaulttimeout(0.001)", "the default timeout of sockets"),
        ("import os; os.close(2)", "standard output or error"),
        ("import gc; gc.disable()", "the garbage collection"),
        ("import warnings as w; w.simplefilter('error', UserWarning)", "warnings that are errors"),
        ("import json; json.dumps = repr", "functions of the standard library"),
        ("import datetime; datetime.datetime = 7", "functions of the standard library"),
    ],
)  # fmt: skip
def test_a_plugin_that_changes_the_process_is_refused_and_the_process_as_before(
    discover, deed, parts
) -> None:
    before = read_state()
    fault = discover(f"{deed}\n{WORKING}").fault

    assert fault.endswith(f"cannot be imported: changes the process: {parts}")
    assert restore_state(before) == []


def test_a_hook_that_changes_the_process_is_named() -> None:
    @hookimpl
    def channels(environment):
        sys.setswitchinterval(10)
        return []

    line = refusal_of(SimpleNamespace(channels=channels))
    assert line.endswith(": channels changes the process: the switch interval")


def test_a_plugin_may_add_variables_handlers_and_warnings(discover) -> None:
    added = (
        "import logging, os, warnings; os.environ['PIGEON_LOFT'] = 'roof'\n"
        "logging.root.addHandler(logging.NullHandler()); warnings.simplefilter('always')\n"
    )
    assert discover(added + WORKING).fault == ""
    del os.environ["PIGEON_LOFT"]
    logging.root.handlers.pop()
    warnings.filters.pop(0)


@pytest.mark.parametrize("entry", ["json:loft", "nowhere", "json:", "no module"])
def test_an_entry_point_to_nothing_is_named(discover, entry) -> None:
    assert discover(WORKING, entry=entry).fault.startswith(PIGEON)


def test_a_sound_plugin_has_no_fault(discover, tmp_path, module_name) -> None:
    pigeon = discover(WORKING)

    assert pigeon.fault == ""
    assert (pigeon.version, pigeon.path) == ("1.0", str(tmp_path / "site" / f"{module_name}.py"))


def test_a_plugin_that_is_installed_twice_is_refused(
    discover, tmp_path, monkeypatch, module_name
) -> None:
    old = install_plugin(tmp_path / "old", "", version="0.9", name=module_name)
    monkeypatch.syspath_prepend(old)

    fault = discover(WORKING).fault

    assert "is installed twice: 1.0 in " in fault
    assert f", 0.9 in {old}" in fault


def test_an_editable_installation_is_one_copy(discover, tmp_path, monkeypatch, module_name) -> None:
    """Its metadata stand beside the other packages, its code in a folder of its own."""
    source = install_plugin(tmp_path / "source", WORKING, name=module_name)
    metadata = install_plugin(tmp_path / "packages", "", name=module_name)
    (metadata / f"{module_name}.py").unlink()
    monkeypatch.syspath_prepend(metadata)
    monkeypatch.syspath_prepend(source)

    assert discover().fault == ""


def test_two_copies_of_one_version_are_refused(
    discover, tmp_path, monkeypatch, module_name
) -> None:
    stale = install_plugin(tmp_path / "stale", "raise KeyError", name=module_name)
    monkeypatch.syspath_prepend(stale)

    assert "is installed twice: " in discover(WORKING).fault


@pytest.mark.parametrize("group", ["prawko.plugins", "Prawko", "prakwo"])
def test_entry_points_in_another_group_are_noticed(tmp_path, monkeypatch, group) -> None:
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", WORKING, group=group))

    assert entries.find_stray_groups() == [("prawko-channel-pigeon", group)]


def test_the_groups_of_others_are_left_alone() -> None:
    assert entries.find_stray_groups() == []


def test_a_hook_that_sleeps_is_named() -> None:
    @hookimpl
    def channels(environment):
        time.sleep(10)
        return []

    started_at = time.monotonic()
    line = refusal_of(SimpleNamespace(channels=channels), seconds=0.2)

    assert line.endswith("channels did not end within 0.2 seconds")
    assert time.monotonic() - started_at < 9


def test_a_hook_that_exits_is_named() -> None:
    @hookimpl
    def channels(environment):
        sys.exit(0)

    line = refusal_of(SimpleNamespace(channels=channels))
    assert line.endswith("channels ends the process with SystemExit: 0")


def test_a_property_that_raises_is_named() -> None:
    class Sick(RecordingChannel):
        @property
        def medium(self):
            raise KeyError("loft")

        @medium.setter
        def medium(self, _) -> None: ...

    assert "channels failed: KeyError" in refusal_of(offering(Sick()))


def test_a_forgotten_mark_is_named() -> None:
    def channels(environment):
        return []

    line = refusal_of(SimpleNamespace(channels=channels))
    assert line.endswith(": channels is not marked: is @hookimpl forgotten?")


def test_a_plugin_without_a_hook_is_refused() -> None:
    line = refusal_of(SimpleNamespace())
    assert "implements no hook; those there are: licence_registers, channels" in line


CALLED = "cannot be called as send(message, recipient, idempotency_key=…)"


class Silent(RecordingChannel):
    def send(self, message, recipient, *, idempotency_key):
        """Return nothing, at once."""


class Keyless(RecordingChannel):
    async def send(self, message, recipient):
        """Send without a key."""


class Greedy(RecordingChannel):
    async def send(self, message, recipient, subject, *, idempotency_key):
        """Ask for more than there is."""


class AsyncReach(RecordingChannel):
    async def can_reach(self, recipient):
        return True


class AsyncReports(RecordingChannel):
    async def parse_webhook(self, request):
        return ()


class Helpless(RecordingChannel):
    check = "yes"


class WordMedium(RecordingChannel):
    def __init__(self) -> None:
        super().__init__()
        self.medium = "email"


@pytest.mark.parametrize(
    ("channel", "reason"),
    [
        (Silent(), "and Silent.send must be an `async` method"),
        (
            Keyless(),
            f"Keyless.send {CALLED}: got an unexpected keyword argument 'idempotency_key'",
        ),
        (
            Greedy(),
            f"Greedy.send {CALLED}: missing a required argument: 'subject'",
        ),
        (AsyncReach(), "and AsyncReach.can_reach must be a plain method"),
        (AsyncReports(), "and AsyncReports.parse_webhook must be a plain method"),
        (Helpless(), "and Helpless.check is str 'yes'; a method is expected"),
        (WordMedium(), "and WordMedium.medium is str 'email'; Medium is expected"),
        (
            RecordingChannel(Medium.PUSH),
            "is of the medium push and has no accepts_subscription, server_key",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, RecordingChannel) else "",
)
def test_a_method_in_another_form_is_refused(channel, reason) -> None:
    assert refusal_of(offering(channel)).endswith(reason)


@pytest.mark.parametrize("missing", ["close", "medium", "send"])
def test_a_missing_member_is_named(missing) -> None:
    members = {
        name: getattr(RecordingChannel(), name)
        for name in ("name", "medium", "can_reach", "send", "close")
        if name != missing
    }
    line = refusal_of(offering(SimpleNamespace(**members)))
    assert line.endswith(f"and SimpleNamespace has no {missing}")


@pytest.mark.parametrize("name", ["a/b", "Pigeon", "two words", "a,b", "-a", "p" * 41, "ą"])
def test_a_name_that_is_no_part_of_a_path_is_refused(name) -> None:
    channel = RecordingChannel()
    channel.name = name

    assert f"RecordingChannel.name is {name!r}" in refusal_of(offering(channel))


def test_capabilities_of_another_type_are_refused() -> None:
    class Careless(FakePaymentProvider):
        capabilities = frozenset({"card"})

    line = refusal_of(offering(Careless(), hook="payment_providers"))
    assert "Careless.capabilities is frozenset" in line
    assert line.endswith("ProviderCapabilities is expected")


def test_the_plugins_of_the_repository_are_well_formed() -> None:
    loaded = loader.load_plugins(
        NOTHING,
        entries.supplied_plugins({
            "mail": offering(RecordingChannel(), RecordingChannel(Medium.SMS)),
            "money": offering(FakePaymentProvider(), hook="payment_providers"),
            "register": offering(FakeRegister(), hook="licence_registers"),
        }),
    )  # fmt: skip
    assert len(loaded.offers) == 4


@pytest.mark.parametrize(
    ("stated", "current", "reason"),
    [
        ("1.0", "1.0", ""),
        ("1.0", "1.4", ""),
        ("1.5", "1.4", "a newer release of Prawko is needed"),
        ("2.0", "1.4", "a newer release of Prawko is needed"),
        ("1.9", "2.0", "a newer release of the plugin is needed"),
        ("1", "1.0", 'a text such as "1.0" is expected'),
        (1.0, "1.0", 'a text such as "1.0" is expected'),
        (None, "1.0", 'a text such as "1.0" is expected'),
    ],
)
def test_the_versions_that_a_plugin_may_state(stated, current, reason) -> None:
    fault = find_version_fault(stated, current)

    assert fault.endswith(reason)
    assert bool(fault) is bool(reason)


def test_a_plugin_for_other_hooks_is_refused() -> None:
    plugin = offering(RecordingChannel())
    plugin.prawko_hooks = "2.0"

    line = refusal_of(plugin)
    assert "was written for version 2.0 of the hooks, and this is version " in line


def test_all_faulty_plugins_are_named_at_once() -> None:
    plugins = entries.supplied_plugins({
        "one": SimpleNamespace(), "two": offering(Silent()), "three": offering(RecordingChannel()),
    })  # fmt: skip
    with pytest.raises(PluginError) as refused:
        loader.load_plugins(NOTHING, plugins)
    assert [line.split()[1] for line in str(refused.value).splitlines()] == ["one", "two"]

    loaded, faults = loader.inspect_plugins(NOTHING, plugins)
    assert {one.plugin for one in faults} == {"one", "two"}
    assert loaded.channels.keys() == {"recording"}


def test_a_start_calls_every_hook_once() -> None:
    calls = []

    @hookimpl
    def channels(environment):
        calls.append(environment)
        return []

    loaded = loader.load_plugins(
        NOTHING, entries.supplied_plugins({"p": SimpleNamespace(channels=channels)})
    )
    list_variables(loaded)

    assert len(calls) == 1


def test_a_wrong_variable_is_no_fault_of_the_plugin() -> None:
    @hookimpl
    def channels(environment):
        raise SettingsError("PIGEON_LOFT", "is missing")

    with pytest.raises(SettingsError, match="PIGEON_LOFT is missing"):
        load(SimpleNamespace(channels=channels))


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("import os; os._exit(0)", 0),
        ("import os; os.kill(os.getpid(), 9)", -9),
        (WORKING.replace("return []", "__import__('os')._exit(3)"), 3),
    ],
    ids=["import", "signal", "hook"],
)
def test_the_listing_names_a_plugin_that_ends_the_process(
    tmp_path, module_name, monkeypatch, module, code
) -> None:
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", module, name=module_name))
    exit_code, printed = list_plugins(**STARTING)

    assert exit_code == 2
    assert f"fail   pigeon (prawko-channel-pigeon, 1.0, {tmp_path}" in printed
    assert f") ends the process that calls it, with the code {code}\n" in printed
    assert "ok     channel-smtp" in printed


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("import sys; sys.stdout = sys.stderr = None", "changes the process: sys.stdout"),
        ("import sys; sys.stdout = None", "changes the process: sys.stdout"),
        (
            "from resource import *; setrlimit(RLIMIT_NOFILE, (3, getrlimit(RLIMIT_NOFILE)[1]))",
            "changes the process: the limits of the process",
        ),
        # A hard limit, which only root may raise again: with it the process cannot go on.
        (
            "from resource import *; setrlimit(RLIMIT_NOFILE, (3, 3))",
            "(?:changes the process: the limits|ends the process that calls it, with the code 1)",
        ),
        (
            "from resource import *; setrlimit(RLIMIT_FSIZE, (0, 0))",
            "(?:changes the process: the limits|ends the process that calls it, with the code 1)",
        ),
    ],
    ids=["streams", "stdout", "soft", "hard", "file-size"],
)
def test_the_listing_names_a_plugin_that_takes_what_the_process_needs(
    tmp_path, module_name, deed, said
) -> None:
    site = install_plugin(tmp_path / "site", f"{deed}\n{WORKING}", name=module_name)
    result = run_prawko("plugins", folders=[site], **STARTING)

    assert result.returncode == 2
    assert re.search(rf"plugin pigeon \(.*\) .*{said}", result.stdout), result.stdout
    assert "ok     channel-smtp" in result.stdout


@pytest.mark.parametrize("command", ["worker", "serve", "console"])
def test_a_process_names_the_plugin_that_would_end_it(tmp_path, module_name, command) -> None:
    site = install_plugin(tmp_path / "site", "import os; os._exit(0)", name=module_name)
    result = run_prawko(command, folders=[site], **STARTING)

    assert result.returncode == 2
    assert "prawko: plugin pigeon (distribution prawko-channel-pigeon 1.0, " in result.stderr
    assert ") ends the process that calls it, with the code 0\n" in result.stderr


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("__import__('os')._exit(0)", "does not work: it blocked or ended the process"),
        ("raise SystemExit(0)", "does not work: SystemExit in check, line "),
        ("__import__('time').sleep(9)", "does not work: it blocked or ended the process"),
    ],
    ids=["end", "exit", "block"],
)
def test_a_check_survives_what_a_plugin_does(
    tmp_path, module_name, monkeypatch, deed, said
) -> None:
    checked = CHECKED.format(deed=deed)
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", checked, name=module_name))
    monkeypatch.setattr(hard_limit, "HARD_LIMIT_SECONDS", 1.0)
    exit_code, printed = list_plugins("--check", **STARTING)

    assert exit_code == 1
    assert f"channel recording-sms (sms): not chosen, {said}" in printed
    assert "channel smtp (email): chosen, does not work" in printed


def test_a_plugin_that_holds_the_interpreter_ends_its_process_alone(
    tmp_path, module_name, monkeypatch
) -> None:
    holding = "import re\nre.match('(a+)+$', 'a' * 60 + 'b')"
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", holding, name=module_name))
    monkeypatch.setattr(thread, "HARD_LIMIT_SECONDS", 1.0 - LOADING_SECONDS)
    exit_code, printed = list_plugins(**STARTING)

    assert exit_code == 2
    assert ") holds the process that calls it\n" in printed
    assert "ok     channel-smtp" in printed


def test_what_a_plugin_prints_is_no_part_of_the_report(tmp_path, module_name) -> None:
    printing = f"import os\nprint('coo')\nos.write(1, b'coo')\n{WORKING}"
    site = install_plugin(tmp_path / "site", printing, name=module_name)
    result = run_prawko("plugins", "--json", folders=[site])

    states = {one["name"]: one["state"] for one in map(json.loads, result.stdout.splitlines())}
    assert states["pigeon"] == "unset"
    assert result.stderr.count("coo") == 2


def test_a_plugin_that_is_disabled_is_not_imported(tmp_path, module_name, monkeypatch) -> None:
    monkeypatch.syspath_prepend(
        install_plugin(tmp_path / "site", "raise KeyError('loft')", name=module_name)
    )
    code, printed = list_plugins(**STARTING, PLUGINS_DISABLED=" pigeon,, register-upki")

    assert code == 0
    assert "off    pigeon\n" in printed
    assert "off    register-upki\n" in printed
    assert "pigeon" not in {one.name for one in entries.discover_plugins({DISABLED: "pigeon"})}


def test_a_disabled_plugin_that_is_not_installed_any_more_stops_no_start(monkeypatch) -> None:
    variables = {**STARTING, DISABLED: "pidgeon,register-upki"}
    warned = []
    monkeypatch.setattr(entries.log, "warning", lambda event, **of: warned.append((event, of)))
    code, printed = list_plugins(**variables)

    assert code == 1
    assert "warn   pidgeon\n       is not installed: PLUGINS_DISABLED" in printed
    asyncio.run(close_context(create_context(variables)))
    entries.warn_of_stray_names(variables)
    assert [of["plugin"] for event, of in warned if event == "disabled_plugin_not_installed"] == [
        "pidgeon"
    ]


def test_the_listing_survives_a_broken_plugin(tmp_path, module_name, monkeypatch) -> None:
    monkeypatch.syspath_prepend(
        install_plugin(tmp_path / "site", "raise KeyError('loft')", name=module_name)
    )
    code, printed = list_plugins()

    assert code == 2
    assert "fail   pigeon (prawko-channel-pigeon, 1.0, " in printed
    assert "cannot be imported: KeyError: 'loft'" in printed
    assert "unset  channel-smtp (prawko-channel-smtp, 0.1.0, " in printed
