"""The message that a browser gets: title, path and a tag, as JSON of at most 3 kB."""

import hashlib

import msgspec

from prawko.hooks.channels import PushNote

MAX_PAYLOAD_BYTES = 3000
MAX_TITLE_LENGTH = 300
MAX_PATH_LENGTH = 500
TAG_LENGTH = 32  # of a Topic (RFC 8030)


class PushPayload(msgspec.Struct, frozen=True):
    """The JSON that the panel's service worker reads."""

    title: str
    path: str
    tag: str


def create_tag(idempotency_key: str) -> str:
    """Return the tag of a message: a browser shows a repeated one once."""
    return hashlib.sha256(idempotency_key.encode()).hexdigest()[:TAG_LENGTH]


def build_payload(note: PushNote, tag: str) -> bytes:
    """Return the JSON. Raises ValueError for a path that is not one of ours."""
    if not note.path.startswith("/") or len(note.path) > MAX_PATH_LENGTH:
        raise ValueError("the path is none of the panel")
    payload = msgspec.json.encode(PushPayload(note.title[:MAX_TITLE_LENGTH], note.path, tag))
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise ValueError("the payload is too long")
    return payload
