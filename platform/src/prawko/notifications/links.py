"""Links in messages that act without a session: agree to alerts, stop them, acknowledge one.

A token names the company and a recipient without an account, or the message of a member, and is
proved by a keyed digest. It is not stored, so that a copy of the database or a backup opens no
link. An invitation's token is valid only for the newest invitation and ends with it; a token that
stops alerts is valid as long as the recipient. A member's token is short, to fit into an SMS: its
proof has 72 bits, and the message that it names must exist. Of a message about several drivers,
each has a token of its own, which names the notice, too.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec

from prawko.kit.crypto import KeyRing
from prawko_tenants.ids import DeliveryId, NoticeId, RecipientId, TenantId

RECIPIENT_PAGE = "/auth/alerts"
ACKNOWLEDGEMENT_PAGE = "/ack"
INVITATION_LIFETIME = timedelta(days=7)
ACKNOWLEDGEMENT_LIFETIME = timedelta(hours=48)

_STOP, _ACKNOWLEDGEMENT = "alert_stop", "alert_acknowledgement"  # purposes of keys
_ID_BYTES = 16
# The token's last character is then a letter or a digit: no program cuts it.
_SHORT_PROOF_BYTES, _NOTICE_PROOF_BYTES = 9, 10
_MAX_TOKEN_LENGTH = 100
_PADDING = "=="  # the most of any token; a mail program might leave it out of a link


class LinkKind(StrEnum):
    """The purposes of a link."""

    INVITATION = "invitation"
    STOP = "stop"


class LinkToken(msgspec.Struct, frozen=True):
    """A well-formed token, not yet proved. `subject_id` is a recipient's or a message's.

    `notice_id` is the one that the token of a message about several drivers names.
    """

    tenant_id: TenantId
    subject_id: UUID
    proof: bytes
    notice_id: NoticeId | None = None

    def find_kind(self, key_ring: KeyRing, invited_at: datetime) -> LinkKind | None:
        """Return what a recipient's link is for; None for a false or replaced one."""
        recipient_id = RecipientId(self.subject_id)
        invitation = _prove_invitation(key_ring, self.tenant_id, recipient_id, invited_at)
        if hmac.compare_digest(self.proof, invitation):
            return LinkKind.INVITATION
        stop = _prove(key_ring, _STOP, self.tenant_id, recipient_id)
        if hmac.compare_digest(self.proof, stop):
            return LinkKind.STOP
        return None

    def find_message(self, key_ring: KeyRing) -> DeliveryId | None:
        """Return the message whose alert a member's link acknowledges; None for a false link."""
        proof = _prove_alert(key_ring, self.tenant_id, self.subject_id, self.notice_id)
        is_genuine = hmac.compare_digest(self.proof, proof)
        return DeliveryId(self.subject_id) if is_genuine else None


def create_invitation_token(
    key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId, invited_at: datetime
) -> str:
    """Return the token of an invitation: 86 URL-safe characters."""
    proof = _prove_invitation(key_ring, tenant_id, recipient_id, invited_at)
    return _encode(tenant_id, recipient_id, proof)


def create_stop_token(key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId) -> str:
    """Return the token by which a recipient stops the alerts."""
    return _encode(tenant_id, recipient_id, _prove(key_ring, _STOP, tenant_id, recipient_id))


def create_acknowledgement_token(
    key_ring: KeyRing,
    tenant_id: TenantId,
    delivery_id: DeliveryId,
    notice_id: NoticeId | None = None,
) -> str:
    """Return the token by which the reader of a message acknowledges its alert: 55 characters.

    With the notice, one of a message about several drivers, it has 78.
    """
    proof = _prove_alert(key_ring, tenant_id, delivery_id, notice_id)
    return _encode(tenant_id, delivery_id, (notice_id.bytes if notice_id else b"") + proof)


def parse_token(token: str) -> LinkToken | None:
    """Return the token's ids and proof; None for a malformed one."""
    if len(token) > _MAX_TOKEN_LENGTH or not token.isascii():
        return None
    try:
        decoded = urlsafe_b64decode(token + _PADDING)
    except (Error, ValueError):
        return None
    if len(decoded) <= 2 * _ID_BYTES:
        return None
    proof, notice_id = decoded[2 * _ID_BYTES :], None
    if len(proof) == _ID_BYTES + _NOTICE_PROOF_BYTES:
        notice_id, proof = NoticeId(UUID(bytes=proof[:_ID_BYTES])), proof[_ID_BYTES:]
    return LinkToken(
        TenantId(UUID(bytes=decoded[:_ID_BYTES])),
        UUID(bytes=decoded[_ID_BYTES : 2 * _ID_BYTES]),
        proof,
        notice_id,
    )


def recipient_url(base_url: str, token: str) -> str:
    """Return the link of a mail. The token is in the fragment, which is not sent to servers."""
    return f"{base_url.rstrip('/')}{RECIPIENT_PAGE}#token={token}"


def acknowledgement_url(base_url: str, token: str) -> str:
    """Return the link of an alert's mail or SMS, the token in the fragment as well."""
    return f"{base_url.rstrip('/')}{ACKNOWLEDGEMENT_PAGE}#{token}"


def _prove_invitation(
    key_ring: KeyRing, tenant_id: TenantId, recipient_id: RecipientId, invited_at: datetime
) -> bytes:
    moment = invited_at.astimezone(UTC).isoformat(timespec="microseconds")
    return key_ring.digest("alert_invitation", f"{tenant_id}:{recipient_id}:{moment}")


def _prove_alert(
    key_ring: KeyRing, tenant_id: TenantId, delivery_id: UUID, notice_id: NoticeId | None
) -> bytes:
    if notice_id is None:
        return _prove(key_ring, _ACKNOWLEDGEMENT, tenant_id, delivery_id)[:_SHORT_PROOF_BYTES]
    subject = f"{tenant_id}:{delivery_id}:{notice_id}"
    return key_ring.digest(_ACKNOWLEDGEMENT, subject)[:_NOTICE_PROOF_BYTES]


def _prove(key_ring: KeyRing, purpose: str, tenant_id: TenantId, subject_id: UUID) -> bytes:
    return key_ring.digest(purpose, f"{tenant_id}:{subject_id}")


def _encode(tenant_id: TenantId, subject_id: UUID, proof: bytes) -> str:
    token = urlsafe_b64encode(tenant_id.bytes + subject_id.bytes + proof).decode()
    return token.rstrip("=")
