import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type {
  AlertRecipientsOut,
  MemberAlertsOut,
  OwnAlertsPatch,
  RecipientOut,
} from "~/api/types.gen"
import { anna } from "~/testing/fixtures"
import { errorResponse, type MockResponses, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { AlertRecipients } from "./alert-recipients"

const save = () => screen.getByRole("button", { name: "Zapisz odbiorców" })
const list = "GET /api/alert-recipients"
const own = "PUT /api/alert-recipients/own"
const id = "00000000-0000-7000-8000-0000000000b1"
const one = `/api/alert-recipients/${id}`

const self: MemberAlertsOut = {
  email: "anna@acme.test",
  isSelf: true,
  emailEnabled: true,
  emailProblem: null,
  smsEnabled: true,
  phoneNumber: "+48600100200",
  phoneVerified: true,
  groups: ["status", "expiry", "billing"],
  smsHours: null,
  monthlySummary: true,
}
const bartek: MemberAlertsOut = {
  ...self,
  email: "bartek@acme.test",
  isSelf: false,
  phoneNumber: null,
  groups: ["billing"],
  smsHours: { start: 22, end: 6 },
}
const nightShift: RecipientOut = {
  id,
  name: "Nocna zmiana",
  email: "nocna@acme.test",
  language: "pl",
  emailEnabled: true,
  emailProblem: null,
  groups: ["status"],
  state: "active",
  invitationEndsAt: "2026-11-27T08:00:00Z",
  confirmedAt: "2026-11-20T09:00:00Z",
  stoppedAt: null,
}
const everybody: AlertRecipientsOut = {
  members: [self, bartek],
  recipients: [nightShift],
  maxRecipients: 20,
  smsFromHour: 6,
}

function renderRecipients(answers: MockResponses = {}, body = everybody, user = anna) {
  const requests = mockServer({ "GET /api/user": { body: user }, [list]: { body }, ...answers })
  const bodies = (endpoint: string) =>
    requests.filter((request) => request.endpoint === endpoint).map((request) => request.body)
  return { bodies, ...renderScreen(<AlertRecipients />, { user }) }
}

const row = (name: string) => screen.findByRole("row", { name: new RegExp(name) })
const withRecipient = (changes: Partial<RecipientOut>): AlertRecipientsOut => ({
  ...everybody,
  recipients: [{ ...nightShift, ...changes }],
})

describe("the members", () => {
  it("are listed with what each gets; only the own choice can be changed", async () => {
    renderRecipients()
    const mine = await row("anna@acme.test")
    expect(within(mine).getByText("to Ty")).toBeVisible()
    expect(within(mine).getAllByRole("checkbox")).toHaveLength(4) // three groups, the summary
    expect(within(mine).getByRole("combobox", { name: "Godziny SMS" })).toHaveValue("day")
    const colleague = await row("bartek@acme.test")
    expect(within(colleague).queryByRole("checkbox")).toBeNull()
    expect(within(colleague).getByText("płatności")).toBeVisible()
    expect(within(colleague).getByText("22:00–6:00")).toBeVisible()
  })

  it("save a group by the button, which has nothing to do once it is turned back", async () => {
    const { bodies, person } = renderRecipients({
      [own]: (body) => ({ body: { ...self, ...(body as OwnAlertsPatch) } }),
    })
    const expiry = within(await row("anna@acme.test")).getByRole("checkbox", { name: "terminy" })
    expect(save()).toBeDisabled()
    await person.click(expiry)
    expect(screen.getByText("Niezapisane zmiany")).toBeVisible()
    await person.click(expiry)
    expect(save()).toBeDisabled()
    await person.click(expiry)
    expect(expiry).not.toBeChecked()
    await person.click(save())
    expect(await screen.findByText("Ustawienia zapisane")).toBeVisible()
    expect(expiry).not.toBeChecked()
    expect(save()).toBeDisabled()
    expect(bodies(own)).toEqual([{ groups: ["status", "billing"] }])
  })

  it("switch the mail about the month before off", async () => {
    const { bodies, person } = renderRecipients({
      [own]: (body) => ({ body: { ...self, ...(body as OwnAlertsPatch) } }),
    })
    const mine = within(await row("anna@acme.test"))
    await person.click(mine.getByRole("checkbox", { name: "podsumowanie miesiąca (e-mail)" }))
    await person.click(save())
    expect(await screen.findByText("Ustawienia zapisane")).toBeVisible()
    expect(bodies(own)).toEqual([{ monthlySummary: false }])
  })

  it("keep what is chosen on another screen, and what could not be saved", async () => {
    const { person } = renderRecipients({ [own]: errorResponse(503, "unavailable", "Zaraz.") })
    const expiry = async () =>
      within(await row("anna@acme.test")).getByRole("checkbox", { name: "terminy" })
    await person.click(await expiry())
    await person.click(save())
    expect(await screen.findByRole("alert")).toHaveTextContent("Zaraz.")
    cleanup()
    renderRecipients()
    expect(await expiry()).not.toBeChecked()
    expect(save()).toBeEnabled()
  })

  it("see the choice go back, and why, when it is refused", async () => {
    const { person } = renderRecipients({
      [own]: errorResponse(409, "last_alert_reader", "Co najmniej jedna osoba musi."),
    })
    const status = within(await row("anna@acme.test")).getByRole("checkbox", {
      name: "zatrzymania",
    })
    await person.click(status)
    await person.click(save())
    expect(await screen.findByRole("alert")).toHaveTextContent("Co najmniej jedna osoba musi.")
    expect(status).toBeChecked()
    expect(save()).toBeDisabled()
  })

  it("choose hours of their own, which are never two equal ones", async () => {
    const { bodies, person } = renderRecipients({
      [own]: (body) => ({ body: { ...self, ...(body as OwnAlertsPatch) } }),
    })
    const mine = within(await row("anna@acme.test"))
    await person.selectOptions(mine.getByRole("combobox", { name: "Godziny SMS" }), "own")
    await person.click(save())
    await person.selectOptions(mine.getByRole("combobox", { name: "Od godziny" }), "18")
    await person.click(save())
    await person.selectOptions(mine.getByRole("combobox", { name: "Godziny SMS" }), "always")
    await person.click(save())
    await waitFor(() =>
      expect(bodies(own)).toEqual([
        { smsHours: { start: 6, end: 18 } },
        { smsHours: { start: 18, end: 19 } },
        { smsHours: { start: 0, end: 0 } },
      ]),
    )
  })

  it("have no hours without SMS", async () => {
    renderRecipients({}, { ...everybody, members: [{ ...self, smsEnabled: false }] })
    expect(within(await row("anna@acme.test")).queryByRole("combobox")).toBeNull()
  })
})

describe("a person without an account", () => {
  it("is invited", async () => {
    const add = "POST /api/alert-recipients"
    const { bodies, person } = renderRecipients(
      { [add]: { status: 201, body: { ...nightShift, state: "waiting", confirmedAt: null } } },
      { ...everybody, recipients: [] },
    )
    await row("anna@acme.test")
    await person.click(screen.getByRole("button", { name: "Dodaj osobę bez konta" }))
    const form = within(await screen.findByRole("form", { name: "Dodaj osobę bez konta" }))
    await person.click(form.getByRole("button", { name: "Wyślij zaproszenie" }))
    expect(form.getByText("Podaj imię albo nazwę")).toBeVisible()
    expect(form.getByLabelText("Imię albo nazwa")).toHaveFocus()
    await person.type(form.getByLabelText("Imię albo nazwa"), "Nocna zmiana")
    await person.type(form.getByLabelText("Adres e-mail"), "nocna@acme.test")
    await person.click(form.getByRole("checkbox", { name: "płatności" }))
    await person.click(form.getByRole("button", { name: "Wyślij zaproszenie" }))
    expect(await screen.findByText("Zaproszenie wysłane na nocna@acme.test")).toBeVisible()
    expect(bodies(add)).toEqual([
      {
        name: "Nocna zmiana",
        email: "nocna@acme.test",
        language: "pl",
        groups: ["status", "expiry"],
      },
    ])
    expect(within(await row("Nocna zmiana")).getByText(/czeka na zgodę|wygasło/)).toBeVisible()
  })

  it("is not lost by Escape while it is typed", async () => {
    const { person } = renderRecipients()
    await row("anna@acme.test")
    await person.click(screen.getByRole("button", { name: "Dodaj osobę bez konta" }))
    await person.type(screen.getByLabelText("Imię albo nazwa"), "Nocna")
    await person.keyboard("{Escape}")
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeVisible()
  })

  it("is refused with the reason beside the field", async () => {
    const { person } = renderRecipients({
      "POST /api/alert-recipients": {
        status: 409,
        body: {
          error: "recipient_exists",
          message: "Ten adres jest już na liście odbiorców.",
          fields: { email: "Ten adres jest już na liście odbiorców." },
        },
      },
    })
    await row("anna@acme.test")
    await person.click(screen.getByRole("button", { name: "Dodaj osobę bez konta" }))
    const form = within(await screen.findByRole("form"))
    await person.type(form.getByLabelText("Imię albo nazwa"), "Nocna zmiana")
    await person.type(form.getByLabelText("Adres e-mail"), "nocna@acme.test")
    await person.click(form.getByRole("button", { name: "Wyślij zaproszenie" }))
    await waitFor(() =>
      expect(form.getByLabelText("Adres e-mail")).toHaveAccessibleDescription(
        "Ten adres jest już na liście odbiorców.",
      ),
    )
    expect(form.getByLabelText("Adres e-mail")).toHaveFocus()
  })

  it("has a switch and groups that are saved together", async () => {
    const { bodies, person } = renderRecipients({
      [`PUT ${one}`]: (body) => ({ body: { ...nightShift, ...(body as object) } }),
    })
    const cells = within(await row("Nocna zmiana"))
    await person.click(cells.getByRole("checkbox", { name: /^wysyłaj/ }))
    await person.click(cells.getByRole("checkbox", { name: "terminy" }))
    await person.click(save())
    expect(await screen.findByText("Ustawienia zapisane")).toBeVisible()
    expect(bodies(`PUT ${one}`)).toEqual([{ emailEnabled: false, groups: ["status", "expiry"] }])
  })

  it.each([
    [{ state: "active" }, "dostaje alerty", false],
    [
      { state: "waiting", confirmedAt: null, invitationEndsAt: "2099-01-01T00:00:00Z" },
      "czeka na zgodę",
      true,
    ],
    [
      { state: "waiting", confirmedAt: null, invitationEndsAt: "2020-01-01T00:00:00Z" },
      "zaproszenie wygasło",
      true,
    ],
    [{ state: "active", emailProblem: "bounced" }, "poczta odrzuca", true],
    [{ state: "stopped", stoppedAt: "2026-11-21T09:30:00Z" }, /^rezygnacja 21\.11\.2026/, false],
    [
      { state: "stopped", confirmedAt: null, stoppedAt: "2026-11-21T09:30:00Z" },
      /^odmowa 21\.11\.2026/,
      false,
    ],
  ] as [Partial<RecipientOut>, string | RegExp, boolean][])(
    "in the state %o reads %s",
    async (changes, text, canInvite) => {
      renderRecipients({}, withRecipient(changes))
      const cells = within(await row("Nocna zmiana"))
      expect(cells.getByText(text)).toBeVisible()
      expect(cells.queryAllByRole("button", { name: /^Wyślij zaproszenie/ })).toHaveLength(
        canInvite ? 1 : 0,
      )
      if (changes.state === "stopped") {
        expect(cells.getByRole("checkbox", { name: /^wysyłaj/ })).toBeDisabled()
      }
    },
  )

  it("is removed after a question", async () => {
    const { person } = renderRecipients({ [`DELETE ${one}`]: { body: { id } } })
    await person.click(within(await row("Nocna zmiana")).getByRole("button", { name: /^Usuń/ }))
    expect(screen.getByText(/Na adres nocna@acme\.test nie wyślemy/)).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Usuń" }))
    expect(await screen.findByText("Usunięto odbiorcę: Nocna zmiana")).toBeVisible()
    expect(screen.queryByRole("row", { name: /Nocna zmiana/ })).toBeNull()
  })

  it("cannot be added beyond the limit", async () => {
    renderRecipients({}, { ...everybody, maxRecipients: 1 })
    await row("Nocna zmiana")
    expect(screen.getByRole("button", { name: "Dodaj osobę bez konta" })).toBeDisabled()
    expect(screen.getByText(/Firma może mieć najwyżej tyle osób/)).toBeVisible()
  })

  it("cannot be changed in somebody else's name", async () => {
    const impersonator = { email: "operator@prawko.test", secondsLeft: 600 }
    renderRecipients({}, everybody, { ...anna, impersonator })
    const cells = within(await row("Nocna zmiana"))
    expect(cells.queryByRole("button")).toBeNull()
    expect(screen.queryByRole("button", { name: "Dodaj osobę bez konta" })).toBeNull()
  })
})
