"""The demo's company as it stands in no register: invented people, invented numbers."""

from datetime import date, timedelta

import msgspec

from prawko_demo.register.documents import Category, Coded, Document

DETAILS = {
    "company_name": "Przewozy Łącki i Wspólnicy sp. z o.o.",
    "tax_id": "1234563218",
    "street": "ul. Źródlana 12/4",
    "postal_code": "90-423",
    "city": "Łódź",
}
DRIVER_LIMIT = 15

EXPIRED_SINCE = 6  # days: since then it needs attention
ISSUED = Coded(kod="DICT003_WYD", wartosc="Wydany")
WITHHELD = Coded(kod="DICT003_ZAT", wartosc="Zatrzymany")
POINTS = Coded(kod="DICT067_PKT", wartosc="Przekroczenie 24 punktów karnych")


class Person(msgspec.Struct, frozen=True):
    """A driver and the document."""

    first_name: str
    last_name: str
    serial: str
    authority: str
    categories: tuple[str, ...]
    until: str | None

    def document(self) -> Document:
        """The document, issued."""
        return Document(
            first_name=self.first_name,
            last_name=self.last_name,
            state=ISSUED,
            expiry_date=self.until,
            issuing_authority=self.authority,
            categories=tuple(Category(code, self.until) for code in self.categories),
        )


CE = ("B", "C", "C+E")
DRIVERS = (
    Person("Jan", "Kowalski", "AC104512", "Prezydent Miasta Łodzi", CE, "2034-03-17"),
    Person("Łukasz", "Żółtowski", "BD220731", "Starosta Zgierski", CE, "2031-11-02"),
    Person("Małgorzata", "Święcicka", "CE318264", "Starosta Pabianicki", ("B", "C"), "2036-06-30"),
    Person("Paweł", "Gęsiorek", "DF407153", "Prezydent Miasta Łodzi", CE, "2032-01-24"),
    Person("Zdzisław", "Ćwikliński", "EG512046", "Starosta Bełchatowski", (*CE, "D"), "2033-09-12"),
    Person("Agnieszka", "Nowak-Zając", "FH633907", "Prezydent m.st. Warszawy", ("B",), None),
    Person(
        "Maksymilian Bogusław", "Wieczorkiewicz-Niedźwiedziński", "GJ701235",
        "Starosta Tomaszowski", CE, "2035-04-08",
    ),
    Person("Oleksandr", "Kowalczuk", "HK845620", "Starosta Kutnowski", CE, "2030-12-19"),
    Person("Stanisław", "Źrebiec", "JL902473", "Starosta Sieradzki", (*CE, "D"), "2031-07-05"),
    Person("Elżbieta", "Łęcka", "KM116584", "Starosta Skierniewicki", ("B", "C"), "2037-02-28"),
)  # fmt: skip
STOPPED = Person("Michał", "Piątek", "LN284309", "Starosta Zgierski", CE, "2033-05-21")


def everybody(today: date) -> list[Person]:
    """All twelve, as the register knew them when they were added.

    One document ended so many days before `today`: nobody has withheld it, nobody may drive
    on it.
    """
    last_day = (today - timedelta(days=EXPIRED_SINCE + 1)).isoformat()
    expiring = Person("Ryszard", "Ósmak", "MP350917", "Starosta Łowicki", CE, last_day)
    return [*DRIVERS, STOPPED, expiring]


def withheld(person: Person) -> Document:
    """The document, taken away."""
    return msgspec.structs.replace(person.document(), state=WITHHELD, reasons=(POINTS,))
