"""Database roles of one installation, and their names in statements that take no parameters."""

from dataclasses import dataclass

# Of the second login of a role, which has its rights and its turn after a change of the password.
STANDBY_SUFFIX = "_b"
ROLE_NAMES = ("owner", "app", "worker", "planner", "operator", "backup")


@dataclass(frozen=True)
class Roles:
    """Names of the six roles. Only the owner owns objects, only backup bypasses the policies."""

    prefix: str = "prawko"

    @property
    def owner(self) -> str:
        """Owns database, tables and functions; used by migrations and commands of the operator."""
        return f"{self.prefix}_owner"

    @property
    def app(self) -> str:
        """The panel: one company at a time, accounts, and control rows of the company."""
        return f"{self.prefix}_app"

    @property
    def worker(self) -> str:
        """The jobs: one company at a time, and the control rows of all."""
        return f"{self.prefix}_worker"

    @property
    def planner(self) -> str:
        """Reads ids and states of due rows of all companies, and plans check items."""
        return f"{self.prefix}_planner"

    @property
    def operator(self) -> str:
        """The console of the operators."""
        return f"{self.prefix}_operator"

    @property
    def backup(self) -> str:
        """Reads everything for a dump; no process has this login."""
        return f"{self.prefix}_backup"

    def login(self, name: str) -> str:
        """Return the role of this name; `replication` is none of the six, and reads no table."""
        return f"{self.prefix}_{name}"

    def standby(self, name: str) -> str:
        """Return the second login of the role of this name."""
        return self.login(name) + STANDBY_SUFFIX

    @classmethod
    def from_owner(cls, owner: str) -> "Roles":
        """Return the roles of an owner's installation. Raises ValueError for another role."""
        prefix, suffix, rest = owner.removesuffix(STANDBY_SUFFIX).rpartition("_owner")
        if not suffix or rest or not prefix:
            raise ValueError(
                f"{owner!r} is not the owner of an installation: '…_owner' is expected"
            )
        return cls(prefix)

    def as_dict(self) -> dict[str, str]:
        """Return ROLE_NAMES with the name of each role in the database."""
        return {name: getattr(self, name) for name in ROLE_NAMES}


def quote_literal(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def quote_identifier(name: str) -> str:
    """Return a name as a quoted identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'
