"""The sandbox's hosted page, where a payer pays an order.

It needs no session. Its form has no fields: the panel rejects form bodies, as a defence against
forms of other sites.
"""

from html import escape

from litestar import Controller, MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from prawko.base.errors import NotFoundError
from prawko.base.i18n import Language
from prawko.base.money import format_amount
from prawko.hooks.payments import PaymentMethod, PaymentState
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
_POLISH_TEXTS = {
    "title": "Płatność",
    "order": "Zamówienie",
    "method": "Metoda",
    "to_pay": "Do zapłaty",
    "amount": "Kwota",
    "card": "Karta Visa •••• 4242",
    "saved": "Karta zostanie zapamiętana na kolejne okresy.",
    "pay": "Zapłać {amount}",
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
    "card": "Card Visa •••• 4242",
    "saved": "The card will be saved for further periods.",
    "pay": "Pay {amount}",
    "fail": "Refuse the payment",
    "leave": "Go back without paying",
    "back": "Back to the shop",
    "note": "This is a test page. Nobody takes any money.",
    "paid": "Payment accepted",
    "failed": "Payment refused",
    "ended": "Payment not finished",
}
_PAGE_TEMPLATE = """\
<!doctype html>
<html lang="{language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>{title} | Sandbox</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/dev/page/page.css">
    <link rel="stylesheet" href="/dev/page/hosted_page.css">
  </head>
  <body>
    <header class="rail"><p class="brand">Sandbox</p></header>
    <main class="checkout">
      <h1>{title}</h1>
      <dl>
        <div><dt>{order_label}</dt><dd>{order}</dd></div>
        <div><dt>{method_label}</dt><dd>{method}</dd></div>
        <div class="sum"><dt>{amount_label}</dt><dd>{amount}</dd></div>
      </dl>
{actions}      <p class="soft">{note}</p>
    </main>
  </body>
</html>
"""


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
        return Response(
            render_page(payment), media_type="text/html; charset=utf-8", headers=_HEADERS
        )

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
    texts = _ENGLISH_TEXTS if language is Language.EN else _POLISH_TEXTS
    amount = format_amount(payment.grosze, language).replace(" ", "\N{NO-BREAK SPACE}")
    methods = {
        PaymentMethod.CARD: texts["card"],
        PaymentMethod.BLIK: "BLIK",
        PaymentMethod.PRZELEWY24: "Przelewy24",
    }
    is_open = payment.state is PaymentState.OPEN
    return _PAGE_TEMPLATE.format(
        language=language.value,
        title=texts["title"] if is_open else texts[_outcome_key(payment)],
        order_label=texts["order"],
        order=escape(payment.title),
        method_label=texts["method"],
        method=methods.get(payment.method, payment.method.value),
        amount_label=texts["to_pay" if is_open else "amount"],
        amount=amount,
        actions=_render_buttons(payment, texts, amount)
        if is_open
        else _render_back_link(payment, texts),
        note=texts["note"],
    )


def _render_buttons(payment: SandboxPayment, texts: dict[str, str], amount: str) -> str:
    buttons = (
        (PageButton.PAID, texts["pay"].format(amount=amount), ""),
        (PageButton.FAILED, texts["fail"], ' class="quiet"'),
        (PageButton.ABANDONED, texts["leave"], ' class="quiet"'),
    )
    saved = f'      <p class="soft">{texts["saved"]}</p>\n' if payment.save else ""
    path = f"{HOSTED_PAGE_PATH}{payment.key}"
    rows = "".join(
        f'        <button formaction="{path}/{button.value}"{css_class}>{text}</button>\n'
        for button, text, css_class in buttons
    )
    return f'{saved}      <form method="post">\n{rows}      </form>\n'


def _render_back_link(payment: SandboxPayment, texts: dict[str, str]) -> str:
    return f'      <p><a href="{escape(payment.return_url)}">{texts["back"]}</a></p>\n'


def _outcome_key(payment: SandboxPayment) -> str:
    if payment.state is not PaymentState.FAILED:
        return "paid"
    return "failed" if payment.reason == PageButton.FAILED else "ended"
