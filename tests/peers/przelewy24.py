"""The Przelewy24 adapter against Przelewy24's own description, run by Prism as a strict mock.

Prism refuses wrong types, missing fields and a missing login. It has no state, verifies no
signatures and answers with generated values, so an error about "another transaction" is correct.
"""

import msgspec
from tests.peers.record import Record

from prawko.hooks.environment import Environment
from prawko.hooks.payments import Money, PaymentMethod, PaymentRef
from prawko_payments_przelewy24 import PREFIX, payment_providers
from prawko_testing.provider_contract import PRICE, sample_request


async def run(url: str) -> None:
    variables = {
        "MERCHANT": "999999", "KEY": "api-key", "CRC": "a123b456", "URL": url,
        "EVENTS": "https://panel.prawko.test/api/webhooks/przelewy24",
        "BLIK_CODES": "true", "TRANSFERS": "true",
    }  # fmt: skip
    environment = Environment({f"{PREFIX}_{name}": value for name, value in variables.items()})
    [provider] = payment_providers(environment)
    record = Record()
    client = provider._client
    record.observe(client._http_client)
    code = msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code="777123")
    ref = PaymentRef("K1", "3000000001")

    await record.step("What can be paid by", provider.available_methods(PRICE))
    await record.step(
        "An order on its page", provider.create_payment(sample_request(PaymentMethod.PRZELEWY24))
    )
    await record.step(
        "An order by BLIK on its page", provider.create_payment(sample_request(PaymentMethod.BLIK))
    )
    await record.step("An order by a BLIK code", provider.create_payment(code))
    await record.step(
        "An order by transfer", provider.create_payment(sample_request(PaymentMethod.TRANSFER))
    )
    await record.step("How far it is", provider.query_status(ref))
    await record.step("A payment that is ours", client.verify("K1", 3000000001, PRICE))
    await record.step("A refund", provider.refund(ref, Money(327), refund_reference="R1"))
    await record.step("The refunds so far", client.list_refunds(3000000001))
    await record.step("A wrong type", client.verify("K1", "three", PRICE))
    await record.step("A missing field", client.register({"sessionId": "K1", "amount": 1,
                                                          "currency": "PLN"}))  # fmt: skip
    client._http_client._session.headers.popall("Authorization")
    await record.step("Without a login", provider.available_methods(PRICE))
    await provider.close()
