"""Whether failed calls show that a provider fails, or one recipient or document, or one company.

A firewall before a register may refuse a single name, and a carrier may break over one address that
a stranger chose: that must not stop the calls for all other companies (docs/rules.md R10).
"""

from collections.abc import Iterable
from typing import Self
from uuid import UUID

import msgspec

# So many subjects of one company, none of them ever answered, are believed as well: a new
# installation has no other company.
MAX_SUBJECTS = 10


class FailedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that failed, and whom it concerned: a driver or a recipient of a company.

    `is_known`: a call about the same subject has succeeded before, or concerns no company.
    """

    error: Exception
    tenant_id: UUID
    subject_id: UUID
    is_known: bool


class Evidence(msgspec.Struct, frozen=True, kw_only=True, rename={"subjects": "drivers"}):
    """Whose calls have failed since the last success, as far as it matters.

    `subjects` are stored as `drivers`, a name that the table of the register's limiter has had from
    the beginning.
    """

    tenants: tuple[UUID, ...] = ()
    subjects: tuple[UUID, ...] = ()
    has_known: bool = False

    @property
    def is_conclusive(self) -> bool:
        """Whether it is the provider that fails: for two companies, or for a known subject."""
        return self.has_known or len(self.tenants) > 1 or len(self.subjects) >= MAX_SUBJECTS

    def with_failures(self, failed: Iterable[FailedCall]) -> Self:
        """Return the evidence with these calls; it holds no more than it takes to be conclusive."""
        calls = list(failed)
        tenants = dict.fromkeys([*self.tenants, *(call.tenant_id for call in calls)])
        subjects = dict.fromkeys([*self.subjects, *(call.subject_id for call in calls)])
        return type(self)(
            tenants=tuple(tenants)[:2],
            subjects=tuple(subjects)[:MAX_SUBJECTS],
            has_known=self.has_known or any(call.is_known for call in calls),
        )
