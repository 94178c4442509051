"""Errors of the developer tools, with messages in English only."""

from prawko.kit.errors import AppError
from prawko.kit.text.i18n import Language


class DevApiError(AppError):
    """An error with its own message: the product's catalogues have no texts of the demo."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def message(self, language: Language) -> str:  # noqa: ARG002 (English only)
        return self._text


class UnprocessableRequestError(DevApiError):
    status = 422
    key = "not_understood"


class InvalidTimeError(DevApiError):
    status = 422
    key = "no_time"


class SimulatorUnavailableError(DevApiError):
    status = 503
    key = "simulator_gone"
