"""The hooks: the platform calls each of them once per process, while it starts.

A hook returns objects; it is a plain function and must not block. Methods of those objects that
use the network are `async`.
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
    """Return the configured registers; the setting `REGISTER` names the one that decides."""


@hookspec
def channels(environment: Environment) -> Iterable[Channel]:  # type: ignore[empty-body]
    """Return the configured channels; `MAIL_CHANNEL` and the like name those in use."""


@hookspec
def payment_providers(environment: Environment) -> Iterable[PaymentProvider]:  # type: ignore[empty-body]
    """Return the configured providers; `PAYMENT_PROVIDERS` names those for new payments."""


@hookspec
def invoice_issuers(environment: Environment) -> Iterable[InvoiceIssuer]:  # type: ignore[empty-body]
    """Return the configured issuers; the setting `INVOICE_ISSUER` names the one in use."""
