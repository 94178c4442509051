"""The sandbox's payments: what its hosted page does, for scripts, and what its cards will do."""

from typing import Annotated
from urllib.parse import urlsplit

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from prawko.base.schemas import Incoming, Outgoing
from prawko.hooks.payments import Method, PaymentState
from prawko_demo.doors.errors import NotUnderstoodError
from prawko_demo.doors.work import Work
from prawko_demo.payments.provider import PAGE, Button, EndedError, SandboxProvider
from prawko_demo.payments.store import Kept, Mood

MOST_SHOWN = 20
Times = Annotated[int, Meta(ge=1, le=100)]


class PressIn(Incoming):
    """The page's address, one of its buttons, and how often the sandbox calls us of it."""

    url: str
    result: Button
    times: Times = 1


class PressOut(Outgoing):
    """What became of the payment, and what our webhook answered to each call."""

    key: str
    state: PaymentState
    answers: list[int]
    return_url: str


class PaymentOut(Outgoing):
    """A payment as the sandbox knows it. `gross` is in grosze."""

    key: str
    url: str
    title: str
    method: Method
    gross: int
    currency: str
    state: PaymentState
    reason: str
    charges: int


class PaymentsDoor(Controller):
    """Presses the buttons of the hosted page."""

    path = "/payments"

    @get()
    async def show(self, sandbox: NamedDependency[SandboxProvider]) -> list[PaymentOut]:
        """The latest payments, newest first."""
        return [_shown(kept, sandbox) for kept in await sandbox.newest(MOST_SHOWN)]

    @post(status_code=200)
    async def press(
        self,
        data: JSONBody[PressIn],
        sandbox: NamedDependency[SandboxProvider],
        work: NamedDependency[Work],
    ) -> PressOut:
        """End a payment, have our webhook called of it, and work on what was called."""
        try:
            key = urlsplit(data.url).path.removeprefix(PAGE)
            kept = await sandbox.press(key, data.result)
        except EndedError as error:
            raise NotUnderstoodError(f"This payment has ended already: {error}.") from None
        except ValueError:
            raise NotUnderstoodError("This is no address.") from None
        if kept is None:
            raise NotUnderstoodError("This is no page of the sandbox's.")
        answers = await sandbox.tell(kept, data.times)
        await work.take_payments()
        after = await sandbox.kept(key) or kept
        return PressOut(key=key, state=after.state, answers=answers, return_url=after.return_url)

    @get("/charges")
    async def next_charges(self, sandbox: NamedDependency[SandboxProvider]) -> Mood:
        return await sandbox.mood()

    @put("/charges")
    async def choose_charges(
        self, data: JSONBody[Mood], sandbox: NamedDependency[SandboxProvider]
    ) -> Mood:
        """Choose what becomes of the next charges of saved cards."""
        await sandbox.set_mood(data)
        return data


def _shown(kept: Kept, sandbox: SandboxProvider) -> PaymentOut:
    return PaymentOut(
        key=kept.key,
        url=sandbox.page(kept.key),
        title=kept.title,
        method=kept.method,
        gross=kept.grosze,
        currency=kept.currency,
        state=kept.state,
        reason=kept.reason,
        charges=kept.charges,
    )
