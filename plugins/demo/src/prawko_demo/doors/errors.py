"""What the doors refuse. Their sentences are for the people who try the product: in English."""

from prawko.base.errors import AppError
from prawko.base.texts import Language


class DoorError(AppError):
    """A refusal that says its own sentence: the product's texts know nothing of the demo."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self._sentence = sentence

    def message(self, language: Language) -> str:  # noqa: ARG002 (there is one language)
        return self._sentence


class NotUnderstoodError(DoorError):
    status = 422
    key = "not_understood"


class NoTimeError(DoorError):
    status = 422
    key = "no_time"


class SimulatorGoneError(DoorError):
    status = 503
    key = "simulator_gone"
