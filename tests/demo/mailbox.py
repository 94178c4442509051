"""Reads the demo's mailbox through the developer tools."""

from support.people import Person


async def deliver_and_read_mails(dev: Person) -> list[dict]:
    """Run the periodic jobs, which deliver pending messages, and return the mailbox."""
    assert (await dev.post("/dev/jobs")).status_code == 200
    return (await dev.get("/dev/mailbox")).json()
