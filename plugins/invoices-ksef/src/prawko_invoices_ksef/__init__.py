"""Writes invoices as FA(3) documents of the National e-Invoicing System (KSeF)."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko_invoices_ksef.issuer import KsefIssuer

__all__ = ["KsefIssuer", "invoice_issuers"]


@hookimpl
def invoice_issuers(environment: Environment) -> list[KsefIssuer]:  # noqa: ARG001 (needs no setting)
    """One issuer, always: writing and checking ask nobody and need no account."""
    return [KsefIssuer()]
