"""A fake of Stripe on a real socket, with its payers."""

import json
import re
from functools import partial
from urllib.parse import parse_qsl

from aiohttp import web
from stripe import WebhookSignature

from prawko.hooks.payments import NextAction, PaymentRef, PaymentRequest
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from support.servers.carriers import FakeServer


def parse_nested_form(text: str) -> dict:
    """Parse a form with brackets in its names, as Stripe's, to nested dicts."""
    tree: dict = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        *parents, last = [part.rstrip("]") for part in name.split("[")]
        node = tree
        for part in parents:
            node = node.setdefault(part, {})
        node[last] = value
    return tree


def field_names(tree: dict, prefix: str = "") -> list[str]:
    return [
        name
        for part, value in tree.items()
        for name in (
            field_names(value, f"{prefix}{part}.")
            if isinstance(value, dict)
            else [f"{prefix}{part}"]
        )
    ]


SECRET_KEY = "sk_test_prawko"
WEBHOOK_SECRET = "whsec_first"
VERSION = "2026-10-28.endive"
DAY = 24 * 3600

# The parameters of each call, as the SDK's types of this version name them; others are refused,
# as Stripe refuses them. A star stands for everything below it.
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


class StripeApiError(Exception):
    """An error object of Stripe's with its status."""

    def __init__(self, status: int, kind: str, **fields: object) -> None:
        super().__init__(kind)
        self.status = status
        self.error = {"type": kind, "message": "Somebody's address: anna@acme.test", **fields}


def invalid_request(
    code: str | None = None, param: str | None = None, status: int = 400
) -> StripeApiError:
    optional = {"code": code, "param": param}
    given = {name: value for name, value in optional.items() if value is not None}
    return StripeApiError(status, "invalid_request_error", **given)


class FakeStripe(FakeServer):
    """Stores sessions, payments, customers and refunds, and refuses what Stripe would."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions: dict[str, dict] = {}
        self.intents: dict[str, dict] = {}
        self.charge_objects: dict[str, dict] = {}
        self.methods: dict[str, dict] = {}
        self.customers: set[str] = set()
        self.refund_objects: dict[str, dict] = {}
        self.idempotent_responses: dict[str, tuple[str, int, dict]] = {}
        self.requests: list[tuple[str, dict]] = []
        self.headers: list[dict[str, str]] = []
        self.now = int(utc_now().timestamp())
        self.search_lags = False
        self.enabled_methods = {"card": True, "blik": True, "p24": True}
        self.decline_error: dict[str, object] | None = None  # the error of charges of saved cards

    async def handle_request(self, request: web.Request) -> web.Response:
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        text = (await request.text()) if request.method == "POST" else request.query_string
        try:
            status, answer = self.respond(request, text)
        except StripeApiError as error:
            status, answer = error.status, {"error": error.error}
        return web.json_response(answer, status=status, headers={"Request-Id": "req_1"})

    def respond(self, request: web.Request, text: str) -> tuple[int, dict]:
        authorization = request.headers.get("Authorization", "")
        if authorization != f"Bearer {SECRET_KEY}":
            key = authorization.removeprefix("Bearer ")
            message = f"Invalid API Key provided: {key}"
            raise StripeApiError(401, "invalid_request_error", message=message)
        assert request.headers["Stripe-Version"] == VERSION
        key = request.headers.get("Idempotency-Key", "")
        asked = f"{request.path}?{text}"
        if request.method == "POST" and key in self.idempotent_responses:
            before, status, answer = self.idempotent_responses[key]
            if before != asked:
                raise StripeApiError(400, "idempotency_error")
            return status, answer
        try:
            status, answer = 200, self.route(request, parse_nested_form(text))
        except StripeApiError as error:
            if error.status != 402:
                raise
            status, answer = 402, {"error": error.error}
        if request.method == "POST":
            self.idempotent_responses[key] = (asked, status, json.loads(json.dumps(answer)))
        return status, answer

    def route(self, request: web.Request, params: dict) -> dict:
        path = request.path.removeprefix("/v1/")
        called = f"{request.method} {path}"
        self.requests.append((called, params))
        if called in PARAMS:
            self.check_parameters(PARAMS[called], params)
        collections = {
            "POST checkout/sessions": self.create_session,
            "GET checkout/sessions": partial(self.list_objects, "checkout/sessions", self.sessions),
            "POST payment_intents": self.charge_card,
            "GET payment_intents": partial(self.list_objects, "payment_intents", self.intents),
            "GET payment_intents/search": self.search,
            "POST refunds": self.create_refund,
            "GET refunds": partial(self.list_objects, "refunds", self.refund_objects),
            "GET payment_method_configurations": self.list_configurations,
        }
        if called in collections:
            return collections[called](params)
        folder, _, name = path.removesuffix("/expire").removesuffix("/cancel").rpartition("/")
        stored = {"checkout/sessions": self.sessions, "payment_intents": self.intents}.get(folder)
        if stored is None:
            raise invalid_request(status=404)
        stored_object = get_object(stored, name)
        end_action = {"expire": self.expire_session, "cancel": self.cancel_intent}.get(
            path.rpartition("/")[2]
        )
        return (
            end_action(stored_object) if end_action else self.expand_params(stored_object, params)
        )

    @staticmethod
    def check_parameters(accepted: set[str], params: dict) -> None:
        for name in field_names(params):
            if re.sub(r"(?<=metadata\.).+|\b\d+\b", "*", name) not in accepted:
                raise invalid_request("parameter_unknown", name)

    def create_session(self, params: dict) -> dict:
        [item] = params["line_items"].values()
        [kind] = params["allowed_payment_method_types"].values()
        expires = int(params.get("expires_at", self.now + DAY))
        if not self.now + 1800 <= expires <= self.now + DAY:
            raise invalid_request("parameter_invalid_integer", "expires_at")
        if "@" not in params.get("customer_email", "@"):
            raise invalid_request("email_invalid", "customer_email")
        if "customer" in params and params["customer"] not in self.customers:
            raise invalid_request("resource_missing", "customer")
        amount = int(item["price_data"]["unit_amount"])
        name = f"cs_test_a{len(self.sessions)}"
        offered = [kind] if self.enabled_methods[kind] else ["card"]
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
        return public_fields(self.sessions[name])

    def expire_session(self, session: dict) -> dict:
        if session["status"] != "open":
            raise invalid_request()
        session.update(status="expired", url=None)
        return public_fields(session)

    def create_intent(self, amount: int, currency: str, metadata: dict, **fields: object) -> dict:
        name = f"pi_{len(self.intents)}"
        self.intents[name] = {
            "id": name, "object": "payment_intent", "amount": amount, "amount_received": 0,
            "created": self.now, "currency": currency, "customer": None, "livemode": False,
            "metadata": metadata, "payment_method": None, "latest_charge": None,
            "setup_future_usage": None, "last_payment_error": None,
            "status": "requires_payment_method", **fields,
        }  # fmt: skip
        return self.intents[name]

    def capture_intent(self, intent: dict, amount: int | None = None) -> None:
        name = f"ch_{len(self.charge_objects)}"
        self.charge_objects[name] = {
            "id": name, "object": "charge", "amount": amount or intent["amount"],
            "amount_refunded": 0, "refunded": False, "currency": intent["currency"],
            "payment_intent": intent["id"], "metadata": dict(intent["metadata"]),
        }  # fmt: skip
        intent.update(status="succeeded", latest_charge=name, last_payment_error=None)
        intent["amount_received"] = amount or intent["amount"]

    def charge_card(self, params: dict) -> dict:
        if params["customer"] not in self.customers:
            raise invalid_request("resource_missing", "customer")
        method = self.methods.get(params["payment_method"])
        if method is None or method["customer"] != params["customer"]:
            raise invalid_request("resource_missing", "payment_method")
        assert params["off_session"] == params["confirm"] == "true"
        intent = self.create_intent(
            int(params["amount"]), params["currency"], params["metadata"],
            customer=params["customer"], payment_method=method["id"],
        )  # fmt: skip
        if self.decline_error is not None:
            error = {"type": "card_error", **self.decline_error}
            intent.update(last_payment_error=error, payment_method=None)
            raise StripeApiError(
                402, "card_error", **self.decline_error, payment_intent=public_fields(intent)
            )
        self.capture_intent(intent)
        return self.expand_params(intent, params)

    def cancel_intent(self, intent: dict) -> dict:
        if intent["status"] in {"succeeded", "canceled"}:
            raise invalid_request("payment_intent_unexpected_state")
        intent["status"] = "canceled"
        return public_fields(intent)

    def create_refund(self, params: dict) -> dict:
        intent = get_object(self.intents, params["payment_intent"])
        if intent["latest_charge"] is None:
            raise invalid_request("resource_missing", "payment_intent")
        charge = self.charge_objects[intent["latest_charge"]]
        amount = int(params["amount"])
        if amount > charge["amount"] - charge["amount_refunded"]:
            raise invalid_request(param="amount")
        charge["amount_refunded"] += amount
        charge["refunded"] = charge["amount_refunded"] == charge["amount"]
        name = f"re_{len(self.refund_objects)}"
        self.refund_objects[name] = {
            "id": name, "object": "refund", "amount": amount, "created": self.now,
            "currency": intent["currency"], "metadata": params.get("metadata", {}),
            "payment_intent": intent["id"], "charge": charge["id"], "status": "succeeded",
        }  # fmt: skip
        return self.refund_objects[name]

    def list_configurations(self, _: dict) -> dict:
        kinds = {
            name: {"available": on, "display_preference": {"value": "on"}}
            for name, on in self.enabled_methods.items()
        }
        configuration = {"id": "pmc_1", "object": "payment_method_configuration", "active": True,
               "is_default": True, "application": None, "livemode": False, **kinds}  # fmt: skip
        all_off = {name: {"available": not value["available"]} for name, value in kinds.items()}
        others = (("active", False), ("is_default", False), ("application", "ca_1"))
        configurations = [
            {**configuration, "id": f"pmc_{name}", **all_off, name: value} for name, value in others
        ]
        return list_page("payment_method_configurations", [configuration, *configurations])

    def list_objects(self, url: str, objects: dict[str, dict], params: dict) -> dict:
        newest = list(reversed(objects.values()))
        since = int(params.get("created", {}).get("gte", 0))
        wanted = [item for item in newest if item["created"] >= since and all(
            item[name] == params[name]
            for name in ("customer", "payment_intent") if name in params
        )]  # fmt: skip
        if (after := params.get("starting_after")) is not None:
            wanted = wanted[[item["id"] for item in wanted].index(after) + 1 :]
        limit = int(params.get("limit", 10))
        page = [self.expand_params(item, params, "data.") for item in wanted[:limit]]
        return list_page(url, page, more=len(wanted) > limit)

    def search(self, params: dict) -> dict:
        terms = re.findall(r"metadata\['(\w+)'\]:'(\w+)'", params["query"])
        assert params["query"] == " OR ".join(f"metadata['{n}']:'{v}'" for n, v in terms)
        matched = [] if self.search_lags else [
            self.expand_params(intent, params, "data.")
            for intent in reversed(self.intents.values())
            if any(intent["metadata"].get(name) == value for name, value in terms)
        ]  # fmt: skip
        return {**list_page("payment_intents/search", matched), "object": "search_result"}

    def expand_params(self, stripe_object: dict, params: dict, prefix: str = "") -> dict:
        paths = list(params.get("expand", {}).values())
        assert all(path.startswith(prefix) for path in paths)
        return self.expand(stripe_object, [path.removeprefix(prefix) for path in paths])

    def expand(self, stripe_object: dict, paths: list[str]) -> dict:
        """Return an object with the requested objects in place of their ids."""
        stripe_object = public_fields(stripe_object)
        collections = {"payment_intent": self.intents, "latest_charge": self.charge_objects,
                "payment_method": self.methods}  # fmt: skip
        for first in {path.partition(".")[0] for path in paths}:
            deeper = [path.partition(".")[2] for path in paths if path.startswith(f"{first}.")]
            if (name := stripe_object[first]) is not None:
                stripe_object[first] = self.expand(collections[first][name], deeper)
        return stripe_object

    async def pay(self, next_action: NextAction) -> WebhookRequest:
        """Pay as the payer on the page; return Stripe's webhook."""
        return self.complete_session(next_action.ref.provider_ref)

    def complete_session(self, name: str) -> WebhookRequest:
        session = self.sessions[name]
        data = session["_data"]
        intent = self.create_intent(
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
        self.capture_intent(intent)
        session.update(status="complete", payment_status="paid", payment_intent=intent["id"],
                       url=None)  # fmt: skip
        return event_webhook("checkout.session.completed", public_fields(session))

    def refunded_amount(self, ref: PaymentRef) -> int:
        return sum(
            charge["amount_refunded"] for charge in self.charge_objects.values()
            if ref.reference in charge["metadata"].values()
        )  # fmt: skip

    def charge_count(self, request: PaymentRequest) -> int:
        return sum(
            charge["metadata"].get("prawko_charge") == request.reference
            for charge in self.charge_objects.values()
        )

    def clear_idempotency_keys(self) -> None:
        """Forget the responses to idempotency keys, as Stripe does after a day."""
        self.idempotent_responses.clear()

    def age_objects(self, hours: int) -> None:
        """Make all sessions and payments older."""
        for collection in (self.sessions, self.intents):
            for item in collection.values():
                item["created"] -= hours * 3600


def get_object(objects: dict[str, dict], name: str) -> dict:
    if name not in objects:
        raise invalid_request("resource_missing", "id", status=404)
    return objects[name]


def list_page(url: str, objects: list[dict], *, more: bool = False) -> dict:
    return {"object": "list", "data": objects, "has_more": more, "url": f"/v1/{url}"}


def public_fields(stripe_object: dict) -> dict:
    return {name: value for name, value in stripe_object.items() if not name.startswith("_")}


def stripe_event(kind: str, stripe_object: dict, **changes: object) -> dict:
    """Return an event as Stripe sends it."""
    return {
        "id": f"evt_{kind.replace('.', '_')}_{stripe_object.get('id', 1)}", "object": "event",
        "api_version": VERSION, "created": int(utc_now().timestamp()), "type": kind,
        "livemode": False, "pending_webhooks": 1, "data": {"object": stripe_object},
        "request": {"id": None, "idempotency_key": None}, **changes,
    }  # fmt: skip


def event_webhook(kind: str, stripe_object: dict, **changes: object) -> WebhookRequest:
    return signed_webhook(stripe_event(kind, stripe_object, **changes))


def signed_webhook(
    values: object, *, secret: str = WEBHOOK_SECRET, age: float = 0, header: str | None = None
) -> WebhookRequest:
    """Return a signed webhook with these values, or with these bytes unchanged."""
    body = values if isinstance(values, bytes) else json.dumps(values).encode()
    if header is None:
        timestamp = int(utc_now().timestamp() - age)
        header = WebhookSignature.generate_signature_header(
            body.decode("utf-8", "replace"), secret, timestamp
        )
    return WebhookRequest(
        headers={"stripe-signature": header}, query={}, body=body, received_at=utc_now()
    )
