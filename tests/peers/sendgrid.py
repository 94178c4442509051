"""The SendGrid channel against SendGrid's own description, run by Prism as a strict mock."""

import msgspec
from tests.peers.record import Record
from yarl import URL

from prawko.hooks.channels import Recipient
from prawko.hooks.environment import Environment
from prawko_channel_sendgrid import PREFIX, channels
from prawko_testing.channel_contract import sample_message

ANNA = Recipient(email="anna@acme.test", phone=None)


async def run(url: str) -> None:
    variables = {"KEY": "SG.key", "SENDER": "Prawko <powiadomienia@prawko.test>", "URL": url}
    [channel] = channels(
        Environment({f"{PREFIX}_{name}": value for name, value in variables.items()})
    )
    record = Record()
    record.observe(channel._http_client)
    unsent = URL(url) / "v3/mail/send"

    await record.step("A mail", channel.send(sample_message(), ANNA, idempotency_key="K1"))
    body = msgspec.json.encode({"subject": "no sender, no recipient"})
    await record.step(
        "A missing field",
        channel._http_client.request("POST", unsent, body, media_type="application/json"),
    )
    await channel.close()
