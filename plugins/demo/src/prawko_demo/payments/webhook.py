"""Calls the panel as a provider from outside would."""

SECONDS = 10


async def call(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Make one call and return the status it was answered with; 0 when nobody answered."""
    import aiohttp  # noqa: PLC0415 (the demo's first process reads this and calls nobody)

    told = {**headers, "Content-Type": "application/json"}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as session,
            session.post(url, data=body, headers=told) as answer,
        ):
            return answer.status
    except (aiohttp.ClientError, OSError, TimeoutError):
        return 0
