"""Translates errors of mail servers to the errors that all channels share.

4xx replies are temporary. A refused login, sender or greeting is about our account. A refused
recipient is permanent, unless the server requires a login or does not relay for us; refused
content says nothing about the address and is temporary.
"""

import re
import ssl

import aiosmtplib

from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError

FIRST_PERMANENT_CODE = 500
_LOGIN_REQUIRED_CODES = {530, 535}
_REFUSED_CODES = {550, 554}
_BAD_ADDRESS = re.compile(r"\b5\.[12]\.\d{1,3}\b")
_POLICY = re.compile(r"\b5\.7\.\d{1,3}\b")
# As a separate word: hosts and mailboxes are called relay, too.
_RELAY_REFUSED = re.compile(r"(?<![\w.@-])(?:relay|authenticat)(?![\w-]*[.@]\w)", re.IGNORECASE)


def translate_error(error: Exception, recipient: str = "") -> DeliveryError | ProviderAccountError:
    """Return the error for an exception of aiosmtplib or the connection.

    Servers quote the address of the `recipient`; the error does not.
    """
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return _error_for_reply(error.recipients[0], recipient)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return _error_for_reply(error, recipient)
    if isinstance(error.__cause__ or error, ssl.SSLCertVerificationError):
        return ProviderAccountError("the server's certificate cannot be trusted")
    if type(error) is aiosmtplib.SMTPException:  # no STARTTLS, or no common way to log in
        return ProviderAccountError(f"the server does not support the settings: {error.message}")
    is_refused = isinstance(error, aiosmtplib.SMTPConnectError)
    return DeliveryError(f"the connection failed ({type(error).__name__})", not_taken=is_refused)


def _error_for_reply(
    error: aiosmtplib.SMTPResponseException, recipient: str
) -> DeliveryError | ProviderAccountError:
    said = error.message
    if recipient:
        said = re.sub(re.escape(recipient), "…", said, flags=re.IGNORECASE)
    summary = f"the server answered {error.code} {said}"
    if error.code < FIRST_PERMANENT_CODE:
        return DeliveryError(summary, not_taken=True)
    if isinstance(error, aiosmtplib.SMTPDataError):
        return DeliveryError(summary, permanent=bool(_BAD_ADDRESS.search(error.message)))
    if isinstance(error, aiosmtplib.SMTPRecipientRefused) and not _is_account_refusal(error):
        return DeliveryError(summary, permanent=True)
    return ProviderAccountError(summary)


def _is_account_refusal(error: aiosmtplib.SMTPRecipientRefused) -> bool:
    """Return whether a server refuses a recipient because of our account."""
    if error.code in _LOGIN_REQUIRED_CODES:
        return True
    if not _RELAY_REFUSED.search(error.message) or _BAD_ADDRESS.search(error.message):
        return False
    return error.code in _REFUSED_CODES or bool(_POLICY.search(error.message))
