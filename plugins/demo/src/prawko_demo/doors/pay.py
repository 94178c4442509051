"""The sandbox's hosted page: what a payer sees between our order and our panel.

It belongs to somebody else, as far as the panel knows, and needs no session. Its buttons send
no fields: the panel takes JSON alone, because no other site's form can send that.
"""

from html import escape

from litestar import Controller, MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from prawko.base.errors import NotFoundError
from prawko.hooks.payments import Method, PaymentState
from prawko_demo.payments.provider import PAGE, Button, EndedError, SandboxProvider
from prawko_demo.payments.store import Kept

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",  # without it, the buttons would come from nowhere
}
_POLISH = {
    "title": "Płatność",
    "what": "Zamówienie",
    "method": "Metoda",
    "sum": "Do zapłaty",
    "amount": "Kwota",
    "card": "Karta Visa •••• 4242",
    "saved": "Karta zostanie zapamiętana na kolejne okresy.",
    "pay": "Zapłać {sum}",
    "fail": "Odrzuć płatność",
    "leave": "Wróć bez płacenia",
    "back": "Wróć do sklepu",
    "note": "To strona próbna. Nikt nie pobiera żadnych pieniędzy.",
    "paid": "Płatność przyjęta",
    "failed": "Płatność odrzucona",
    "ended": "Płatność przerwana",
}
_ENGLISH = {
    "title": "Payment",
    "what": "Order",
    "method": "Method",
    "sum": "To pay",
    "amount": "Amount",
    "card": "Card Visa •••• 4242",
    "saved": "The card will be saved for further periods.",
    "pay": "Pay {sum}",
    "fail": "Refuse the payment",
    "leave": "Go back without paying",
    "back": "Back to the shop",
    "note": "This is a test page. Nobody takes any money.",
    "paid": "Payment accepted",
    "failed": "Payment refused",
    "ended": "Payment not finished",
}
_PAGE = """\
<!doctype html>
<html lang="{language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>{title} | Sandbox</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/dev/page/page.css">
    <link rel="stylesheet" href="/dev/page/pay.css">
  </head>
  <body>
    <header class="rail"><p class="brand">Sandbox</p></header>
    <main class="till">
      <h1>{title}</h1>
      <dl>
        <div><dt>{what}</dt><dd>{order}</dd></div>
        <div><dt>{method}</dt><dd>{paid_by}</dd></div>
        <div class="sum"><dt>{to_pay}</dt><dd>{sum}</dd></div>
      </dl>
{acts}      <p class="soft">{note}</p>
    </main>
  </body>
</html>
"""


class PayDoor(Controller):
    """The page and its buttons."""

    path = "/pay/{key:str}"

    @get(media_type=MediaType.HTML)
    async def show(
        self, key: FromPath[str], sandbox: NamedDependency[SandboxProvider]
    ) -> Response[str]:
        kept = await sandbox.kept(key)
        if kept is None:
            raise NotFoundError
        return Response(_page(kept), media_type="text/html; charset=utf-8", headers=_HEADERS)

    @post("/{button:str}")
    async def press(
        self,
        key: FromPath[str],
        button: FromPath[str],
        sandbox: NamedDependency[SandboxProvider],
    ) -> Redirect:
        """End the payment, call our webhook of it, and send the browser back."""
        if button not in set(Button):
            raise NotFoundError
        try:
            kept = await sandbox.press(key, Button(button))
        except EndedError:  # pressed in another tab: the page says what came of it
            return Redirect(sandbox.page(key), status_code=303)
        if kept is None:
            raise NotFoundError
        await sandbox.tell(kept)
        return Redirect(kept.return_url, status_code=303)


def _page(kept: Kept) -> str:
    words = _ENGLISH if kept.language == "en" else _POLISH
    amount = _amount(kept)
    methods = {Method.CARD: words["card"], Method.BLIK: "BLIK", Method.PRZELEWY24: "Przelewy24"}
    is_open = kept.state is PaymentState.OPEN
    return _PAGE.format(
        language="en" if words is _ENGLISH else "pl",
        title=words["title"] if is_open else words[_ending(kept)],
        what=words["what"],
        order=escape(kept.title),
        method=words["method"],
        paid_by=methods.get(kept.method, kept.method.value),
        to_pay=words["sum" if is_open else "amount"],
        sum=amount,
        acts=_buttons(kept, words, amount) if is_open else _link(kept, words),
        note=words["note"],
    )


def _buttons(kept: Kept, words: dict[str, str], amount: str) -> str:
    buttons = (
        (Button.PAID, words["pay"].format(sum=amount), ""),
        (Button.FAILED, words["fail"], ' class="quiet"'),
        (Button.ABANDONED, words["leave"], ' class="quiet"'),
    )
    saved = f'      <p class="soft">{words["saved"]}</p>\n' if kept.save else ""
    listed = "".join(
        f'        <button formaction="{PAGE}{kept.key}/{button.value}"{look}>{text}</button>\n'
        for button, text, look in buttons
    )
    return f'{saved}      <form method="post">\n{listed}      </form>\n'


def _link(kept: Kept, words: dict[str, str]) -> str:
    return f'      <p><a href="{escape(kept.return_url)}">{words["back"]}</a></p>\n'


def _ending(kept: Kept) -> str:
    if kept.state is not PaymentState.FAILED:
        return "paid"
    return "failed" if kept.reason == Button.FAILED else "ended"


def _amount(kept: Kept) -> str:
    """`1 183,27 zł` in Polish, `PLN 1,183.27` in English, with blanks that do not break."""
    whole, cents = divmod(kept.grosze, 100)
    if kept.language == "en":
        return f"{kept.currency}\N{NO-BREAK SPACE}{whole:,}.{cents:02}"
    unit = "zł" if kept.currency == "PLN" else kept.currency
    grouped = f"{whole:,}".replace(",", "\N{NO-BREAK SPACE}")
    return f"{grouped},{cents:02}\N{NO-BREAK SPACE}{unit}"
