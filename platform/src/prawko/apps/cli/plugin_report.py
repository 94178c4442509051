"""Reports on the installed plugins, for `prawko plugins`."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

import msgspec

from prawko.hooks import VERSION
from prawko.kit.bootstrap import StartInspection
from prawko.kit.providers.checks import OfferKey, PluginCheck, chosen_names
from prawko.kit.providers.entries import InstalledPlugin
from prawko.kit.providers.registry import PluginKind
from prawko.kit.variables import describe_settings

Checks = Mapping[OfferKey, PluginCheck]


class PluginState(StrEnum):
    """`unset`: installed, and none of its variables is set; `fail`: no process would start.

    `off`: PLUGINS_DISABLED leaves it out.
    """

    OK = "ok"
    UNCONFIGURED = "unset"
    DISABLED = "off"
    WARN = "warn"
    FAILED = "fail"


class OfferReport(msgspec.Struct, frozen=True):
    """One object of a plugin; `check` is None if it was not requested or does not exist."""

    kind: PluginKind
    name: str
    medium: str | None
    chosen: bool
    works: bool | None
    check: str | None


class VariableReport(msgspec.Struct, frozen=True):
    """A variable of a plugin; its value is never shown."""

    name: str
    required: bool
    set: bool


class PluginReport(msgspec.Struct, frozen=True):
    """A plugin, or another entry that an operator should look at."""

    state: PluginState
    name: str
    distribution: str = ""
    version: str = ""
    path: str = ""
    hooks: str = VERSION
    offers: list[OfferReport] = msgspec.field(default_factory=list)
    variables: list[VariableReport] = msgspec.field(default_factory=list)
    faults: list[str] = msgspec.field(default_factory=list)


def build_reports(
    installed: Sequence[InstalledPlugin],
    found: StartInspection,
    checks: Checks,
    variables: Mapping[str, str],
) -> Iterator[PluginReport]:
    """Yield a report for each installed plugin, by name."""
    loaded, chosen = found.plugins, chosen_names(found.settings)
    for plugin in sorted(installed, key=lambda one: one.name):
        offers = [
            OfferReport(
                offer.kind,
                offer.name,
                loaded.channels[offer.name].medium if offer.kind is PluginKind.CHANNEL else None,
                offer.name in chosen[offer.kind],
                (result := checks.get((offer.kind, offer.name), PluginCheck(None))).passed,
                result.text if result.passed is not None else None,
            )
            for offer in loaded.offers
            if offer.plugin == plugin.name and offer.kind is not PluginKind.UNCONFIGURED
        ]
        own = [
            line
            for one in found.faults
            if one.plugin == plugin.name
            for line in str(one.error).splitlines()
        ]
        yield PluginReport(
            _find_state(offers, own),
            plugin.name,
            plugin.distribution or "",
            plugin.version,
            plugin.path,
            offers=offers,
            variables=[
                VariableReport(one.name, one.default is None, bool(variables.get(one.name)))
                for prefix, declared in loaded.settings.get(plugin.name, {}).items()
                for one in describe_settings(declared, prefix)
            ],
            faults=own,
        )


def format_report(report: PluginReport) -> str:
    """Return the report as lines for a terminal."""
    origin = ", ".join(filter(None, (report.distribution, report.version, report.path)))
    lines = [f"{report.state.value:<5}  {report.name}" + (f" ({origin})" if origin else "")]
    lines += report.faults
    lines += map(_format_offer, report.offers)
    for label, is_set in (("set", True), ("not set", False)):
        names = [
            one.name + (" (required)" if one.required and not is_set else "")
            for one in report.variables
            if one.set is is_set
        ]
        if names:
            lines.append(f"{label}: {', '.join(names)}")
    return "\n       ".join(lines)


def _find_state(offers: Sequence[OfferReport], faults: Sequence[str]) -> PluginState:
    if faults:
        return PluginState.FAILED
    if any(one.works is False for one in offers):
        return PluginState.WARN
    return PluginState.OK if offers else PluginState.UNCONFIGURED


def _format_offer(offer: OfferReport) -> str:
    medium = f" ({offer.medium})" if offer.medium else ""
    chosen = "chosen" if offer.chosen else "not chosen"
    line = f"{offer.kind.value} {offer.name}{medium}: {chosen}"
    if offer.works is None:
        return line
    said = f": {offer.check}" if offer.check else ""
    return f"{line}, {'works' if offer.works else 'does not work'}{said}"
