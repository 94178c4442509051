/** Names, fields and acts of the resources. `%{name}` is the record. */

const undone = "Tej operacji nie można cofnąć."

const messageFields = {
  createdAt: "Otrzymano",
  sender: "Nadawca",
  subject: "Temat",
  state: "Stan",
  probableSpam: "Spam",
  text: "Odpowiedź",
}

const messageActs = {
  answer: {
    label: "Odpowiedz",
    title: "Odpowiedź: %{name}",
    text: "Wyślemy ją e-mailem na adres nadawcy.",
    confirm: "Wyślij odpowiedź",
    done: "Odpowiedź została wysłana",
  },
  close: {
    label: "Zamknij",
    title: "Zamknąć: %{name}?",
    text: "Nadawca nie dostanie wiadomości.",
    confirm: "Zamknij",
    done: "Zamknięto",
  },
  reopen: {
    label: "Otwórz ponownie",
    title: "Otworzyć ponownie: %{name}?",
    text: "",
    confirm: "Otwórz ponownie",
    done: "Otwarto ponownie",
  },
}

export const resources = {
  users: {
    name: "Użytkownik |||| Użytkownicy |||| Użytkownicy",
    search: "Szukaj po adresie e-mail",
    isOperator: "operator",
    isUnverified: "e-mail niepotwierdzony",
    driversUsed: "%{drivers} kierowca |||| %{drivers} kierowcy |||| %{drivers} kierowców",
    fields: {
      email: "E-mail",
      createdAt: "Data rejestracji",
      status: "Status",
      driverLimit: "Limit kierowców",
      subscriptionEndDate: "Koniec subskrypcji",
    },
    notifications: {
      updated: "Użytkownik został zaktualizowany",
    },
    acts: {
      impersonate: {
        label: "Zaloguj jako",
        title: "Zalogować się jako %{name}?",
        text: "Przez najwyżej 60 minut zobaczysz panel tak jak klient. Każda zmiana trafi do dziennika jako Twoja, a każdy ekran przypomni, w czyim imieniu pracujesz.",
        confirm: "Zaloguj jako użytkownik",
        done: "Zalogowano jako użytkownik",
      },
      delete: {
        label: "Usuń",
        title: "Usunąć użytkownika %{name}?",
        text: `Usuniemy firmę, jej kierowców, weryfikacje i powiadomienia. Wystawione faktury zostaną. ${undone}`,
        confirm: "Usuń użytkownika",
        done: "Użytkownik został usunięty",
      },
    },
    bulkDelete: {
      title:
        "Usunąć %{smart_count} użytkownika? |||| Usunąć %{smart_count} użytkowników? |||| Usunąć %{smart_count} użytkowników?",
      text: undone,
      done: "Użytkownik został usunięty |||| Usunięto %{smart_count} użytkowników |||| Usunięto %{smart_count} użytkowników",
    },
    history: {
      label: "Historia",
      title: "Historia: %{name}",
      activityType: "Rodzaj aktywności",
      allTypes: "Wszystkie",
      showRaw: "Pokaż odpowiedź",
      hideRaw: "Ukryj odpowiedź",
      tabs: {
        activity: "Aktywność",
        subscriptions: "Subskrypcje",
        verifications: "Weryfikacje",
      },
    },
  },
  activity: {
    fields: {
      createdAt: "Czas",
      activityType: "Rodzaj",
      details: "Szczegóły",
      ipAddress: "Adres IP",
    },
  },
  subscriptionChanges: {
    fields: {
      changedAt: "Czas",
      oldStatus: "Poprzedni status",
      newStatus: "Nowy status",
      oldEndDate: "Poprzedni koniec",
      newEndDate: "Nowy koniec",
      note: "Notatka",
    },
  },
  verifications: {
    fields: {
      verifiedAt: "Czas",
      driverFirstName: "Imię",
      driverLastName: "Nazwisko",
      mayDrive: "Może jechać",
      status: "Status",
      documentStatus: "Stan dokumentu",
      categories: "Kategorie",
      verificationResponse: "Odpowiedź rejestru",
    },
  },
  companies: {
    name: "Firma |||| Firmy |||| Firmy",
    search: "Szukaj po nazwie, NIP-ie lub e-mailu",
    fields: {
      name: "Firma",
      taxId: "NIP",
      createdAt: "Od",
      status: "Status",
      endDate: "Ważna do",
      driversCount: "Kierowcy",
      days: "O ile dni",
    },
    acts: {
      suspend: {
        label: "Zawieś",
        title: "Zawiesić firmę %{name}?",
        text: "Dostęp i codzienne kontrole ustaną od razu, do czasu wznowienia przez operatora.",
        confirm: "Zawieś firmę",
        done: "Firma została zawieszona",
      },
      resume: {
        label: "Wznów",
        title: "Wznowić firmę %{name}?",
        text: "Firma odzyska dostęp do końca opłaconego okresu.",
        confirm: "Wznów firmę",
        done: "Firma została wznowiona",
      },
      extend: {
        label: "Przedłuż",
        title: "Przedłużyć subskrypcję firmy %{name}?",
        text: "Dni dodamy do końca bieżącego okresu.",
        confirm: "Przedłuż",
        done: "Subskrypcja została przedłużona",
      },
      export: {
        label: "Eksportuj dane",
        title: "Wyeksportować dane firmy %{name}?",
        text: "Plik zawiera dane osobowe kierowców. Przekaż go tylko uprawnionej osobie.",
        confirm: "Pobierz plik",
        done: "Plik z danymi został pobrany",
      },
      erase: {
        label: "Usuń dane",
        title: "Trwale usunąć dane firmy %{name}?",
        text: `Usuniemy wszystkie dane firmy poza wystawionymi fakturami. ${undone}`,
        confirm: "Usuń dane",
        done: "Dane firmy zostały usunięte",
      },
    },
  },
  "check-runs": {
    name: "Kontrola |||| Kontrola dzienna |||| Kontrola dzienna",
    fields: {
      day: "Dzień",
      planned: "Plan",
      done: "Sprawdzeni",
      valid: "Ważne",
      invalid: "Zatrzymane",
      attention: "Uwaga",
      notFound: "Nie znaleziono",
      unresolved: "Bez odpowiedzi",
      finishedAt: "Koniec",
      reviewState: "Decyzja",
    },
    acts: {
      pause: {
        label: "Wstrzymaj",
        title: "Wstrzymać dzisiejszą kontrolę?",
        text: "Do czasu wznowienia nie wyślemy do rejestru żadnego zapytania.",
        confirm: "Wstrzymaj",
        done: "Kontrola została wstrzymana",
      },
      resume: {
        label: "Wznów",
        title: "Wznowić dzisiejszą kontrolę?",
        text: "",
        confirm: "Wznów",
        done: "Kontrola została wznowiona",
      },
      retry: {
        label: "Powtórz bez odpowiedzi",
        title: "Powtórzyć zapytania bez odpowiedzi?",
        text: "Jeszcze raz zapytamy rejestr o kierowców, o których dziś nie odpowiedział.",
        confirm: "Powtórz",
        done: "Zapytania zostały zaplanowane ponownie",
      },
      approve: {
        label: "Zatwierdź wszystkie",
        title: "Zatwierdzić wstrzymane zmiany?",
        text: `Zmiany staną się widoczne, a klienci dostaną powiadomienia. ${undone}`,
        confirm: "Zatwierdź wszystkie",
        done: "Zmiany zostały zatwierdzone",
      },
      reject: {
        label: "Odrzuć wszystkie",
        title: "Odrzucić wstrzymane zmiany?",
        text: `Kierowcy zachowają poprzedni stan i zostaną sprawdzeni ponownie. ${undone}`,
        confirm: "Odrzuć wszystkie",
        done: "Zmiany zostały odrzucone",
      },
    },
  },
  quarantinedChanges: {
    fields: {
      companyName: "Firma",
      notFound: "Nie znaleziono",
      attention: "Wymagają uwagi",
      total: "Razem",
    },
  },
  deliveries: {
    name: "Wiadomość |||| Wysyłka |||| Wysyłka",
    fields: {
      companyName: "Firma",
      medium: "Kanał",
      kind: "Rodzaj",
      state: "Stan",
      reason: "Powód",
      attempts: "Próby",
      createdAt: "Utworzono",
      nextAttemptAt: "Następna próba",
    },
    acts: {
      resend: {
        label: "Wyślij ponownie",
        title: "Wysłać wiadomość ponownie?",
        text: "Klient dostanie ją z aktualną treścią.",
        confirm: "Wyślij ponownie",
        done: "Wiadomość czeka na wysłanie",
      },
    },
  },
  payments: {
    name: "Płatność |||| Płatności |||| Płatności",
    search: "Szukaj po numerze płatności",
    fields: {
      companyName: "Firma",
      amountGrosze: "Kwota",
      state: "Stan",
      method: "Metoda",
      provider: "Operator",
      reference: "Numer",
      createdAt: "Utworzono",
    },
  },
  discrepancies: {
    name: "Rozbieżność |||| Rozbieżności |||| Rozbieżności",
    search: "Szukaj po numerze płatności",
    fields: {
      kind: "Rodzaj",
      amountGrosze: "Kwota",
      companyName: "Firma",
      reference: "Numer",
      detectedAt: "Wykryto",
      resolvedAt: "Rozwiązanie",
      open: "Stan",
      note: "Jak została wyjaśniona",
      amount: "Kwota zwrotu (zł)",
    },
    acts: {
      resolve: {
        label: "Oznacz jako wyjaśnioną",
        title: "Oznaczyć rozbieżność %{name} jako wyjaśnioną?",
        text: "",
        confirm: "Oznacz jako wyjaśnioną",
        done: "Rozbieżność została wyjaśniona",
      },
      refund: {
        label: "Zwróć pieniądze",
        title: "Zwrócić pieniądze: %{name}?",
        text: `Zlecimy zwrot u operatora płatności. ${undone}`,
        confirm: "Zleć zwrot",
        done: "Zwrot został zlecony",
      },
    },
  },
  refunds: {
    name: "Zwrot |||| Zwroty |||| Zwroty",
    fields: {
      companyName: "Firma",
      amountGrosze: "Kwota",
      state: "Stan",
      reference: "Numer",
      createdAt: "Zlecono",
    },
  },
  statementLines: {
    fields: {
      index: "Księguj",
      outcome: "Dopasowanie",
      bookedOn: "Data",
      amountGrosze: "Kwota",
      title: "Tytuł i nadawca",
      companyName: "Zamówienie",
    },
  },
  tickets: {
    name: "Zgłoszenie |||| Zgłoszenia |||| Zgłoszenia",
    fields: { ...messageFields, q: "Szukaj po temacie, firmie lub e-mailu" },
    acts: messageActs,
  },
  "contact-messages": {
    name: "Wiadomość ze strony |||| Wiadomości ze strony |||| Wiadomości ze strony",
    fields: { ...messageFields, q: "Szukaj po nadawcy, firmie lub e-mailu" },
    acts: messageActs,
  },
  plugins: {
    name: "Wtyczka |||| Wtyczki |||| Wtyczki",
    fields: {
      name: "Wtyczka",
      kind: "Rodzaj",
      configured: "Skonfigurowana",
      chosen: "Wybrana",
      healthy: "Stan",
      lastError: "Ostatni błąd",
      check: "Sprawdzenie",
    },
  },
  incidents: {
    name: "Incydent |||| Incydenty |||| Incydenty",
    fields: {
      kind: "Incydent",
      detail: "Szczegóły",
      openedAt: "Początek",
      closedAt: "Stan",
      open: "Stan",
      mailedAt: "Wysłano e-mail",
    },
    acts: {
      close: {
        label: "Zamknij",
        title: "Zamknąć incydent?",
        text: "Jeśli przyczyna trwa, incydent otworzy się ponownie.",
        confirm: "Zamknij incydent",
        done: "Incydent został zamknięty",
      },
    },
  },
  actions: {
    name: "Działanie |||| Dziennik działań |||| Dziennik działań",
    search: "Szukaj po adresie e-mail",
    systemUser: "użytkownik systemowy",
    fields: {
      sequence: "Nr",
      createdAt: "Czas",
      adminEmail: "Operator",
      actionType: "Działanie",
      targetEmail: "Kogo dotyczy",
      reason: "Powód",
      details: "Szczegóły",
    },
  },
}
