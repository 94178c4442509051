"""The sandbox's hosted page, where a payer pays an order.

It needs no session. Its form has no fields: the panel rejects form bodies, as a defence against
forms of other sites.
"""

from litestar import Controller, MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from prawko.hooks.payments import PaymentState
from prawko.kit.errors import NotFoundError
from prawko.kit.money import format_amount
from prawko.kit.text.i18n import Language
from prawko_demo.dev_api.html_template import render_template
from prawko_demo.payments.provider import (
    HOSTED_PAGE_PATH,
    PageButton,
    PaymentEndedError,
    SandboxProvider,
)
from prawko_demo.payments.store import SandboxPayment

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",  # the check against other sites needs the buttons' origin
}
_METHODS = {"blik": "BLIK", "przelewy24": "Przelewy24"}
_POLISH_TEXTS = {
    "title": "Płatność",
    "order": "Zamówienie",
    "method": "Metoda",
    "to_pay": "Do zapłaty",
    "amount": "Kwota",
    "methods": {**_METHODS, "card": "Karta Visa •••• 4242"},
    "saved": "Karta zostanie zapamiętana na kolejne okresy.",
    "pay": "Zapłać",
    "fail": "Odrzuć płatność",
    "leave": "Wróć bez płacenia",
    "back": "Wróć do sklepu",
    "note": "To strona próbna. Nikt nie pobiera żadnych pieniędzy.",
    "paid": "Płatność przyjęta",
    "failed": "Płatność odrzucona",
    "ended": "Płatność przerwana",
}
_ENGLISH_TEXTS = {
    "title": "Payment",
    "order": "Order",
    "method": "Method",
    "to_pay": "To pay",
    "amount": "Amount",
    "methods": {**_METHODS, "card": "Card Visa •••• 4242"},
    "saved": "The card will be saved for further periods.",
    "pay": "Pay",
    "fail": "Refuse the payment",
    "leave": "Go back without paying",
    "back": "Back to the shop",
    "note": "This is a test page. Nobody takes any money.",
    "paid": "Payment accepted",
    "failed": "Payment refused",
    "ended": "Payment not finished",
}


class HostedPageController(Controller):
    """The page and its buttons."""

    path = "/pay/{key:str}"

    @get(media_type=MediaType.HTML)
    async def show_page(
        self, key: FromPath[str], sandbox: NamedDependency[SandboxProvider]
    ) -> Response[str]:
        payment = await sandbox.get_payment(key)
        if payment is None:
            raise NotFoundError
        return Response(render_page(payment), media_type="text/html", headers=_HEADERS)

    @post("/{button:str}")
    async def press_button(
        self,
        key: FromPath[str],
        button: FromPath[str],
        sandbox: NamedDependency[SandboxProvider],
    ) -> Redirect:
        """End the payment, post its webhook, and redirect the browser to the panel."""
        if button not in set(PageButton):
            raise NotFoundError
        try:
            payment = await sandbox.press_button(key, PageButton(button))
        except PaymentEndedError:  # in another tab: the page shows the result
            return Redirect(sandbox.page_url(key), status_code=303)
        if payment is None:
            raise NotFoundError
        await sandbox.send_webhooks(payment)
        return Redirect(payment.return_url, status_code=303)


def render_page(payment: SandboxPayment) -> str:
    """Return the page's HTML, in Polish or English by the payer's language."""
    language = Language.EN if payment.language == Language.EN else Language.PL
    is_open = payment.state is PaymentState.OPEN
    return render_template(
        "hosted_page",
        language=language.value,
        texts=_ENGLISH_TEXTS if language is Language.EN else _POLISH_TEXTS,
        title="title" if is_open else _outcome_key(payment),
        payment=payment,
        amount=format_amount(payment.grosze).replace(" ", "\N{NO-BREAK SPACE}"),
        is_open=is_open,
        path=f"{HOSTED_PAGE_PATH}{payment.key}",
    )


def _outcome_key(payment: SandboxPayment) -> str:
    if payment.state is not PaymentState.FAILED:
        return "paid"
    return "failed" if payment.reason == PageButton.FAILED else "ended"
