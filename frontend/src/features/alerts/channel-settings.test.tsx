import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { NotificationSettingsOut, UserOut } from "~/api/types.gen"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { ChannelSettings } from "./channel-settings"
import { EmailProblem } from "./email-problem"

const call = "PUT /api/notifications/settings"
const own = (changes: Partial<NotificationSettingsOut> = {}): NotificationSettingsOut => ({
  emailEnabled: true,
  emailProblem: null,
  smsEnabled: false,
  phoneNumber: "+48600100200",
  phoneVerified: true,
  ...changes,
})
const withPhone: UserOut = { ...anna, phoneNumber: "+48600100200", phoneVerified: true }
const email = () => screen.getByRole("switch", { name: "Powiadomienia e-mail" })
const sms = () => screen.getByRole("switch", { name: "Powiadomienia SMS" })
const save = () => screen.getByRole("button", { name: "Zapisz ustawienia" })

const settingsScreen = (
  <>
    <EmailProblem />
    <ChannelSettings />
  </>
)

function renderSettings(user: UserOut, answers = {}) {
  const requests = mockServer({ "GET /api/user": { body: user }, ...answers })
  return { requests, ...renderScreen(settingsScreen, { user }) }
}

describe("the switches", () => {
  it("leave SMS locked until the phone is verified", async () => {
    renderSettings({ ...withPhone, phoneVerified: false, smsNotificationsEnabled: true })
    expect(sms()).toBeDisabled()
    expect(sms()).not.toBeChecked()
    expect(sms()).toHaveAccessibleDescription("Najpierw zweryfikuj numer telefonu.")
    expect(email()).toBeChecked()
    expect(email()).toHaveAccessibleDescription("anna@acme.test")
  })

  it("are not sent when another one is saved: its stored value may be newer", async () => {
    const { requests, person } = renderSettings(withPhone, {
      [call]: { body: own({ emailEnabled: false, smsEnabled: true }) },
    })
    await person.click(email())
    await person.click(save())
    await screen.findByText("Ustawienia zapisane")
    expect(requests.find((one) => one.endpoint === call)?.body).toEqual({ emailEnabled: false })
    expect(sms()).toBeChecked()
  })

  it.each(["SMS", "e-mail"])("keep what is turned while they are saved: %s", async (name) => {
    const again = () => screen.getByRole("switch", { name: `Powiadomienia ${name}` })
    const before = withPhone.smsNotificationsEnabled
    const { person } = renderSettings(withPhone, {
      [call]: () => {
        fireEvent.click(again())
        return { body: own({ emailEnabled: false, smsEnabled: before }) }
      },
    })
    await person.click(email())
    await person.click(save())
    await screen.findByText("Ustawienia zapisane")
    expect(again()).toBeChecked()
    expect(screen.getByText("Niezapisane zmiany")).toBeVisible()
  })

  it("are saved together, by the button alone", async () => {
    const answer = { body: own({ emailEnabled: false, smsEnabled: true }) }
    const { requests, person } = renderSettings(withPhone, { [call]: answer })
    expect(save()).toBeDisabled()
    await person.click(sms())
    await person.click(email())
    expect(screen.getByText("Niezapisane zmiany")).toBeVisible()
    await person.click(save())
    expect(await screen.findByText("Ustawienia zapisane")).toBeVisible()
    const sent = requests.filter((one) => one.endpoint === call).map((one) => one.body)
    expect(sent).toEqual([{ emailEnabled: false, smsEnabled: true }])
    expect(screen.queryByText("Niezapisane zmiany")).toBeNull()
    expect(save()).toBeDisabled()
  })

  it("have nothing to save once they are turned back", async () => {
    queryClient.setQueryData(sessionQuery.queryKey, withPhone)
    const { person } = renderSettings(withPhone)
    await person.click(sms())
    expect(fireEvent(window, new Event("beforeunload", { cancelable: true }))).toBe(false)
    await person.click(sms())
    expect(fireEvent(window, new Event("beforeunload", { cancelable: true }))).toBe(true)
    expect(save()).toBeDisabled()
  })

  it("keep the choice when saving fails, report the error and save by the button", async () => {
    let fails = true
    const { requests, person } = renderSettings(withPhone, {
      [call]: () =>
        fails
          ? errorResponse(503, "unavailable", "Usługa jest chwilowo niedostępna.")
          : { body: own({ smsEnabled: true }) },
    })
    await person.click(sms())
    await person.click(save())
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Błąd podczas aktualizacji ustawieńUsługa jest chwilowo niedostępna.",
    )
    expect(sms()).toBeChecked()
    expect(screen.getByText("Niezapisane zmiany")).toBeVisible()
    fails = false
    await person.click(save())
    await waitFor(() => expect(screen.queryByText("Niezapisane zmiany")).toBeNull())
    expect(requests.filter((one) => one.endpoint === call)).toHaveLength(2)
  })

  it("stay turned while another screen is looked at", async () => {
    queryClient.setQueryData(sessionQuery.queryKey, withPhone)
    const { person } = renderSettings(withPhone)
    await person.click(sms())
    cleanup()
    // Closing the tab there asks first.
    expect(fireEvent(window, new Event("beforeunload", { cancelable: true }))).toBe(false)
    renderScreen(settingsScreen, { user: withPhone })
    expect(sms()).toBeChecked()
    expect(save()).toBeEnabled()
  })

  it("say, when all are off, that alerts are in the panel alone", async () => {
    const { person } = renderSettings(withPhone)
    const panelOnly = () => screen.queryByText(/dowiesz się tylko w panelu/)
    expect(panelOnly()).toBeNull()
    await person.click(email())
    expect(panelOnly()).toBeVisible()
    await person.click(sms())
    expect(panelOnly()).toBeNull()
  })
})

describe("a suppressed address", () => {
  it.each([
    ["bounced", "odrzucił nasze wiadomości"],
    ["dropped", "przestał dostarczać"],
    ["spam", "zgłoszona jako spam"],
  ] as const)("because of %s is shown with what to do, and is off", async (problem, why) => {
    renderSettings({ ...anna, emailProblem: problem })
    expect(screen.getByText(new RegExp(why))).toHaveTextContent("anna@acme.test")
    const remedy = screen.getByText(/^Gdy skrzynka znów działa/).closest("p")
    expect(remedy).toHaveTextContent(/włącz powiadomienia e-mail\.$/)
    expect(email()).not.toBeChecked()
  })

  it("is used again once it is switched on", async () => {
    const { requests, person } = renderSettings(
      { ...anna, emailProblem: "bounced" },
      { [call]: { body: own({ phoneNumber: null, phoneVerified: false }) } },
    )
    await screen.findByText(/Nie wysyłamy powiadomień na Twój adres/)
    await person.click(email())
    await person.click(save())
    await waitFor(() => expect(screen.queryByText(/Nie wysyłamy powiadomień/)).toBeNull())
    expect(requests.find((one) => one.endpoint === call)?.body).toMatchObject({
      emailEnabled: true,
    })
    expect(email()).toBeChecked()
  })

  it("is not confirmed by another switch", async () => {
    const { requests, person } = renderSettings(
      { ...withPhone, emailProblem: "bounced" },
      { [call]: { body: own({ smsEnabled: true, emailProblem: "bounced" }) } },
    )
    await screen.findByText(/Nie wysyłamy powiadomień na Twój adres/)
    await person.click(sms())
    await person.click(save())
    await screen.findByText("Ustawienia zapisane")
    expect(requests.find((one) => one.endpoint === call)?.body).toEqual({ smsEnabled: true })
  })

  it("is noticed when the screen opens, although the panel was opened before", async () => {
    queryClient.setQueryData(sessionQuery.queryKey, anna)
    const requests = mockServer({ "GET /api/user": { body: { ...anna, emailProblem: "spam" } } })
    renderScreen(settingsScreen, { user: anna })
    expect(email()).toBeChecked()
    expect(await screen.findByText(/zgłoszona jako spam/)).toBeVisible()
    expect(requests).toHaveLength(1)
  })
})

describe("a test alert", () => {
  const send = "POST /api/notifications/test"
  const button = () => screen.getByRole("button", { name: "Wyślij próbny alert" })

  it("says by which ways it leaves", async () => {
    const { person } = renderSettings(withPhone, { [send]: { body: { media: ["email", "sms"] } } })
    await person.click(button())
    const title = await screen.findByText("Próbny alert wysłany")
    expect(title.closest("[data-toast]")).toHaveTextContent(
      /E-mail na anna@acme\.test, SMS na \+48.600.100.200$/,
    )
  })

  it("says that it is in the panel alone when both channels are off", async () => {
    const { person } = renderSettings(withPhone, { [send]: { body: { media: [] } } })
    await person.click(button())
    expect(await screen.findByText(/Wysyłka jest wyłączona/)).toBeVisible()
  })

  it("reports that there were too many", async () => {
    const { person } = renderSettings(withPhone, {
      [send]: errorResponse(429, "too_many_requests", "Za dużo prób."),
    })
    await person.click(button())
    expect(await screen.findByText("Nie udało się wysłać próbnego alertu")).toBeVisible()
    expect(screen.getByText("Za dużo prób.")).toBeVisible()
  })
})
