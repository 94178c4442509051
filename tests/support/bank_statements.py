"""Statement files as Polish banks write them: one credit and one debit each."""
# ruff: noqa: E501

from datetime import date

from prawko.payments.statements.entries import StatementFormat

CREDIT = (date(2026, 11, 20), 18327, "PLN", "ACME SPÓŁKA Z O.O.", "PRAWKO 7F3K 9QX2 ABCD")
DEBIT_GROSZE = -123456

PKO = """"Data operacji","Data waluty","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji","","","",""
"","","Blokada","-29.99","PLN","W rozliczeniu","Tytuł: P000","","","",""
"2026-11-20","2026-11-20","Przelew na konto","+183.27","PLN","+1725.76","Rachunek nadawcy: 61 1090 1014 0000 0712 1981 2874","Nazwa nadawcy: ACME SPÓŁKA Z O.O.","Adres nadawcy: PROSTA 1","Tytuł: PRAWKO 7F3K 9QX2 ABCD",""
"2026-11-19","2026-11-19","Przelew z rachunku","-1234.56","PLN","+1542.49","Nazwa odbiorcy: ZUS","Tytuł: SKŁADKI","","",""
"""
PKO_BUSINESS = """"Data księgowania";"Data waluty";"Nadawca";"Adres nadawcy";"Rachunek";"Rachunek";"Tytułem";"Kwota operacji";"Waluta";"Numer referencyjny";"Typ operacji"
"20.11.2026";"20.11.2026";"ACME SPÓŁKA Z O.O.";"PROSTA 1";"61109010140000071219812874";"10102010260000000000000000";"PRAWKO 7F3K 9QX2 ABCD";"183,27";"PLN";"2026112000017";"PRZELEW"
"19.11.2026";"19.11.2026";"PRAWKO";"";"1";"2";"SKŁADKI";"-1 234,56";"PLN";"2026111900011";"PRZELEW"
"""
PEKAO = """Data księgowania;Data waluty;Nadawca / Odbiorca;Adres nadawcy / odbiorcy;Rachunek źródłowy;Rachunek docelowy;Tytułem;Kwota operacji;Waluta;Numer referencyjny;Typ operacji;Kategoria
20.11.2026;20.11.2026;ACME SPÓŁKA Z O.O.;PROSTA 1;'61109010140000071219812874;'98124014441111001078171074;PRAWKO 7F3K 9QX2 ABCD;183,27;PLN;'0DC0000112030;PRZELEW KRAJOWY;Inne
19.11.2026;19.11.2026;ZUS;;'98124014441111001078171074;'1;SKŁADKI;-1 234,56;PLN;'C992600910921166;PRZELEW KRAJOWY;Inne
"""
MBANK = """mBank S.A. Bankowość Detaliczna;
Skrzynka Pocztowa 2108;

#Klient;
PRAWKO SP. Z O.O.;
#Waluta;#Wpływy;#Wydatki;
PLN;183,27;-1 234,56
#Data księgowania;#Data operacji;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;
2026-11-20;2026-11-19;PRZELEW ZEWNĘTRZNY PRZYCHODZĄCY;"PRAWKO 7F3K 9QX2 ABCD";"ACME SPÓŁKA Z O.O.";'61109010140000071219812874';183,27;1 725,76;
2026-11-19;2026-11-19;PRZELEW ZEWNĘTRZNY WYCHODZĄCY;"SKŁADKI";"ZUS";'1';-1 234,56;1 542,49;
;;;;;;#Saldo końcowe;1 725,76 PLN;
"""
MBANK_SHORT = """#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;
2026-11-20;"PRAWKO 7F3K 9QX2 ABCD";"mBiznes 6311 ... 0016";"Wpływy";183,27 PLN;;
2026-11-19;"SKŁADKI";"mBiznes 6311 ... 0016";"ZUS";-1 234,56 PLN;;
"""
ING = """"Lista transakcji";;;"ING Bank Śląski S.A. ul. Sokolska 34, 40-086 Katowice";
"Wybrane rachunki:";
"Konto dla Firmy (PLN)";;"10 1050 0099 7603 1234 5678 9123";
"Data transakcji";"Data księgowania";"Dane kontrahenta";"Tytuł";"Nr rachunku";"Nazwa banku";"Szczegóły";"Nr transakcji";"Kwota transakcji (waluta rachunku)";"Waluta";"Kwota blokady/zwolnienie blokady";"Waluta";"Kwota płatności w walucie";"Waluta";"Konto";"Saldo po transakcji";"Waluta"
2026-11-21;;" SKLEP ";" ZAKUP ";'';"";"";'';;;-50,00;PLN;;;"Konto dla Firmy (PLN)";;
2026-11-20;2026-11-20;" ACME SPÓŁKA Z O.O.";" PRAWKO 7F3K 9QX2 ABCD ";'61109010140000071219812874 ';" Santander ";"PRZELEW ";'202632412345678901';183,27;PLN;;;;;"Konto dla Firmy (PLN)";1725,76;PLN
2026-11-19;2026-11-19;" ZUS";" SKŁADKI ";'1 ';"";"PRZELEW ";'202632312345678901';-1234,56;PLN;;;;;"Konto dla Firmy (PLN)";1542,49;PLN
"Dokument ma charakter informacyjny, nie stanowi dowodu księgowego";
"""
MILLENNIUM = """"Numer rachunku/karty","Data transakcji","Data rozliczenia","Rodzaj transakcji","Na konto/Z konta","Odbiorca/Zleceniodawca","Opis","Obciążenia","Uznania","Saldo","Waluta"
"PL12 1160 2202 0000 0001 2345 6789","2026-11-20","2026-11-20","PRZELEW PRZYCHODZĄCY","61 1090","ACME SPÓŁKA Z O.O.","PRAWKO 7F3K 9QX2 ABCD","","183.27","1725.76","PLN"
"PL12 1160 2202 0000 0001 2345 6789","2026-11-19","2026-11-19","PRZELEW WYCHODZĄCY","1","ZUS","SKŁADKI","-1234.56","","1542.49","PLN"
"""
SANTANDER = """2026-11-22,01-11-2026,'10 1090 1014 0000 0712 1981 2874,PRAWKO SP. Z O.O.,PLN,"2777,05","1725,76",2,
20-11-2026,19-11-2026,PRAWKO 7F3K 9QX2 ABCD,ACME SPÓŁKA Z O.O.,61 1090 1014 0000 0712 1981 2874,"183,27","1725,76",1,
19-11-2026,19-11-2026,SKŁADKI,ZUS,1,"-1234,56","1542,49",2,
"""
BNP = """Data transakcji\tData zaksięgowania\tData odrzucenia\tKwota\tWaluta\tNadawca\tOdbiorca\tOpis\tProdukt\tTyp transakcji\tKwota zlecenia\tWaluta zlecenia\tStatus\tSaldo po transakcji
2026-11-21\t\t\t- 50,17\tPLN\t\tSKLEP\tZAKUP\tKonto\tBlokada środków\t\t\tW trakcie realizacji\t
2026-11-20\t2026-11-20\t\t183,27\tPLN\tACME SPÓŁKA Z O.O.\tPRAWKO\tPRAWKO 7F3K 9QX2 ABCD\tKonto\tPrzelew\t183,27\tPLN\tZrealizowana\t1725,76
2026-11-19\t2026-11-19\t\t- 1\u00a0234,56\tPLN\tPRAWKO\tZUS\tSKŁADKI\tKonto\tPrzelew\t1234,56\tPLN\tZrealizowana\t1542,49
2026-11-18\t2026-11-18\t2026-11-18\t- 1,00\tPLN\tPRAWKO\tZUS\tSKŁADKI\tKonto\tPrzelew\t1,00\tPLN\tOdrzucona\t
"""

MT940_TILDE = """:20:MT940
:25:/PL10105000997603123456789123
:28C:9
:60F:C261119PLN2777,05
:61:2611190920D1234,56S02097202028342
:86:020
:86:020~00IBCG
~20SKŁADKI
~21˙
~32ZUS
:61:2611201120C183,27S02097202028343//2026112000017
152 0
:86:020
:86:020~00IBCG
~20PRAWKO 7F3K
~21 9QX2 ABCD
~22˙
~3010901014
~32ACME SPÓŁKA
~33 Z O.O.
~38PL61109010140000071219812874
:62F:C261120PLN1725,76
-
"""
MT940_CARET = """:20:1
:25:/PL12124012551111000015237873
:28C:00152
:60F:C261119PLN000000002777,05
:61:2611191119DN000000001234,56N641NONREF
:86:641^00PRZELEW MIĘDZYBANKOWY^34000
^3019401076^38PL54194010765205871800000000
^20SKŁADKI
^32ZUS
:61:2611201120CN000000000183,27N723NONREF//CEN2611201120646331
:86:723^00PRZELEW OTRZYMANY ELIXIR   ^34000
^3010501764
^20PRAWKO 7F3K 9Q^21X2 ABCD
^32ACME SPÓŁKA Z O.O.
^62PROSTA 1^6300-950 WARSZAWA
:62F:C261120PLN000000001725,76
"""
MT940_ANGLE = """{1:F01BPKOPLPWXXXX0000000000}{2:I940XXXXN}{4:
:20:ST261120
:25:PL10102010260000000000000000
:28C:00123/001
:60F:C261119PLN2777,05
:61:261119D1234,56NMSCNONREF
:86:0200<00Przelew<2050<20SKŁADKI<27ZUS
:61:261120C183,27NMSCNONREF
:86:0300<00Przelew ELIXIR<103115
<20PRAWKO 7F3K 9QX2 ABCD
<27ACME SPÓŁKA Z O.O.<63REF_3115
:62F:C261120PLN1725,76
-}
"""
MT940_PLAIN = """:20:BPH
:25:PL27114020040000300201355387
:28C:1
:60F:C261119PLN2777,05
:61:2611191119D1234,56NTRFNONREF//BR0001
:86:944 PRZELEW; TYT.: SKŁADKI
:61:2611201120C183,27NTRFNONREF//BR0002
:86:944 PRZELEW PRZYCHODZĄCY; OD: ACME SPÓŁKA Z O.O.; TYT.: PRAWKO
7F3K9QX2ABCD; TNR: 123.040001
:62F:C261120PLN1725,76
"""


def camt(*entries: str, version: str = "001.02") -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.{version}"><BkToCstmrStmt>'
        f"<GrpHdr/><Stmt><Id>1</Id>\n{chr(10).join(entries)}\n</Stmt></BkToCstmrStmt></Document>"
    ).encode()


def camt_entry(amount: str, direction: str, details: str, *, reference="", status="BOOK") -> str:
    return (
        f'<Ntry><Amt Ccy="PLN">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>'
        f"<Sts>{status}</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>"
        f"<AcctSvcrRef>{reference}</AcctSvcrRef><NtryDtls>{details}</NtryDtls></Ntry>"
    )


def camt_details(title: str, name: str = "", party: str = "Dbtr", extra: str = "") -> str:
    return (
        f"<TxDtls>{extra}<RltdPties><{party}><Nm>{name}</Nm></{party}></RltdPties>"
        f"<RmtInf><Ustrd>{title}</Ustrd></RmtInf></TxDtls>"
    )


PAID = camt_entry("183.27", "CRDT", camt_details(CREDIT[4], CREDIT[3]), reference="REF-000017")
CAMT = camt(
    camt_entry("1234.56", "DBIT", camt_details("SKŁADKI", "ZUS", "Cdtr")),
    PAID,
    camt_entry("1.00", "CRDT", camt_details("later"), status="PDNG"),
)
FILES = {
    "pko": (PKO, StatementFormat.PKO),
    "pko_business": (PKO_BUSINESS, StatementFormat.PKO_BUSINESS),
    "pekao": (PEKAO, StatementFormat.PEKAO),
    "mbank": (MBANK, StatementFormat.MBANK),
    "mbank_short": (MBANK_SHORT, StatementFormat.MBANK),
    "ing": (ING, StatementFormat.ING),
    "millennium": (MILLENNIUM, StatementFormat.MILLENNIUM),
    "santander": (SANTANDER, StatementFormat.SANTANDER),
    "bnp": (BNP, StatementFormat.BNP_PARIBAS),
    "mt940_tilde": (MT940_TILDE, StatementFormat.MT940),
    "mt940_caret": (MT940_CARET, StatementFormat.MT940),
    "mt940_angle": (MT940_ANGLE, StatementFormat.MT940),
    "mt940_plain": (MT940_PLAIN, StatementFormat.MT940),
    "camt": (CAMT.decode(), StatementFormat.CAMT053),
}
