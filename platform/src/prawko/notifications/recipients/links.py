"""Links by which persons without an account agree to alerts and stop them.

A token names the company and the recipient and is proved by a keyed digest. It is not stored, so
that a copy of the database or a backup opens no link. An invitation's token is valid only for the
newest invitation and ends with it; a token that stops alerts is valid as long as the recipient.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec

from prawko.kit.crypto import KeyRing
from prawko_tenants.ids import RecipientId, TenantId

RECIPIENT_PAGE = "/auth/alerts"
INVITATION_LIFETIME = timedelta(days=7)

_ID_BYTES = 16
_PROOF_BYTES = 32
_TOKEN_BYTES = 2 * _ID_BYTES + _PROOF_BYTES
_MAX_TOKEN_LENGTH = 100
_PADDING = "=="  # of tokens of this length; a mail program might leave it out of a link


class LinkKind(StrEnum):
    """The purposes of a link."""

    INVITATION = "invitation"
    STOP = "stop"


class RecipientLink(msgspec.Struct, frozen=True):
    """A well-formed token, not yet proved."""

    tenant_id: TenantId
    recipient_id: RecipientId
    proof: bytes

    def find_kind(self, key_ring: KeyRing, invited_at: datetime) -> LinkKind | None:
        """Return what the link is for; None for a false one and that of an earlier invitation."""
        invitation = _prove_invitation(key_ring, self.tenant_id, self.recipient_id, invited_at)
        if hmac.compare_digest(self.proof, invitation):
            return LinkKind.INVITATION
        stop = _prove_stop(key_ring, self.tenant_id, self.recipient_id)
        if hmac.compare_digest(self.proof, stop):
            return LinkKind.STOP
        return None


def create_invitation_token(
    key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId, invited_at: datetime
) -> str:
    """Return the token of an invitation: 86 URL-safe characters."""
    proof = _prove_invitation(key_ring, tenant_id, recipient_id, invited_at)
    return _encode(tenant_id, recipient_id, proof)


def create_stop_token(key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId) -> str:
    """Return the token by which a recipient stops the alerts."""
    return _encode(tenant_id, recipient_id, _prove_stop(key_ring, tenant_id, recipient_id))


def parse_token(token: str) -> RecipientLink | None:
    """Return the token's ids and proof; None for a malformed one."""
    if len(token) > _MAX_TOKEN_LENGTH or not token.isascii():
        return None
    try:
        decoded = urlsafe_b64decode(token + _PADDING)
    except (Error, ValueError):
        return None
    if len(decoded) != _TOKEN_BYTES:
        return None
    return RecipientLink(
        TenantId(UUID(bytes=decoded[:_ID_BYTES])),
        RecipientId(UUID(bytes=decoded[_ID_BYTES : 2 * _ID_BYTES])),
        decoded[2 * _ID_BYTES :],
    )


def recipient_url(base_url: str, token: str) -> str:
    """Return the link of a mail. The token is in the fragment, which is not sent to servers."""
    return f"{base_url.rstrip('/')}{RECIPIENT_PAGE}#token={token}"


def _prove_invitation(
    key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId, invited_at: datetime
) -> bytes:
    moment = invited_at.astimezone(UTC).isoformat(timespec="microseconds")
    return key_ring.digest("alert_invitation", f"{tenant_id}:{recipient_id}:{moment}")


def _prove_stop(key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId) -> bytes:
    return key_ring.digest("alert_stop", f"{tenant_id}:{recipient_id}")


def _encode(tenant_id: TenantId, recipient_id: RecipientId, proof: bytes) -> str:
    token = urlsafe_b64encode(tenant_id.bytes + recipient_id.bytes + proof).decode()
    return token.rstrip(_PADDING)
