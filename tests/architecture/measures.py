"""The measures that the code is held to, each with its limit."""

from dataclasses import dataclass

from architecture.house_rules import (
    FILE_NOUNS,
    FUNCTION_NOUNS,
    PLATFORM,
    ROOT,
    SQL_MODULES,
    bare_functions,
    file_words,
    import_layers,
    public_classes,
    repeated_ideas,
    tables_of_higher_layers,
)
from architecture.source_rules import findings, sql_text


@dataclass(frozen=True)
class Measure:
    """A figure of the code and the most that it may be."""

    name: str
    value: int
    limit: int

    @property
    def holds(self) -> bool:
        return self.value <= self.limit

    def __str__(self) -> str:
        verdict = "ok" if self.holds else "MISSED"
        return f"{self.name:64}{self.value:8,}{self.limit:8,}  {verdict}"


def collect_measures() -> list[Measure]:
    """Return every measure that can be counted in the source."""
    files, layers, _ = import_layers("prawko.billing")
    classes = [name for name, paths in public_classes().items() if len(paths) > 1]
    modules = [*PLATFORM.rglob("*.py")]
    typed = [path for path in modules if str(path.relative_to(ROOT)) not in SQL_MODULES]
    unnamed = file_words().keys() - FILE_NOUNS
    bare = bare_functions().keys() - FUNCTION_NOUNS
    return [
        Measure("files whose last word is no noun of the list", len(unnamed), 0),
        Measure("public functions that are bare verbs", len(bare), 0),
        Measure("class names that exist twice", len(classes), 0),
        Measure("billing: files", files, 34),
        Measure("billing: packages", len([*(PLATFORM / "billing").glob("*/__init__.py")]), 5),
        Measure("billing: import layers", layers, 6),
        Measure("modules that name a table of a higher layer", len(tables_of_higher_layers()), 1),
        Measure(
            "text statements outside the modules of SQL_MODULES",
            sum(len(findings(path, sql_text)) for path in typed),
            0,
        ),
        Measure("duplicates", len(repeated_ideas()), 0),
        Measure(
            "lines of the platform",
            sum(len(path.read_text().splitlines()) for path in modules),
            52_000,  # 27,500 without console, bank statements, two-step verification and operations
        ),
    ]
