"""What tests do at the doors of the demo."""

from persons import Person


async def mails(dev: Person) -> list[dict]:
    """Have what waits sent, and open the mailbox."""
    assert (await dev.post("/dev/jobs")).status_code == 200
    return (await dev.get("/dev/mailbox")).json()
