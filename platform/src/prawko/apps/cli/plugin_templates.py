"""Writes a new plugin that works, for its author to change."""

import re
from enum import StrEnum
from pathlib import Path

import jinja2
import msgspec

from prawko.hooks import VERSION

_TEMPLATES = Path(__file__).with_name("new_plugin")
_NAME = re.compile("[a-z][a-z0-9]{0,29}", re.ASCII)
_COMMON = "common"


class PluginTemplate(StrEnum):
    """The kinds of plugins that can be written, as the names of plugins have them."""

    REGISTER = "register"
    CHANNEL = "channel"
    PAYMENTS = "payments"
    INVOICES = "invoices"


class _Kind(msgspec.Struct, frozen=True):
    """The words of a kind; `choosing` is the variable that names the plugin's object."""

    module: str
    noun: str
    summary: str
    choosing: str
    deadline: float = 20.0
    variables: tuple[str, ...] = ("URL=https://api.example.com", "TOKEN=…")


_KINDS = {
    PluginTemplate.REGISTER: _Kind(
        "register", "register", "Asks {} about driving licences", "REGISTER", 10.0
    ),
    PluginTemplate.CHANNEL: _Kind(
        "channel", "channel", "Sends Prawko's messages through {}", "SMS_CHANNEL"
    ),
    PluginTemplate.PAYMENTS: _Kind(
        "provider", "payment provider", "Takes payments through {}", "PAYMENT_PROVIDERS",
        variables=("URL=https://api.example.com", "TOKEN=…", "WEBHOOK_KEY=…"),
    ),
    PluginTemplate.INVOICES: _Kind(
        "issuer", "issuer", "Writes structured invoices for {}", "INVOICE_ISSUER",
        variables=("ISSUER=Prawko",),
    ),
}  # fmt: skip


def write_plugin(template: PluginTemplate, name: str, folder: Path) -> Path:
    """Write the plugin `name` into a new folder of `folder` and return that.

    Raises ValueError for a name that is no word, FileExistsError if the folder exists.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name: small letters and digits are expected")
    kind = _KINDS[template]
    distribution = f"prawko-{template}-{name}"
    package = distribution.replace("-", "_")
    prefix = f"{template}_{name}".upper()
    words = {
        "name": name,
        "class_name": name.capitalize(),
        "kind": template.value,
        "distribution": distribution,
        "package": package,
        "prefix": prefix,
        "hooks_version": VERSION,
        "module": kind.module,
        "noun": kind.noun,
        "summary": kind.summary.format(name.capitalize()),
        "choosing": kind.choosing,
        "deadline": kind.deadline,
        "example_variables": " ".join(f"{prefix}_{one}" for one in kind.variables),
    }
    places = {
        "pyproject.toml": "",
        "README.md": "",
        "conftest.py": "tests",
        "test_contract.py": "tests",
        **dict.fromkeys(
            ("__init__.py", "settings.py", f"{kind.module}.py", "py.typed"), f"src/{package}"
        ),
    }
    root = folder / distribution
    if root.exists():
        raise FileExistsError(f"{root} exists")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([_TEMPLATES / template.value, _TEMPLATES / _COMMON]),
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 (Python and TOML, of names that were checked)
    )
    for file, place in places.items():
        path = root / place / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(environment.get_template(f"{file}.jinja").render(words), encoding="utf-8")
    return root
