"""Finds the installed plugins and imports them.

A plugin that cannot be used has a `fault`: one line, which is raised when it is loaded and shown
when the plugins are listed.
"""

import difflib
import inspect
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from prawko.hooks import PROJECT, VERSION
from prawko.hooks.deadlines import LOADING_SECONDS
from prawko.kit.observability import logs
from prawko.kit.providers.thread import PluginCallError, call_in_thread

DEMO_PACKAGE = "prawko_demo"
DEMO_GROUP = "prawko-demo"
DISABLED_VARIABLE = "PLUGINS_DISABLED"
_MIN_SIMILARITY = 0.75

log = logs.get_logger(__name__)


class InstalledPlugin(msgspec.Struct, frozen=True):
    """A module or object with hook implementations.

    `distribution` is the package that installed it, with its `version` and the `path` of the
    plugin's file; None if the process supplies it itself. `fault` says why it cannot be used.
    """

    name: str
    implementation: Any
    distribution: str | None = None
    version: str = ""
    path: str = ""
    fault: str = ""

    def __str__(self) -> str:
        """Return its name and origin, for the beginning of an error."""
        if self.distribution is None:
            return f"plugin {self.name} (not installed)"
        release = " ".join(filter(None, (self.distribution, self.version)))
        origin = ", ".join(filter(None, (f"distribution {release}", self.path)))
        return f"plugin {self.name} ({origin})"


def find_disabled_plugins(variables: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the plugins that PLUGINS_DISABLED leaves out."""
    names = variables.get(DISABLED_VARIABLE, "").split(",")
    return frozenset(filter(None, map(str.strip, names)))


def find_wrong_names(variables: Mapping[str, str]) -> list[str]:
    """Return the names in PLUGINS_DISABLED that no installed plugin has.

    They stop no start: a plugin that is uninstalled later would stop every process of the product.
    """
    disabled = find_disabled_plugins(variables)
    # Reading the metadata of all distributions takes time.
    return sorted(disabled - entry_points(group=PROJECT).names) if disabled else []


def discover_plugins(
    variables: Mapping[str, str],
    *,
    seconds: float = LOADING_SECONDS,
    faults: Mapping[str, str] | None = None,
) -> list[InstalledPlugin]:
    """Import the installed plugins, except disabled ones and the demo's, and return them.

    Those whose names have `faults` are not imported either, and returned with the fault.
    """
    disabled = find_disabled_plugins(variables)
    return [
        _import_plugin(entry, seconds, (faults or {}).get(entry.name, ""))
        for entry in entry_points(group=PROJECT)
        if entry.name not in disabled
    ]


def supplied_plugins(plugins: Mapping[str, Any]) -> list[InstalledPlugin]:
    """Return plugins that are installed by no distribution, such as the demo's and the tests'."""
    return [InstalledPlugin(name, plugin) for name, plugin in plugins.items()]


def find_stray_groups() -> list[tuple[str, str]]:
    """Return distribution and group of the entry points that were meant for us, and are not."""
    return sorted({
        (one.name, entry.group)
        for one in distributions()
        for entry in one.entry_points
        if _is_stray(entry.group)
    })  # fmt: skip


def warn_of_stray_names(variables: Mapping[str, str]) -> None:
    """Log what names no plugin: groups of entry points like ours, and in PLUGINS_DISABLED."""
    for name in find_wrong_names(variables):
        log.warning("disabled_plugin_not_installed", variable=DISABLED_VARIABLE, plugin=name)
    for distribution, group in find_stray_groups():
        log.warning("unknown_plugin_group", distribution=distribution, group=group, similar=PROJECT)


def module_name(value: Any) -> str:
    """Return the module of a plugin or of one of its objects."""
    name: str = value.__name__ if inspect.ismodule(value) else type(value).__module__
    return name


def demo_fault(module: str) -> str:
    """Return why an object of the demo (a mailbox open to all, made-up answers) is refused."""
    if module.partition(".")[0] != DEMO_PACKAGE:
        return ""
    return "belongs to the demo and runs in `prawko demo` alone"


def _import_plugin(entry: EntryPoint, seconds: float, known_fault: str) -> InstalledPlugin:
    distribution = entry.dist
    package = re.split("[.:]", entry.value)[0].strip()
    plugin = InstalledPlugin(
        entry.name,
        None,
        distribution.name if distribution else None,
        (distribution.version or "") if distribution else "",
        _find_path(package),
    )
    if known_fault:
        return msgspec.structs.replace(plugin, fault=f"{plugin} {known_fault}")
    if fault := demo_fault(package):
        return msgspec.structs.replace(plugin, fault=f"{entry.name} {fault}")
    if distribution is not None and (fault := _find_second_copy(package, distribution)):
        return msgspec.structs.replace(plugin, fault=f"{plugin} is installed twice: {fault}")
    try:
        implementation = call_in_thread(
            lambda: _load(entry), plugin=entry.name, seconds=seconds, path=plugin.path
        )
    except PluginCallError as error:
        fault = f"{plugin} cannot be imported: {str(error).removeprefix('failed: ')}"
        if isinstance(error.__cause__, ImportError) and "prawko.hooks" in str(error):
            fault += f"; this is version {VERSION} of the hooks"
        return msgspec.structs.replace(plugin, fault=fault)
    path = getattr(implementation, "__file__", None) or plugin.path
    return msgspec.structs.replace(plugin, implementation=implementation, path=path)


def _load(entry: EntryPoint) -> Any:
    if entry.pattern.match(entry.value) is None:
        raise ImportError(f"{entry.value!r} is no entry point: a module is expected")
    return entry.load()


def _find_path(package: str) -> str:
    """Return the file that is going to be imported, without importing it; empty if none is found.

    Of a package, not of a module in it: to find that one, Python would import the package.
    """
    try:
        found = find_spec(package)
    except (ImportError, ValueError):
        return ""
    return (found and found.origin) or ""


def _find_second_copy(package: str, distribution: Distribution) -> str:
    """Return where the distribution is installed, if there is more than one copy of its code.

    Python imports from the first folder of its path, which need not be the newest. The metadata of
    an editable installation beside the sources it points to are one copy, of one version.
    """
    copies: dict[Path, str] = {}
    for found in distributions(name=distribution.name):
        copies.setdefault(Path(str(found.locate_file(""))).resolve(), found.version or "?")
    files = {file.resolve() for folder in copies for file in _module_files(folder, package)}
    if len(set(copies.values())) < 2 and len(files) < 2:
        return ""
    return ", ".join(f"{version} in {folder}" for folder, version in copies.items())


def _module_files(folder: Path, package: str) -> Iterator[Path]:
    candidates = (folder / package / "__init__.py", folder / f"{package}.py")
    return (file for file in candidates if file.is_file())


def _is_stray(group: str) -> bool:
    if group in {PROJECT, DEMO_GROUP}:
        return False
    letters = re.sub("[^a-z]", "", group.lower())
    similarity = difflib.SequenceMatcher(None, letters, PROJECT).ratio()
    return letters.startswith(PROJECT) or similarity >= _MIN_SIMILARITY
