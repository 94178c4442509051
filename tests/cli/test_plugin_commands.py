"""`prawko plugins`: checks, variables that nobody reads, and the reference of the hooks."""

import asyncio
import json
import pkgutil
import re
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from prawko import hooks
from prawko.apps.cli.hooks_page import render_hooks_page
from prawko.apps.cli.plugins import HOOKS_BEGIN, HOOKS_END
from prawko.apps.composition_root import create_context
from prawko.hooks import hookimpl, specs
from prawko.hooks.deadlines import LOOK_UP_SECONDS
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.bootstrap import close_context
from prawko.kit.providers import entries, loader
from prawko.kit.providers.checks import PluginCheck, check_offers
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.registry import PluginError
from prawko.kit.settings import Settings
from prawko.verifications.register.client import TIMEOUT_FACTOR
from prawko_testing.fakes import RecordingChannel
from support.plugins import STARTING, install_plugin, list_plugins

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"
CHECKED = """
from prawko.hooks import hookimpl
from prawko.hooks.channels import DeliveryError, Medium
from prawko_testing.fakes import RecordingChannel

class Pigeon(RecordingChannel):
    def __init__(self, name, result):
        super().__init__(Medium.SMS)
        self.name = name
        self.result = result

    async def check(self):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

@hookimpl
def channels(environment):
    return [Pigeon("well", "credit: 7"), Pigeon("ill", DeliveryError("the loft is empty"))]
"""


class Checked(RecordingChannel):
    def __init__(self, name: str, check) -> None:
        super().__init__()
        self.name = name
        self.check = check


def load(*channels: RecordingChannel):
    @hookimpl(specname="channels")
    def offer(environment):
        return list(channels)

    return loader.load_plugins(
        Environment({}), entries.supplied_plugins({"p": SimpleNamespace(offer=offer)})
    )


def test_the_reference_is_current() -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(HOOKS_BEGIN)

    assert rest.partition(HOOKS_END)[0].strip() == render_hooks_page(), "run `make hooks`"


def test_the_reference_has_every_method_and_field() -> None:
    page = render_hooks_page()

    for expected in (
        "async send(message: Message, recipient: Recipient, *, idempotency_key: str) -> str | None",
        "`medium: Medium`",
        "`async close()`",
        "`state: CodedText`",
        "`retry_after`",
        "### ReportingChannel (Channel, Protocol)",
        "`licence_registers(environment: Environment) -> Iterable[LicenceRegister]`",
    ):
        assert expected in page, expected
    assert " at 0x" not in page


def test_the_reference_has_the_members_that_a_class_inherits() -> None:
    page = render_hooks_page()

    _, _, connection = page.partition("### ChannelConnection")
    for expected in (
        "- `ChannelConnection(client: HttpClient)`",
        "- `async call(method: str, url: URL, body: bytes | None = None, *, accepted_statuses:",
        "- `async close()`",
    ):
        assert expected in connection, expected
    assert "_ProviderConnection" not in page
    _, _, channel = page.partition("### PushChannel")
    assert "- of Channel: `name`, `medium`, `can_reach`, `send`, `close`" in channel
    assert "- `PaymentError(reason: str, *, permanent: bool = False," in page
    assert "- of LineTotals: `lines`, `net`, `vat`, `gross`" in page


def test_the_reference_has_every_constant_with_its_value_and_meaning() -> None:
    page = render_hooks_page()

    assert "- `MAX_REFERENCE_LENGTH` = `200` — The longest reference of a carrier," in page
    assert "- `SEND_SECONDS` = `30.0` — For `Channel.send`." in page
    assert "- `LOOPBACK_HOSTS` = `{'127.0.0.1', '::1', 'localhost'}` — " in page
    lines = page.splitlines()
    constants = [line for line in lines if re.match(r"- `\w+` = `", line) and ", `" not in line]
    assert [line for line in constants if " — " not in line] == []
    assert "_ALPHABET" not in page


def test_the_reference_has_every_module_of_the_hooks() -> None:
    page = render_hooks_page()

    names = {one.name for one in pkgutil.iter_modules(hooks.__path__, f"{hooks.__name__}.")}
    assert [name for name in names - {specs.__name__} if f"## {name}\n" not in page] == []


def test_the_stated_deadline_of_a_look_up_is_that_of_the_product() -> None:
    default = {one.name: one.default for one in msgspec.structs.fields(Settings)}
    assert default["register_deadline"] * TIMEOUT_FACTOR == LOOK_UP_SECONDS


@pytest.fixture
def checked(tmp_path, monkeypatch) -> None:
    """A plugin with a channel that works and one that does not."""
    monkeypatch.syspath_prepend(install_plugin(tmp_path, CHECKED, name="checked_pigeon"))


def test_the_listing_checks_the_providers(checked) -> None:
    code, printed = list_plugins("--check", **STARTING, SMS_CHANNEL="well")

    assert code == 1
    assert "channel well (sms): chosen, works: credit: 7" in printed
    assert "channel ill (sms): not chosen, does not work: the loft is empty" in printed


def test_without_check_no_provider_is_asked(checked) -> None:
    code, printed = list_plugins("--json", **STARTING)

    [pigeon] = [
        one for line in printed.splitlines() if (one := json.loads(line))["name"] == "pigeon"
    ]
    assert [(one["works"], one["check"]) for one in pigeon["offers"]] == [(None, None)] * 2
    assert code == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY is missing"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL is malformed: DEBUG, "),
        ({"DAILY_CHECK_AT": "7"}, "DAILY_CHECK_AT is malformed: a time such as"),
        ({"CHANNEL_SMTP_PORT": "x"}, "CHANNEL_SMTP_PORT is malformed: "),
        ({"REGISTER": ""}, "REGISTER names 'upki'; configured registers: public"),
        ({"SMS_CHANNEL": "owl"}, "SMS_CHANNEL names 'owl'; configured: ill, well"),
        ({"SECRET_KEY": "", "CHANNEL_SMTP_PORT": "x"}, "SECRET_KEY is missing"),
    ],
    ids=str,
)
def test_the_listing_judges_the_variables_as_the_start_of_a_process_does(
    checked, changes, said
) -> None:
    variables = {**STARTING, **changes}

    with pytest.raises((SettingsError, PluginError)) as refused:
        create_context(variables)
    code, printed = list_plugins("--check", **variables)

    assert code == 2
    assert said in printed
    assert [line for line in str(refused.value).splitlines() if line not in printed] == []


def test_the_listing_ends_well_where_a_process_starts(checked) -> None:
    context = create_context({**STARTING, "SMS_CHANNEL": "well"})
    code, printed = list_plugins(**STARTING, SMS_CHANNEL="well")

    asyncio.run(close_context(context))
    assert code == 0, printed
    assert "fail" not in printed


def test_one_object_tells_what_is_wrong_with_the_settings() -> None:
    code, printed = list_plugins("--json", **{**STARTING, "SECRET_KEY": "", "LOG_LEVEL": "loud"})

    [settings] = [
        one for line in printed.splitlines() if (one := json.loads(line))["state"] == "fail"
    ]
    assert settings["name"] == "settings"
    assert [line.split()[0] for line in settings["faults"]] == ["SECRET_KEY", "LOG_LEVEL"]
    assert code == 2


@pytest.mark.anyio
async def test_every_end_of_a_check_is_a_result() -> None:
    async def sleep() -> str:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                released.set()
                raise

    async def refuse() -> str:
        raise ProviderAccountError("the key of anna@acme.test\nwas revoked")

    async def answer() -> object:
        return 7

    async def crash() -> str:
        raise KeyError

    released = asyncio.Event()
    silent = RecordingChannel()
    loaded = load(
        Checked("sleeps", sleep), Checked("refuses", refuse), Checked("counts", answer),
        Checked("crashes", crash), silent,
    )  # fmt: skip

    results = await check_offers(loaded, PluginExperiences(), seconds=0.2)

    assert {name: result for (_, name), result in results.items()} == {
        "sleeps": PluginCheck(passed=False, text="it did not end within 0.2 s"),
        "refuses": PluginCheck(passed=False, text="the key of … was revoked"),
        "counts": PluginCheck(passed=False, text="check returned int, not a text"),
        "crashes": PluginCheck(passed=False, text="KeyError"),
        "recording": PluginCheck(passed=None),
    }
    await asyncio.wait_for(released.wait(), 5)


def test_a_misspelt_variable_and_an_unknown_choice_are_named() -> None:
    code, printed = list_plugins(CHANNEL_SMTP_COLOUR="red", MAIL_CHANNEL="pigeon")

    assert code == 2
    assert "warn   CHANNEL_SMTP_COLOUR" in printed
    assert "is read by nobody" in printed
    assert "MAIL_CHANNEL names 'pigeon'; configured: none" in printed


def test_a_half_configured_plugin_is_named_with_its_variable() -> None:
    code, printed = list_plugins(CHANNEL_SMTP_HOST="127.0.0.1")

    assert code == 2
    assert "fail   channel-smtp (prawko-channel-smtp, " in printed
    assert "CHANNEL_SMTP_SENDER is missing (CHANNEL_SMTP_HOST is set)" in printed
    assert "not set: CHANNEL_SMTP_SENDER (required)" in printed
