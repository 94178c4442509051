"""Errors that the API answers: a status, a stable key, and a translated sentence."""

from collections.abc import Mapping
from typing import ClassVar

from prawko.kit.text.i18n import Language, translate


class AppError(Exception):
    """Base of all errors of the API; each has a subclass in its domain's `errors.py`.

    The sentence is the text `errors.<key>`. `fields` maps fields of the request to keys of
    texts; with fields, the sentence of the first is the message (docs/rules.md R19).
    `retry_after` is in seconds.
    """

    status: ClassVar[int]
    key: ClassVar[str]

    def __init__(
        self,
        *,
        fields: Mapping[str, str] | None = None,
        retry_after: int | None = None,
        **params: object,
    ) -> None:
        super().__init__(self.key)
        self.fields = dict(fields or {})
        self.retry_after = retry_after
        self.params = params

    def message(self, language: Language) -> str:
        """Return the translated sentence."""
        for text in self.fields.values():
            return translate(text, language, **self.params)
        return translate(f"errors.{self.key}", language, **self.params)

    def field_messages(self, language: Language) -> dict[str, str]:
        """Return the translated sentence of each rejected field."""
        return {
            name: translate(text, language, **self.params) for name, text in self.fields.items()
        }


class NotFoundError(AppError):
    """There is no such object, or none that the caller may see."""

    status = 404
    key = "not_found"


class AuthRequiredError(AppError):
    status = 401
    key = "auth_required"


class OtherAccountError(AppError):
    """The page shows the account of another session, which a second tab has replaced meanwhile."""

    status = 401
    key = "auth_other_account"


class AuthForbiddenError(AppError):
    status = 403
    key = "auth_forbidden"


class CrossSiteRequestError(AppError):
    """A write request that a page of another site started."""

    status = 403
    key = "foreign_site"


class EmailUnverifiedError(AppError):
    status = 403
    key = "email_unverified"


class BadRequestError(AppError):
    """The request is malformed: not JSON, unknown fields, wrong types."""

    status = 400
    key = "bad_request"


class RequestTimeoutError(AppError):
    """The body of the request took too long to arrive."""

    status = 408
    key = "request_timeout"


class TooManyRequestsError(AppError):
    status = 429
    key = "too_many_requests"


class ServerError(AppError):
    status = 500
    key = "server_error"


class UnavailableError(AppError):
    """A server that the request needs is down; the caller may retry."""

    status = 503
    key = "unavailable"
