"""Posts webhooks to the panel, as an external provider does."""

TIMEOUT_SECONDS = 10


async def post_webhook(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Post one webhook and return the response's status; 0 without a response."""
    import aiohttp  # noqa: PLC0415 (the demo's first process imports this module and posts nothing)

    headers = {**headers, "Content-Type": "application/json"}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)) as session,
            session.post(url, data=body, headers=headers) as response,
        ):
            return response.status
    except (aiohttp.ClientError, OSError, TimeoutError):
        return 0
