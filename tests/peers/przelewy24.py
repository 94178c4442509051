"""The Przelewy24 adapter against Przelewy24's own description, run by Prism as a strict mock.

Prism refuses wrong types, missing fields and a missing login. It keeps no state and checks no
signs, and answers with the examples of the description: what is about "another transaction"
was read, and is not believed.
"""

import msgspec
from tests.peers.record import Record

from prawko.hooks.environment import Environment
from prawko.hooks.payments import Method, Money, PaymentRef
from prawko.testing.provider_contract import PRICE, order
from prawko_payments_przelewy24 import PREFIX, payment_providers


async def run(url: str) -> None:
    own = {
        "MERCHANT": "999999", "KEY": "api-key", "CRC": "a123b456", "URL": url,
        "EVENTS": "https://panel.prawko.test/api/webhooks/przelewy24",
        "BLIK_CODES": "true", "TRANSFERS": "true",
    }  # fmt: skip
    environment = Environment({f"{PREFIX}_{name}": value for name, value in own.items()})
    [provider] = payment_providers(environment)
    record = Record()
    client = provider._client
    record.listen(client._connection)
    code = msgspec.structs.replace(order(Method.BLIK), blik_code="777123")
    ref = PaymentRef("K1", "3000000001")

    await record.step("What can be paid by", provider.available(PRICE))
    await record.step("An order on its page", provider.start(order(Method.PRZELEWY24)))
    await record.step("An order by BLIK on its page", provider.start(order(Method.BLIK)))
    await record.step("An order by a BLIK code", provider.start(code))
    await record.step("An order by transfer", provider.start(order(Method.TRANSFER)))
    await record.step("How far it is", provider.status(ref))
    await record.step("A payment that is ours", client.verify("K1", 3000000001, PRICE))
    await record.step("A refund", provider.refund(ref, Money(327), key="R1"))
    await record.step("The refunds so far", client.refunds(3000000001))
    await record.step("A wrong type", client.verify("K1", "three", PRICE))
    await record.step("A missing field", client.register({"sessionId": "K1", "amount": 1,
                                                          "currency": "PLN"}))  # fmt: skip
    client._connection._session.headers.popall("Authorization")
    await record.step("Without a login", provider.available(PRICE))
    await provider.close()
