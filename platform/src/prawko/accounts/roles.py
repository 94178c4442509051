"""The four roles of a company's people, and the one table of what each may do.

An operation names its act in `opt` (`ACT`), which its guard reads; an operation of the caller's own
account has none. The panel draws its menus from the acts of `GET /api/user`. docs/roles.md has the
table of this page, with the operations, written by `make roles`.
"""

from enum import StrEnum

from babel.lists import format_list

from prawko.kit.text.i18n import Language, translate

# In `opt` of a route: the act that it is, for the guard `requires_right`.
ACT = "act"


class Role(StrEnum):
    """A person's role in a company, as stored; the most powerful first."""

    OWNER = "owner"
    MANAGER = "manager"
    DISPATCHER = "dispatcher"
    ACCOUNTANT = "accountant"


class CompanyAct(StrEnum):
    """What people do with a company's data. The API names these words: they do not change."""

    READ_DRIVERS = "read_drivers"
    CHECK = "check"
    ACKNOWLEDGE = "acknowledge"
    WRITE_DRIVERS = "write_drivers"
    REMOVE_DRIVERS = "remove_drivers"
    REPORTS = "reports"
    ALERTS = "alerts"
    READ_SUBSCRIPTION = "read_subscription"
    SUBSCRIPTION = "subscription"
    AGREEMENT = "agreement"
    PEOPLE = "people"
    EXPORT = "export"
    ERASURE = "erasure"


_DRIVERS = frozenset({Role.OWNER, Role.MANAGER, Role.DISPATCHER})
_MANAGEMENT = frozenset({Role.OWNER, Role.MANAGER})
_OFFICE = frozenset({Role.OWNER, Role.ACCOUNTANT})
_OWNER = frozenset({Role.OWNER})

ROLES_OF = {
    CompanyAct.READ_DRIVERS: _DRIVERS,
    CompanyAct.CHECK: _DRIVERS,
    CompanyAct.ACKNOWLEDGE: _DRIVERS,
    CompanyAct.WRITE_DRIVERS: _DRIVERS,
    # What is removed takes its checks along, and is not restored.
    CompanyAct.REMOVE_DRIVERS: _MANAGEMENT,
    CompanyAct.REPORTS: _MANAGEMENT,
    CompanyAct.ALERTS: _MANAGEMENT,
    # Everybody sees how many drivers the company may have, and whether they are checked.
    CompanyAct.READ_SUBSCRIPTION: frozenset(Role),
    CompanyAct.SUBSCRIPTION: _OFFICE,
    CompanyAct.AGREEMENT: _MANAGEMENT,
    CompanyAct.PEOPLE: _OWNER,
    CompanyAct.EXPORT: _OWNER,
    CompanyAct.ERASURE: _OWNER,
}


def may_do(role: Role, act: CompanyAct) -> bool:
    """Return whether people of the role may do the act."""
    return role in ROLES_OF[act]


def list_acts(role: Role) -> list[CompanyAct]:
    """Return the acts of a role, in the order of the table."""
    return [act for act in CompanyAct if may_do(role, act)]


def name_roles(act: CompanyAct, language: Language) -> str:
    """Return who may do the act, in words: "właściciel lub kierownik"."""
    names = [translate(f"accounts.roles.{role}", language) for role in Role if may_do(role, act)]
    return format_list(names, style="or", locale=language.value)
