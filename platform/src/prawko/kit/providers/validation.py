"""Compares what plugins return with the Protocols of the hooks.

A missing or malformed method would otherwise show itself in the middle of a night's check. Every
function here returns the rest of a sentence that begins with the plugin.
"""

import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, get_type_hints

from prawko.hooks import VERSION
from prawko.hooks.channels import Channel, Medium, PushChannel, ReportingChannel
from prawko.hooks.checks import Checkable
from prawko.hooks.invoices import InvoiceIssuer
from prawko.hooks.licence_register import HasCertificate, LicenceRegister
from prawko.hooks.payments import ManualProvider, PaymentProvider, RecurringProvider
from prawko.kit.providers.calls import PluginValueError
from prawko.kit.providers.returned_values import validate_struct

HOOKS_VERSION_ATTRIBUTE = "prawko_hooks"
READ_IN_CALLS = {"server_key"}  # values that the platform reads in guarded calls alone
# What an object may be able to do besides; a method of that name has to be that method.
OPTIONAL_PROTOCOLS: dict[type, tuple[type, ...]] = {
    LicenceRegister: (HasCertificate, Checkable),
    Channel: (ReportingChannel, PushChannel, Checkable),
    PaymentProvider: (RecurringProvider, ManualProvider, Checkable),
    InvoiceIssuer: (Checkable,),
}
# It is a part of paths and of lists that are separated by commas, and is stored for ever.
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}", re.ASCII)
_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)


def find_version_fault(stated: object, current: str = VERSION) -> str:
    """Return why a plugin written for the version `stated` of the hooks cannot run; "" if it can.

    The first number has to be the same; the second may be older, because additions are harmless.
    """
    numbers = _VERSION.fullmatch(stated) if isinstance(stated, str) else None
    if numbers is None:
        return f'states {HOOKS_VERSION_ATTRIBUTE} = {stated!r}; a text such as "1.0" is expected'
    major, minor = int(numbers[1]), int(numbers[2])
    our_major, our_minor = map(int, current.split("."))
    written = f"was written for version {stated} of the hooks, and this is version {current}: "
    if major < our_major:
        return f"{written}a newer release of the plugin is needed"
    if (major, minor) > (our_major, our_minor):
        return f"{written}a newer release of Prawko is needed"
    return ""


def pin_values(value: Any, protocol: type) -> Any:
    """Return the object with its name and its other values as they are now.

    The platform reads them outside of any guarded call, and the plugin's may be a property that
    raises or changes later. Everything else, and `READ_IN_CALLS`, is looked up in the plugin's
    object at each use.
    """
    kind = type(value)
    values: dict[str, Any] = {}
    others: dict[str, Any] = {
        "__class__": property(lambda _: kind),
        "__module__": kind.__module__,
        "__getattr__": lambda _, name: getattr(value, name),
    }
    declarations = {
        name: inspect.getattr_static(declaring, name)
        for declaring in (protocol, *OPTIONAL_PROTOCOLS[protocol])
        for name in _members(declaring)
    }
    for name, declared in declarations.items():
        if isinstance(declared, property) and name not in READ_IN_CALLS:
            with suppress(AttributeError):
                values[name] = _copy(getattr(value, name), declared)
        elif hasattr(value, name):
            others[name] = _delegate(value, name)
    pinned = type(kind.__name__, (), others)()
    vars(pinned).update(values)
    return pinned


def _delegate(value: Any, name: str) -> property:
    return property(lambda _: getattr(value, name))


def _copy(value: Any, declared: property) -> Any:
    """Return an equal value of exactly the declared type; one of another type as it is."""
    with suppress(PluginValueError):
        return validate_struct(value, _declared_type(declared))
    return value


def _declared_type(declared: property) -> type[Any]:
    expected: type[Any] = get_type_hints(declared.fget)["return"]
    return expected


def find_object_faults(value: Any, protocol: type) -> Iterator[str]:
    """Yield what an object lacks or has in another form than its protocol.

    Its attributes are read, which may run code of the plugin.
    """
    kind = type(value).__name__
    if missing := [name for name in _members(protocol) if not hasattr(value, name)]:
        yield f"{kind} has no {', '.join(missing)}"
        return
    if not (isinstance(value.name, str) and value.name):
        yield f"{kind} is an object without a name"
    elif not _NAME.fullmatch(value.name):
        yield (
            f"{kind}.name is {value.name[:60]!r}; up to 40 small letters, digits, hyphens and"
            " underscores are expected"
        )
    for declaring in (protocol, *OPTIONAL_PROTOCOLS[protocol]):
        inherited = () if declaring is protocol else _members(protocol)
        for name in sorted(set(_members(declaring)) - {"name", *inherited}):
            if hasattr(value, name) and (fault := _find_member_fault(value, name, declaring)):
                yield f"{kind}.{name} {fault}"
    if getattr(value, "medium", None) is Medium.PUSH:
        own = set(_members(PushChannel)) - set(_members(Channel))
        if missing := sorted(name for name in own if not hasattr(value, name)):
            yield f"{kind} is of the medium push and has no {', '.join(missing)}"


@cache
def _members(protocol: type) -> tuple[str, ...]:
    return tuple(name for name in dir(protocol) if not name.startswith("_"))


def _find_member_fault(value: Any, name: str, protocol: type) -> str:
    declared = inspect.getattr_static(protocol, name)
    present = getattr(value, name)
    if isinstance(declared, property):
        expected = _declared_type(declared)
        with suppress(PluginValueError):
            validate_struct(present, expected)
            return ""
        return f"is {_describe(present)}; {expected.__name__} is expected"
    if not callable(present):
        return f"is {_describe(present)}; a method is expected"
    if inspect.iscoroutinefunction(declared) is not _is_async(present):
        needed = "an `async` method" if inspect.iscoroutinefunction(declared) else "a plain method"
        return f"must be {needed}"
    return _find_signature_fault(declared, present)


def _is_async(function: Any) -> bool:
    candidates = (function, inspect.unwrap(function), getattr(function, "__call__", None))  # noqa: B004
    return any(inspect.iscoroutinefunction(one) for one in candidates)


def _find_signature_fault(declared: Any, present: Any) -> str:
    """Return why the platform cannot call the method: by position, and by name after the `*`."""
    [_, *parameters] = inspect.signature(declared).parameters.values()
    named = {one.name: None for one in parameters if one.kind is one.KEYWORD_ONLY}
    try:
        signature = inspect.signature(present)
    except (TypeError, ValueError):  # of a method that is not written in Python
        return ""
    try:
        signature.bind(*(None for one in parameters if one.name not in named), **named)
    except TypeError as error:
        expected = ", ".join(
            f"{one.name}=…" if one.name in named else one.name for one in parameters
        )
        return f"cannot be called as {declared.__name__}({expected}): {error}"
    return ""


def _describe(value: object) -> str:
    return f"{type(value).__name__} {str(value)[:60]!r}"
