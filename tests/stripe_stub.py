"""Stripe as its documents describe it, on a real socket of this machine, with its payers."""

import json
import re
from functools import partial

from aiohttp import web
from stripe import WebhookSignature

from carriers import Carrier
from forms import names_of, nested
from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import Order, PaymentRef, Redirect

KEY = "sk_test_prawko"
SECRET = "whsec_first"
VERSION = "2026-10-28.endive"
DAY = 24 * 3600

# Which parameters each call takes, as the SDK's types of this version name them; others are
# refused, as Stripe refuses them. A star takes everything below it.
PARAMS = {
    "POST checkout/sessions": {
        "mode", "client_reference_id", "metadata.*", "payment_intent_data.description",
        "payment_intent_data.metadata.*", "payment_intent_data.setup_future_usage",
        "line_items.*.quantity", "line_items.*.price_data.currency",
        "line_items.*.price_data.unit_amount", "line_items.*.price_data.product_data.name",
        "allowed_payment_method_types.*", "adaptive_pricing.enabled", "locale", "success_url",
        "cancel_url", "customer", "customer_email", "customer_creation", "expires_at",
    },
    "GET checkout/sessions": {
        "created.gte", "customer", "payment_intent", "limit", "starting_after",
    },
    "POST payment_intents": {
        "amount", "currency", "customer", "payment_method", "description", "metadata.*",
        "automatic_payment_methods.enabled", "automatic_payment_methods.allow_redirects",
        "off_session", "confirm", "expand.*",
    },
    "GET payment_intents": {"customer", "limit", "expand.*"},
    "GET payment_intents/search": {"query", "limit", "expand.*"},
    "POST refunds": {"payment_intent", "amount", "metadata.*"},
    "GET refunds": {"payment_intent", "limit"},
    "GET payment_method_configurations": {"limit"},
}  # fmt: skip


class RefusalError(Exception):
    """An error object of Stripe's, and its status."""

    def __init__(self, status: int, kind: str, **about: object) -> None:
        super().__init__(kind)
        self.status = status
        self.error = {"type": kind, "message": "Somebody's address: anna@acme.test", **about}


def invalid(code: str | None = None, param: str | None = None, status: int = 400) -> RefusalError:
    about = {"code": code, "param": param}
    named = {name: value for name, value in about.items() if value is not None}
    return RefusalError(status, "invalid_request_error", **named)


class FakeStripe(Carrier):
    """Keeps pages, payments, customers and refunds, and refuses what the real one would."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions: dict[str, dict] = {}
        self.intents: dict[str, dict] = {}
        self.charged: dict[str, dict] = {}
        self.methods: dict[str, dict] = {}
        self.customers: set[str] = set()
        self.refund_objects: dict[str, dict] = {}
        self.answered: dict[str, tuple[str, int, dict]] = {}
        self.asked: list[tuple[str, dict]] = []
        self.headers: list[dict[str, str]] = []
        self.now = int(machine_now().timestamp())
        self.search_is_late = False
        self.offers = {"card": True, "blik": True, "p24": True}
        self.declines: dict[str, object] | None = None  # what a saved card's bank says

    async def take(self, request: web.Request) -> web.Response:
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        text = (await request.text()) if request.method == "POST" else request.query_string
        try:
            status, answer = self.answer(request, text)
        except RefusalError as refusal:
            status, answer = refusal.status, {"error": refusal.error}
        return web.json_response(answer, status=status, headers={"Request-Id": "req_1"})

    def answer(self, request: web.Request, text: str) -> tuple[int, dict]:
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            raise invalid(status=401)
        assert request.headers["Stripe-Version"] == VERSION
        key = request.headers.get("Idempotency-Key", "")
        asked = f"{request.path}?{text}"
        if request.method == "POST" and key in self.answered:
            before, status, answer = self.answered[key]
            if before != asked:
                raise RefusalError(400, "idempotency_error")
            return status, answer
        try:
            status, answer = 200, self.route(request, nested(text))
        except RefusalError as refusal:
            if refusal.status != 402:
                raise
            status, answer = 402, {"error": refusal.error}
        if request.method == "POST":
            self.answered[key] = (asked, status, json.loads(json.dumps(answer)))
        return status, answer

    def route(self, request: web.Request, params: dict) -> dict:
        path = request.path.removeprefix("/v1/")
        called = f"{request.method} {path}"
        self.asked.append((called, params))
        if called in PARAMS:
            self.check_names(PARAMS[called], params)
        whole = {
            "POST checkout/sessions": self.open_page,
            "GET checkout/sessions": partial(self.listed, "checkout/sessions", self.sessions),
            "POST payment_intents": self.charge,
            "GET payment_intents": partial(self.listed, "payment_intents", self.intents),
            "GET payment_intents/search": self.search,
            "POST refunds": self.refund,
            "GET refunds": partial(self.listed, "refunds", self.refund_objects),
            "GET payment_method_configurations": self.configurations,
        }
        if called in whole:
            return whole[called](params)
        folder, _, name = path.removesuffix("/expire").removesuffix("/cancel").rpartition("/")
        kept = {"checkout/sessions": self.sessions, "payment_intents": self.intents}.get(folder)
        if kept is None:
            raise invalid(status=404)
        one = found(kept, name)
        ending = {"expire": self.expire, "cancel": self.end}.get(path.rpartition("/")[2])
        return ending(one) if ending else self.whole(one, params)

    @staticmethod
    def check_names(taken: set[str], params: dict) -> None:
        for name in names_of(params):
            if re.sub(r"(?<=metadata\.).+|\b\d+\b", "*", name) not in taken:
                raise invalid("parameter_unknown", name)

    def open_page(self, params: dict) -> dict:
        [item] = params["line_items"].values()
        [kind] = params["allowed_payment_method_types"].values()
        expires = int(params.get("expires_at", self.now + DAY))
        if not self.now + 1800 <= expires <= self.now + DAY:
            raise invalid("parameter_invalid_integer", "expires_at")
        if "@" not in params.get("customer_email", "@"):
            raise invalid("email_invalid", "customer_email")
        if "customer" in params and params["customer"] not in self.customers:
            raise invalid("resource_missing", "customer")
        amount = int(item["price_data"]["unit_amount"])
        name = f"cs_test_a{len(self.sessions)}"
        offered = [kind] if self.offers[kind] else ["card"]
        self.sessions[name] = {
            "id": name, "object": "checkout.session", "amount_total": amount,
            "amount_subtotal": amount, "created": self.now,
            "currency": item["price_data"]["currency"], "customer": params.get("customer"),
            "customer_creation": params.get("customer_creation"),
            "client_reference_id": params["client_reference_id"],
            "expires_at": expires, "livemode": False, "metadata": params.get("metadata", {}),
            "mode": params["mode"], "payment_intent": None, "payment_status": "unpaid",
            "payment_method_types": offered, "status": "open",
            "locale": params["locale"], "success_url": params["success_url"],
            "cancel_url": params["cancel_url"],
            "url": f"https://checkout.stripe.test/c/pay/{name}",
        }  # fmt: skip
        self.sessions[name]["_data"] = params["payment_intent_data"]
        return public(self.sessions[name])

    def expire(self, session: dict) -> dict:
        if session["status"] != "open":
            raise invalid()
        session.update(status="expired", url=None)
        return public(session)

    def intent(self, amount: int, currency: str, metadata: dict, **about: object) -> dict:
        name = f"pi_{len(self.intents)}"
        self.intents[name] = {
            "id": name, "object": "payment_intent", "amount": amount, "amount_received": 0,
            "created": self.now, "currency": currency, "customer": None, "livemode": False,
            "metadata": metadata, "payment_method": None, "latest_charge": None,
            "setup_future_usage": None, "last_payment_error": None,
            "status": "requires_payment_method", **about,
        }  # fmt: skip
        return self.intents[name]

    def take_money(self, intent: dict, amount: int | None = None) -> None:
        name = f"ch_{len(self.charged)}"
        self.charged[name] = {
            "id": name, "object": "charge", "amount": amount or intent["amount"],
            "amount_refunded": 0, "refunded": False, "currency": intent["currency"],
            "payment_intent": intent["id"], "metadata": dict(intent["metadata"]),
        }  # fmt: skip
        intent.update(status="succeeded", latest_charge=name, last_payment_error=None)
        intent["amount_received"] = amount or intent["amount"]

    def charge(self, params: dict) -> dict:
        if params["customer"] not in self.customers:
            raise invalid("resource_missing", "customer")
        method = self.methods.get(params["payment_method"])
        if method is None or method["customer"] != params["customer"]:
            raise invalid("resource_missing", "payment_method")
        assert params["off_session"] == params["confirm"] == "true"
        intent = self.intent(
            int(params["amount"]), params["currency"], params["metadata"],
            customer=params["customer"], payment_method=method["id"],
        )  # fmt: skip
        if self.declines is not None:
            error = {"type": "card_error", **self.declines}
            intent.update(last_payment_error=error, payment_method=None)
            raise RefusalError(402, "card_error", **self.declines, payment_intent=public(intent))
        self.take_money(intent)
        return self.whole(intent, params)

    def end(self, intent: dict) -> dict:
        if intent["status"] in {"succeeded", "canceled"}:
            raise invalid("payment_intent_unexpected_state")
        intent["status"] = "canceled"
        return public(intent)

    def refund(self, params: dict) -> dict:
        intent = found(self.intents, params["payment_intent"])
        if intent["latest_charge"] is None:
            raise invalid("resource_missing", "payment_intent")
        charge = self.charged[intent["latest_charge"]]
        amount = int(params["amount"])
        if amount > charge["amount"] - charge["amount_refunded"]:
            raise invalid(param="amount")
        charge["amount_refunded"] += amount
        charge["refunded"] = charge["amount_refunded"] == charge["amount"]
        name = f"re_{len(self.refund_objects)}"
        self.refund_objects[name] = {
            "id": name, "object": "refund", "amount": amount, "created": self.now,
            "currency": intent["currency"], "metadata": params.get("metadata", {}),
            "payment_intent": intent["id"], "charge": charge["id"], "status": "succeeded",
        }  # fmt: skip
        return self.refund_objects[name]

    def configurations(self, _: dict) -> dict:
        kinds = {
            name: {"available": on, "display_preference": {"value": "on"}}
            for name, on in self.offers.items()
        }
        own = {"id": "pmc_1", "object": "payment_method_configuration", "active": True,
               "is_default": True, "application": None, "livemode": False, **kinds}  # fmt: skip
        off = {name: {"available": not value["available"]} for name, value in kinds.items()}
        others = [{**own, "id": f"pmc_{name}", **off, name: value} for name, value in
                  (("active", False), ("is_default", False), ("application", "ca_1"))]  # fmt: skip
        return page("payment_method_configurations", [own, *others])

    def listed(self, url: str, objects: dict[str, dict], params: dict) -> dict:
        newest = list(reversed(objects.values()))
        since = int(params.get("created", {}).get("gte", 0))
        wanted = [one for one in newest if one["created"] >= since and all(
            one[name] == params[name]
            for name in ("customer", "payment_intent") if name in params
        )]  # fmt: skip
        if (after := params.get("starting_after")) is not None:
            wanted = wanted[[one["id"] for one in wanted].index(after) + 1 :]
        limit = int(params.get("limit", 10))
        return page(url, [self.whole(one, params, "data.") for one in wanted[:limit]],
                    more=len(wanted) > limit)  # fmt: skip

    def search(self, params: dict) -> dict:
        terms = re.findall(r"metadata\['(\w+)'\]:'(\w+)'", params["query"])
        assert params["query"] == " OR ".join(f"metadata['{n}']:'{v}'" for n, v in terms)
        matched = [] if self.search_is_late else [
            self.whole(one, params, "data.") for one in reversed(self.intents.values())
            if any(one["metadata"].get(name) == value for name, value in terms)
        ]  # fmt: skip
        return {**page("payment_intents/search", matched), "object": "search_result"}

    def whole(self, thing: dict, params: dict, prefix: str = "") -> dict:
        paths = list(params.get("expand", {}).values())
        assert all(path.startswith(prefix) for path in paths)
        return self.expanded(thing, [path.removeprefix(prefix) for path in paths])

    def expanded(self, thing: dict, paths: list[str]) -> dict:
        """An object with what was asked to be put in instead of its id."""
        thing = public(thing)
        kept = {"payment_intent": self.intents, "latest_charge": self.charged,
                "payment_method": self.methods}  # fmt: skip
        for first in {path.partition(".")[0] for path in paths}:
            deeper = [path.partition(".")[2] for path in paths if path.startswith(f"{first}.")]
            if (name := thing[first]) is not None:
                thing[first] = self.expanded(kept[first][name], deeper)
        return thing

    async def pay(self, redirect: Redirect) -> Callback:
        """Be the payer, who pays on the page; return Stripe's call."""
        return self.completed(redirect.ref.provider_ref)

    def completed(self, name: str) -> Callback:
        session = self.sessions[name]
        data = session["_data"]
        intent = self.intent(
            session["amount_total"], session["currency"], dict(data["metadata"]),
            setup_future_usage=data.get("setup_future_usage"),
        )  # fmt: skip
        if session["customer_creation"] == "always":
            session["customer"] = f"cus_{len(self.customers)}"
            self.customers.add(session["customer"])
        method = f"pm_{len(self.methods)}"
        saved = session["customer"] if data.get("setup_future_usage") else None
        self.methods[method] = {
            "id": method, "object": "payment_method", "type": "card", "customer": saved,
            "card": {"brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2030},
        }  # fmt: skip
        intent.update(customer=session["customer"], payment_method=method)
        self.take_money(intent)
        session.update(status="complete", payment_status="paid", payment_intent=intent["id"],
                       url=None)  # fmt: skip
        return event_call("checkout.session.completed", public(session))

    def refunded(self, ref: PaymentRef) -> int:
        return sum(
            one["amount_refunded"] for one in self.charged.values()
            if ref.key in one["metadata"].values()
        )  # fmt: skip

    def charges(self, order: Order) -> int:
        return sum(
            one["metadata"].get("prawko_charge") == order.key for one in self.charged.values()
        )

    def forgets_keys(self) -> None:
        """A day passes: what was answered to an idempotency key is forgotten."""
        self.answered.clear()

    def ages(self, hours: int) -> None:
        """Everything so far is older by that much."""
        for kept in (self.sessions, self.intents):
            for one in kept.values():
                one["created"] -= hours * 3600


def found(things: dict[str, dict], name: str) -> dict:
    if name not in things:
        raise invalid("resource_missing", "id", status=404)
    return things[name]


def page(url: str, things: list[dict], *, more: bool = False) -> dict:
    return {"object": "list", "data": things, "has_more": more, "url": f"/v1/{url}"}


def public(thing: dict) -> dict:
    return {name: value for name, value in thing.items() if not name.startswith("_")}


def event(kind: str, thing: dict, **changed: object) -> dict:
    """An event as Stripe sends it."""
    return {
        "id": f"evt_{kind.replace('.', '_')}_{thing.get('id', 1)}", "object": "event",
        "api_version": VERSION, "created": int(machine_now().timestamp()), "type": kind,
        "livemode": False, "pending_webhooks": 1, "data": {"object": thing},
        "request": {"id": None, "idempotency_key": None}, **changed,
    }  # fmt: skip


def event_call(kind: str, thing: dict, **changed: object) -> Callback:
    return call(event(kind, thing, **changed))


def call(
    values: object, *, secret: str = SECRET, age: float = 0, header: str | None = None
) -> Callback:
    """A signed call with these values, or with these bytes as they are."""
    body = values if isinstance(values, bytes) else json.dumps(values).encode()
    if header is None:
        at = int(machine_now().timestamp() - age)
        header = WebhookSignature.generate_signature_header(
            body.decode("utf-8", "replace"), secret, at
        )
    return Callback(
        headers={"stripe-signature": header}, query={}, body=body, received_at=machine_now()
    )
