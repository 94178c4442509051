"""The demo's company and its drivers, all invented."""

from datetime import date, timedelta

import msgspec

from prawko_demo.register.documents import DictionaryEntry, DocumentCategory, RegisterDocument

COMPANY_DETAILS = {
    "company_name": "Przewozy Łącki i Wspólnicy sp. z o.o.",
    "tax_id": "1234563218",
    "street": "ul. Źródlana 12/4",
    "postal_code": "90-423",
    "city": "Łódź",
}
DRIVER_LIMIT = 15

EXPIRED_DAYS_AGO = 6  # since then one driver needs attention
ISSUED_STATE = DictionaryEntry(kod="DICT003_WYD", wartosc="Wydany")
WITHHELD_STATE = DictionaryEntry(kod="DICT003_ZAT", wartosc="Zatrzymany")
POINTS_REASON = DictionaryEntry(kod="DICT067_PKT", wartosc="Przekroczenie 24 punktów karnych")


class DemoDriver(msgspec.Struct, frozen=True):
    """A driver and the fields of the driving licence."""

    first_name: str
    last_name: str
    serial: str
    authority: str
    categories: tuple[str, ...]
    expiry_date: str | None

    def to_document(self) -> RegisterDocument:
        """Return the licence, issued."""
        return RegisterDocument(
            first_name=self.first_name,
            last_name=self.last_name,
            state=ISSUED_STATE,
            expiry_date=self.expiry_date,
            issuing_authority=self.authority,
            categories=tuple(DocumentCategory(code, self.expiry_date) for code in self.categories),
        )


CE = ("B", "C", "C+E")
DRIVERS = (
    DemoDriver("Jan", "Kowalski", "AC104512", "Prezydent Miasta Łodzi", CE, "2034-03-17"),
    DemoDriver("Łukasz", "Żółtowski", "BD220731", "Starosta Zgierski", CE, "2031-11-02"),
    DemoDriver(
        "Małgorzata", "Święcicka", "CE318264", "Starosta Pabianicki", ("B", "C"), "2036-06-30"
    ),
    DemoDriver("Paweł", "Gęsiorek", "DF407153", "Prezydent Miasta Łodzi", CE, "2032-01-24"),
    DemoDriver(
        "Zdzisław", "Ćwikliński", "EG512046", "Starosta Bełchatowski", (*CE, "D"), "2033-09-12"
    ),
    DemoDriver("Agnieszka", "Nowak-Zając", "FH633907", "Prezydent m.st. Warszawy", ("B",), None),
    DemoDriver(
        "Maksymilian Bogusław",
        "Wieczorkiewicz-Niedźwiedziński",
        "GJ701235",
        "Starosta Tomaszowski",
        CE,
        "2035-04-08",
    ),
    DemoDriver("Oleksandr", "Kowalczuk", "HK845620", "Starosta Kutnowski", CE, "2030-12-19"),
    DemoDriver("Stanisław", "Źrebiec", "JL902473", "Starosta Sieradzki", (*CE, "D"), "2031-07-05"),
    DemoDriver("Elżbieta", "Łęcka", "KM116584", "Starosta Skierniewicki", ("B", "C"), "2037-02-28"),
)
WITHHELD_DRIVER = DemoDriver("Michał", "Piątek", "LN284309", "Starosta Zgierski", CE, "2033-05-21")


def build_drivers(today: date) -> list[DemoDriver]:
    """Return the twelve drivers, as the register had them when they were added.

    One licence has expired `EXPIRED_DAYS_AGO` days before `today`, without being withheld.
    """
    last_day = (today - timedelta(days=EXPIRED_DAYS_AGO + 1)).isoformat()
    expiring = DemoDriver("Ryszard", "Ósmak", "MP350917", "Starosta Łowicki", CE, last_day)
    return [*DRIVERS, WITHHELD_DRIVER, expiring]


def withheld_document(driver: DemoDriver) -> RegisterDocument:
    """Return the driver's licence, withheld."""
    return msgspec.structs.replace(
        driver.to_document(), state=WITHHELD_STATE, reasons=(POINTS_REASON,)
    )
