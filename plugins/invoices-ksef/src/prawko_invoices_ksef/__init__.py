"""An invoice issuer: FA(3) documents of the National e-Invoicing System (KSeF)."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko_invoices_ksef.issuer import KsefIssuer

__all__ = ["KsefIssuer", "invoice_issuers"]

prawko_hooks = "1.0"


@hookimpl
def invoice_issuers(environment: Environment) -> list[KsefIssuer]:  # noqa: ARG001 (no settings)
    """Return the issuer, always: rendering and validating need no account and no network."""
    return [KsefIssuer()]
