"""A refusal: a status, a stable key for programs, and a sentence for people."""

from collections.abc import Mapping
from typing import ClassVar

from prawko.base.texts import Language, say


class AppError(Exception):
    """The base of every refusal; one subclass each, in its domain's `errors.py`.

    The sentence stands in the texts under `errors.<key>`. `fields` maps a field of the
    request to the key of its own sentence; where there is one, the first of them is also
    the message, so that a toast shows what a form says (reading R19).
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
        """The sentence for people."""
        for text in self.fields.values():
            return say(text, language, **self.params)
        return say(f"errors.{self.key}", language, **self.params)

    def field_messages(self, language: Language) -> dict[str, str]:
        """The sentence of each refused field."""
        return {name: say(text, language, **self.params) for name, text in self.fields.items()}


class NotFoundError(AppError):
    """What is not yours and what does not exist look the same."""

    status = 404
    key = "not_found"


class AuthRequiredError(AppError):
    status = 401
    key = "auth_required"


class AuthForbiddenError(AppError):
    status = 403
    key = "auth_forbidden"


class ForeignSiteError(AppError):
    """A write that another site's page started."""

    status = 403
    key = "foreign_site"


class EmailUnverifiedError(AppError):
    status = 403
    key = "email_unverified"


class BadRequestError(AppError):
    """The request cannot be read: not JSON, unknown fields, wrong types."""

    status = 400
    key = "bad_request"


class TooManyRequestsError(AppError):
    status = 429
    key = "too_many_requests"


class ServerError(AppError):
    status = 500
    key = "server_error"


class UnavailableError(AppError):
    """A server we need is down; the caller may try again."""

    status = 503
    key = "unavailable"
