import { describe, expect, it } from "vitest"
import enLanding from "~/locales/en/landing.json"
import enPublic from "~/locales/en/public.json"
import plLanding from "~/locales/pl/landing.json"
import plPublic from "~/locales/pl/public.json"
import { tieTexts } from "../../scripts/polish-line-ends"
import { catalogue as english } from "./english-catalogue"
import { catalogue as polish } from "./polish-catalogue"

// Texts that the specification prescribes literally: a change here is a change of the
// specification.
const inPolish: [string, string][] = [
  [polish.common.menu.dashboard, "Panel główny"],
  [polish.common.menu.drivers, "Kierowcy"],
  [polish.common.menu.notifications, "Powiadomienia"],
  [polish.common.menu.subscription, "Subskrypcja"],
  [polish.common.menu.account, "Konto"],
  [polish.common.error, "Błąd"],
  [polish.common.success, "Sukces"],
  [polish.dashboard.title, "Panel główny"],
  [polish.dashboard.description, "Przegląd statusu uprawnień kierowców"],
  [polish.dashboard.cards.drivers, "Liczba kierowców"],
  [polish.dashboard.cards.valid, "Aktywne uprawnienia"],
  [polish.dashboard.cards.withheld, "Zatrzymane uprawnienia"],
  [polish.dashboard.withheld.heading, "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"],
  [polish.dashboard.withheld.licence, "Prawo jazdy: {{number}}"],
  [polish.dashboard.withheld.checked, "Data weryfikacji: {{date}}"],
  [polish.dashboard.withheld.details, "Zobacz szczegóły"],
  [polish.dashboard.details.title, "Szczegóły weryfikacji"],
  [polish.dashboard.details.documentStatus, "Status dokumentu"],
  [polish.dashboard.details.expiryDate, "Data ważności"],
  [polish.dashboard.details.authority, "Organ wydający"],
  [polish.dashboard.details.categories, "Kategorie"],
  [polish.dashboard.details.noData, "Brak danych"],
  [polish.dashboard.details.validUntil, "Ważne do: {{date}}"],
  [polish.dashboard.details.noExpiry, "Brak daty ważności"],
  [polish.dashboard.details.noCategories, "Brak danych o kategoriach"],
  [polish.dashboard.attention.title, "Wymaga uwagi"],
  [polish.drivers.title, "Panel zarządzania kierowcami"],
  [polish.drivers.empty.title, "Brak kierowców"],
  [polish.drivers.subscription.title, "Wymagana subskrypcja"],
  [polish.drivers.subscription.choose, "Wybierz plan"],
  [polish.drivers.paging.size, "Pozycji na stronę"],
  [polish.drivers.paging.page, "Strona {{page}} z {{pages}}"],
  [polish.drivers.form.addTitle, "Dodaj nowego kierowcę"],
  [polish.drivers.form.editTitle, "Edytuj kierowcę"],
  [polish.drivers.form.save, "Zapisz"],
  [polish.drivers.form.update, "Aktualizuj"],
  [polish.drivers.form.firstName.label, "Imię"],
  [polish.drivers.form.firstName.required, "Imię jest wymagane"],
  [polish.drivers.form.lastName.label, "Nazwisko"],
  [polish.drivers.form.lastName.required, "Nazwisko jest wymagane"],
  [polish.drivers.form.licenseNumber.label, "Numer prawa jazdy"],
  [polish.drivers.form.licenseNumber.required, "Numer prawa jazdy jest wymagany"],
  [polish.drivers.form.licenseNumber.format, "Numer prawa jazdy musi być w formacie AA123456"],
  [polish.drivers.form.licenseNumber.exists, "Numer prawa jazdy już istnieje"],
  [
    polish.drivers.form.limit,
    "Osiągnięto limit kierowców. Rozszerz swój plan, aby dodać więcej kierowców.",
  ],
  [polish.drivers.form.failed, "Nie udało się dodać kierowcy"],
  [polish.drivers.form.added, "Kierowca został dodany"],
  [polish.drivers.form.updated, "Dane kierowcy zostały zaktualizowane"],
  [polish.drivers.added.title, "Dodano kierowcę"],
  [polish.drivers.added.text, "Kierowca został pomyślnie dodany do systemu"],
  [polish.drivers.delete.done, "Kierowca został usunięty"],
  [polish.drivers.delete.failed, "Nie udało się usunąć kierowcy"],
  [polish.verifications.history.check, "Zweryfikuj teraz"],
  [polish.verifications.history.checked, "Weryfikacja zakończona pomyślnie"],
  [polish.verifications.history.checkFailed, "Nie udało się zweryfikować kierowcy"],
  [polish.verifications.unknown, "Nieznany"],
  [polish.verifications.chips.expired, "po terminie"],
  [polish.verifications.chips.overLimit, "poza limitem"],
  [polish.verifications.chips.stale, "niesprawdzone od {{date}}"],
  [polish.verifications.asOf, "Stan na dzień: {{date}}"],
  [polish.accounts.login.failedTitle, "Błąd logowania"],
  [polish.accounts.login.failed, "Nie udało się zalogować"],
  [polish.accounts.register.failedTitle, "Błąd rejestracji"],
  [polish.accounts.register.termsRequired, "Musisz zaakceptować Regulamin i Politykę Prywatności."],
  [polish.accounts.confirmPassword.mismatch, "Hasła nie są takie same"],
  [polish.accounts.change.tooShort, "Hasło musi mieć minimum 6 znaków"],
  [polish.accounts.change.failedTitle, "Błąd zmiany hasła"],
  [polish.accounts.change.failed, "Nie udało się zmienić hasła"],
  [polish.accounts.change.done, "Hasło zostało zmienione"],
  [polish.accounts.verify.failed, "Nieprawidłowy lub nieaktualny kod weryfikacyjny."],
  [polish.accounts.verify.toPanel, "Przejdź do panelu"],
  [polish.subscription.trial.taxId.format, "Nieprawidłowy format NIP"],
  [polish.subscription.cancelledUntil, "Anulowana, dostęp do {{date}}"],
  [polish.subscription.toast.error, "Błąd!"],
  [polish.subscription.toast.success, "Sukces!"],
  [polish.subscription.billing.companyName.required, "Nazwa firmy jest wymagana"],
  [polish.subscription.billing.taxId.format, "Nieprawidłowy format NIP"],
  [polish.subscription.billing.street.format, "Podaj ulicę i numer"],
  [polish.subscription.billing.postalCode.format, "Nieprawidłowy format kodu pocztowego"],
  [polish.subscription.billing.city.required, "Miasto jest wymagane"],
  [polish.subscription.billing.updated, "Dane rozliczeniowe zaktualizowane!"],
  [polish.subscription.billing.failed, "Wystąpił błąd podczas aktualizacji danych!"],
  [polish.subscription.order.failed, "Błąd podczas tworzenia sesji płatności!"],
  [polish.subscription.cancel.done, "Subskrypcja anulowana!"],
  [polish.subscription.cancel.failed, "Błąd podczas anulowania subskrypcji!"],
  [polish.subscription.result.paid, "Płatność zakończona sukcesem"],
  [polish.notifications.markReadFailed, "Błąd podczas oznaczania powiadomienia jako przeczytane"],
  [polish.notifications.settings.failed, "Błąd podczas aktualizacji ustawień"],
  [polish.notifications.settings.saved, "Ustawienia zapisane"],
  [polish.notifications.phone.number.missing, "Wprowadź numer telefonu"],
  [polish.notifications.phone.number.format, "Numer telefonu musi być w formacie +48XXXXXXXXX"],
  [polish.notifications.phone.sent, "Kod wysłany"],
  [polish.notifications.phone.sendFailed, "Błąd podczas wysyłania kodu weryfikacyjnego"],
  [polish.notifications.phone.code.missing, "Wprowadź kod weryfikacyjny"],
  [polish.notifications.phone.code.format, "Kod weryfikacyjny musi składać się z 6 cyfr"],
  [polish.notifications.phone.done, "Weryfikacja zakończona"],
  [polish.notifications.phone.verifyFailed, "Błąd podczas weryfikacji kodu"],
  [polish.help.guide, "Przewodnik"],
  [polish.help.contact.tab, "Kontakt"],
  [polish.help.contact.subject.required, "Temat jest wymagany"],
  [polish.help.contact.message.tooShort, "Wiadomość musi mieć co najmniej 10 znaków"],
  [polish.help.contact.sent, "Wiadomość wysłana"],
  [plPublic.anchors.features, "Funkcje"],
  [plPublic.anchors.pricing, "Cennik"],
  [plPublic.anchors.testimonials, "Opinie"],
  [plPublic.anchors.faq, "FAQ"],
  [plPublic.anchors.contact, "Kontakt"],
  [plLanding.picture.heading, "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"],
  [plLanding.contact.sending, "Wysyłanie..."],
  [
    plLanding.contact.sent,
    "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej.",
  ],
  [plLanding.contact.error, "Błąd"],
  [plLanding.contact.failed, "Wystąpił błąd podczas wysyłania wiadomości"],
  [polish.help.contact.failed, "Nie udało się wysłać wiadomości. Spróbuj ponownie później."],
]

const inEnglish: [string, string][] = [
  [english.problems.auth_required, "You must be logged in to perform this action."],
  [english.problems.auth_forbidden, "You don't have permission to perform this action."],
  [
    english.problems.invalid_driver_data,
    "Invalid driver data. Please check the information provided.",
  ],
  [english.problems.server_error, "Server error occurred. Please try again later."],
  [english.problems.verification_failed, "Failed to verify driver's license."],
  [english.problems.subscription_required, "Active subscription required."],
  [
    english.problems.driver_limit_exceeded,
    "Driver limit exceeded. Upgrade your plan to add more drivers.",
  ],
  [english.problems.invalid_credentials, "Invalid email or password"],
  [english.problems.invalid_code, "Invalid or expired verification code"],
  [english.problems.license_number_exists, "License number already exists"],
  [english.accounts.login.failed, "Failed to sign in"],
  [english.accounts.register.failed, "Failed to create account"],
  [english.accounts.verify.failed, "Invalid or expired verification code"],
  [english.accounts.verify.resendFailed, "Failed to send new code"],
  [english.accounts.forgot.failed, "Failed to send reset instructions"],
  [english.accounts.email.invalid, "Please enter a valid email address"],
  [english.drivers.form.failed, "Failed to add driver"],
  [english.drivers.form.limit, "Driver limit exceeded. Upgrade your plan to add more drivers."],
  [english.drivers.form.licenseNumber.exists, "License number already exists"],
  [english.drivers.delete.failed, "Failed to delete driver"],
  [english.verifications.history.checkFailed, "Failed to verify driver"],
  [english.verifications.history.loadFailed, "Error loading history"],
  [english.subscription.loadFailed, "Failed to fetch subscription"],
  [english.subscription.billing.failed, "Failed to update billing details"],
  [english.subscription.order.limit.tooLow, "Minimum 5 drivers"],
  [english.subscription.result.failedText, "There was a problem processing your payment"],
  [english.notifications.phone.number.format, "Phone number must be 9 digits"],
  [english.notifications.phone.code.format, "Verification code must be 6 digits"],
  [english.notifications.phone.sendFailed, "Failed to send verification code"],
  [english.notifications.settings.failed, "Failed to update settings"],
  [english.problems.invalid_phone_code, "Invalid verification code"],
  [enLanding.pricing.limit.tooLow, "Minimum 5 drivers"],
  [enLanding.contact.failed, "Failed to send message. Please try again later."],
  [enPublic.anchors.contact, "Contact"],
  [english.help.contact.failed, "Failed to send message. Please try again later."],
]

describe("the texts of the specification", () => {
  it.each(inPolish)("say %j in Polish to the letter", (text, literal) => {
    expect(text).toBe(literal)
    expect(tieTexts(text)).toBe(literal)
  })

  it.each(inEnglish)("say %j in English to the letter", (text, literal) => {
    expect(text).toBe(literal)
  })

  it("keep 'Payment Failed' as the heading in both languages", () => {
    expect(polish.subscription.result.failed).toBe("Payment Failed")
    expect(english.subscription.result.failed).toBe("Payment Failed")
  })

  it("keep '404 Page Not Found' as the heading in both languages", () => {
    expect(polish.common.notFound.title).toBe("404 Page Not Found")
    expect(english.common.notFound.title).toBe("404 Page Not Found")
  })
})
