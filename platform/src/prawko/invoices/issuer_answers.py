"""Validates what issuers' plugins return."""

from prawko.hooks.invoices import StructuredInvoice
from prawko.hooks.webhooks import MAX_EVENT_ID_LENGTH
from prawko.kit.providers.calls import PluginValueError

MAX_DOCUMENT_BYTES = 2 * 1024 * 1024


def validate_document(answer: object) -> StructuredInvoice:
    """Return a rendered document. Raises PluginValueError."""
    if not isinstance(answer, StructuredInvoice):
        raise PluginValueError(f"render returned {type(answer).__name__}")
    xml: object = answer.xml
    schema: object = answer.schema
    if not isinstance(xml, bytes) or not isinstance(schema, str):
        raise PluginValueError("render returned values of other types")
    if not 0 < len(xml) <= MAX_DOCUMENT_BYTES:
        raise PluginValueError(f"render returned a document of {len(xml)} bytes")
    if not (0 < len(schema) <= MAX_EVENT_ID_LENGTH and schema.isprintable()):
        raise PluginValueError("render returned a schema that cannot be stored")
    return answer
