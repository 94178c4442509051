import { cleanup, screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { UserOut } from "~/api/types.gen"
import { queryClient } from "~/lib/query-client"
import { sessionQuery } from "~/lib/session"
import { anna } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { ChannelSettings } from "./channel-settings"
import { EmailProblem } from "./email-problem"

const call = "PUT /api/notifications/settings"
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

  it("keep the SMS setting when another one is saved before the new number is verified", async () => {
    const body = {
      emailEnabled: false,
      smsEnabled: true,
      phoneNumber: "+48600100200",
      phoneVerified: false,
      emailProblem: null,
    }
    const { requests, person } = renderSettings(
      { ...withPhone, phoneVerified: false, smsNotificationsEnabled: true },
      { [call]: { body } },
    )
    await person.click(email())
    await person.click(save())
    await screen.findByText("Ustawienia zapisane")
    expect(requests.find((one) => one.endpoint === call)?.body).toEqual({
      emailEnabled: false,
      smsEnabled: true,
    })
  })

  it("take effect when saved", async () => {
    const body = {
      emailEnabled: false,
      smsEnabled: true,
      phoneNumber: "+48600100200",
      phoneVerified: true,
      emailProblem: null,
    }
    const { requests, person } = renderSettings(withPhone, { [call]: { body } })
    await person.click(email())
    await person.click(sms())
    expect(screen.getByText("Niezapisane zmiany")).toBeVisible()
    expect(requests.map((one) => one.endpoint)).not.toContain(call)
    await person.click(save())
    expect(await screen.findByText("Ustawienia zapisane")).toBeVisible()
    expect(requests.find((one) => one.endpoint === call)?.body).toEqual({
      emailEnabled: false,
      smsEnabled: true,
    })
    expect(email()).not.toBeChecked()
    expect(sms()).toBeChecked()
    expect(screen.queryByText("Niezapisane zmiany")).toBeNull()
  })

  it("are saved when the screen is left", async () => {
    const body = {
      emailEnabled: true,
      smsEnabled: true,
      phoneNumber: "+48600100200",
      phoneVerified: true,
      emailProblem: null,
    }
    const { requests, person } = renderSettings(withPhone, { [call]: { body } })
    await person.click(sms())
    cleanup()
    await waitFor(() =>
      expect(requests.find((one) => one.endpoint === call)?.body).toEqual({
        emailEnabled: true,
        smsEnabled: true,
      }),
    )
  })

  it("send nothing when the screen is left without a change", async () => {
    const { requests, person } = renderSettings(withPhone)
    await person.click(sms())
    await person.click(sms())
    cleanup()
    expect(requests.map((one) => one.endpoint)).not.toContain(call)
  })

  it("keep the changes when saving fails, and report the error", async () => {
    const { person } = renderSettings(withPhone, {
      [call]: errorResponse(422, "phone_unverified", "Najpierw zweryfikuj numer."),
    })
    await person.click(sms())
    await person.click(save())
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Błąd podczas aktualizacji ustawieńNajpierw zweryfikuj numer.",
    )
    expect(screen.getAllByText("Błąd podczas aktualizacji ustawień")).toHaveLength(2)
    expect(sms()).toBeChecked()
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
    expect(screen.getByText(/włącz powiadomienia e-mail i zapisz ustawienia/)).toBeVisible()
    expect(email()).not.toBeChecked()
  })

  it("is used again once it is switched on and saved", async () => {
    const { requests, person } = renderSettings(
      { ...anna, emailProblem: "bounced" },
      {
        [call]: {
          body: {
            emailEnabled: true,
            smsEnabled: false,
            phoneNumber: null,
            phoneVerified: false,
            emailProblem: null,
          },
        },
      },
    )
    await screen.findByText("Nie wysyłamy powiadomień na Twój adres e-mail")
    await person.click(email())
    await person.click(save())
    await waitFor(() => expect(screen.queryByText(/Nie wysyłamy powiadomień/)).toBeNull())
    expect(requests.find((one) => one.endpoint === call)?.body).toMatchObject({
      emailEnabled: true,
    })
    expect(email()).toBeChecked()
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
    expect(await screen.findByText("Próbny alert wysłany")).toBeVisible()
    expect(screen.getByText(/^E-mail na anna@acme\.test, SMS na \+48.600.100.200$/)).toBeVisible()
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
