import { screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { UserOut } from "~/api/types.gen"
import { queryClient } from "~/shared/query-client"
import { sessionQuery } from "~/shared/session"
import { answering, refused } from "~/testing/answers"
import { anna } from "~/testing/people"
import { show } from "~/testing/screen"
import { ChannelSettings } from "./channel-settings"
import { EmailProblem } from "./email-problem"

const call = "PUT /api/notifications/settings"
const withPhone: UserOut = { ...anna, phoneNumber: "+48600100200", phoneVerified: true }
const email = () => screen.getByRole("switch", { name: "Powiadomienia e-mail" })
const sms = () => screen.getByRole("switch", { name: "Powiadomienia SMS" })
const save = () => screen.getByRole("button", { name: "Zapisz ustawienia" })

const screenOfBoth = (
  <>
    <EmailProblem />
    <ChannelSettings />
  </>
)

function showSettings(user: UserOut, answers = {}) {
  const asked = answering({ "GET /api/user": { body: user }, ...answers })
  return { asked, ...show(screenOfBoth, { user }) }
}

describe("the switches", () => {
  it("leave SMS locked until the phone is verified", async () => {
    showSettings({ ...withPhone, phoneVerified: false, smsNotificationsEnabled: true })
    expect(sms()).toBeDisabled()
    expect(sms()).not.toBeChecked()
    expect(sms()).toHaveAccessibleDescription("Najpierw zweryfikuj numer telefonu.")
    expect(email()).toBeChecked()
    expect(email()).toHaveAccessibleDescription("anna@acme.test")
  })

  it("count once they are saved", async () => {
    const body = {
      emailEnabled: false,
      smsEnabled: true,
      phoneNumber: "+48600100200",
      phoneVerified: true,
      emailProblem: null,
    }
    const { asked, person } = showSettings(withPhone, { [call]: { body } })
    await person.click(email())
    await person.click(sms())
    expect(screen.getByText("Niezapisane zmiany")).toBeVisible()
    expect(asked.map((one) => one.call)).not.toContain(call)
    await person.click(save())
    expect(await screen.findByText("Ustawienia zapisane")).toBeVisible()
    expect(asked.find((one) => one.call === call)?.body).toEqual({
      emailEnabled: false,
      smsEnabled: true,
    })
    expect(email()).not.toBeChecked()
    expect(sms()).toBeChecked()
    expect(screen.queryByText("Niezapisane zmiany")).toBeNull()
  })

  it("stay as they were switched when saving failed, and say so", async () => {
    const { person } = showSettings(withPhone, {
      [call]: refused(422, "phone_unverified", "Najpierw zweryfikuj numer."),
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

describe("an address that was switched off", () => {
  it.each([
    ["bounced", "odrzucił nasze wiadomości"],
    ["dropped", "przestał dostarczać"],
    ["spam", "zgłoszona jako spam"],
  ] as const)("because of %s is shown with what to do, and is off", async (problem, why) => {
    showSettings({ ...anna, emailProblem: problem })
    expect(screen.getByText(new RegExp(why))).toHaveTextContent("anna@acme.test")
    expect(screen.getByText(/włącz powiadomienia e-mail i zapisz ustawienia/)).toBeVisible()
    expect(email()).not.toBeChecked()
  })

  it("is written to again once it is switched on and saved", async () => {
    const { asked, person } = showSettings(
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
    expect(asked.find((one) => one.call === call)?.body).toMatchObject({ emailEnabled: true })
    expect(email()).toBeChecked()
  })

  it("is learnt of when the screen opens, though the panel was opened before", async () => {
    queryClient.setQueryData(sessionQuery.queryKey, anna)
    const asked = answering({ "GET /api/user": { body: { ...anna, emailProblem: "spam" } } })
    show(screenOfBoth, { user: anna })
    expect(email()).toBeChecked()
    expect(await screen.findByText(/zgłoszona jako spam/)).toBeVisible()
    expect(asked).toHaveLength(1)
  })
})
