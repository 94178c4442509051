"""The logins of one installation and what each is for."""

from dataclasses import dataclass

ROLE_NAMES = ("owner", "app", "worker", "planner", "operator", "backup")


@dataclass(frozen=True)
class Roles:
    """Names of the six roles. Only the owner owns, only backup passes the policies by."""

    prefix: str = "prawko"

    @property
    def owner(self) -> str:
        """Owns database, tables and functions; used by migrations alone."""
        return f"{self.prefix}_owner"

    @property
    def app(self) -> str:
        """The panel: one company at a time, and accounts."""
        return f"{self.prefix}_app"

    @property
    def worker(self) -> str:
        """The jobs: one company at a time, and all control tables."""
        return f"{self.prefix}_worker"

    @property
    def planner(self) -> str:
        """Sees which drivers are due, by id, and plans them."""
        return f"{self.prefix}_planner"

    @property
    def operator(self) -> str:
        """The operators' console."""
        return f"{self.prefix}_operator"

    @property
    def backup(self) -> str:
        """Reads everything for a dump; held by no process."""
        return f"{self.prefix}_backup"

    @classmethod
    def owned_by(cls, owner: str) -> "Roles":
        """The roles beside this owner. Raises ValueError for a name that is not an owner's."""
        prefix, word, rest = owner.rpartition("_owner")
        if not word or rest or not prefix:
            raise ValueError(f"{owner!r} is not the owner of an installation: '…_owner' is")
        return cls(prefix)

    def named(self) -> dict[str, str]:
        """Each role's word here with its name in the database."""
        return {word: getattr(self, word) for word in ROLE_NAMES}
