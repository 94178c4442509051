"""The questions the platform asks its plugins, once, while it starts.

A hook only hands over objects; it is a plain function and must not wait for anything.
Whatever talks to a network is an `async` method of the object.
"""

from collections.abc import Iterable

from prawko.hooks import hookspec
from prawko.hooks.channels import Channel
from prawko.hooks.environment import Environment
from prawko.hooks.invoices import InvoiceIssuer
from prawko.hooks.licence_register import LicenceRegister
from prawko.hooks.payments import PaymentProvider


@hookspec
def licence_registers(environment: Environment) -> Iterable[LicenceRegister]:  # type: ignore[empty-body]
    """Return the registers this plugin can ask; `REGISTER` names the one that decides."""


@hookspec
def channels(environment: Environment) -> Iterable[Channel]:  # type: ignore[empty-body]
    """Return the channels this plugin delivers through; none if it is not configured."""


@hookspec
def payment_providers(environment: Environment) -> Iterable[PaymentProvider]:  # type: ignore[empty-body]
    """Return the providers this plugin takes payments through; none if it is not configured."""


@hookspec
def invoice_issuers(environment: Environment) -> Iterable[InvoiceIssuer]:  # type: ignore[empty-body]
    """Return the ways this plugin has to a structured invoice; `INVOICE_ISSUER` names the one."""
