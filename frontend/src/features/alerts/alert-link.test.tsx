import { screen } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { RecipientLinkOut } from "~/api/types.gen"
import { errorResponse, type MockResponses, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { AlertLink } from "./alert-link"

const view = "POST /api/alert-links/view"
const invitation: RecipientLinkOut = {
  kind: "invitation",
  company: "Acme",
  email: "nocna@acme.test",
  groups: ["status", "expiry"],
  state: "waiting",
  wasConfirmed: false,
  expired: false,
}
const active: RecipientLinkOut = {
  ...invitation,
  kind: "stop",
  state: "active",
  wasConfirmed: true,
}

function renderLink(link: Partial<RecipientLinkOut>, answers: MockResponses = {}, token = "T") {
  const requests = mockServer({ [view]: { body: { ...invitation, ...link } }, ...answers })
  return { requests, ...renderScreen(<AlertLink token={token} />) }
}

const button = (name: string) => screen.findByRole("button", { name })

describe("the link of an invitation", () => {
  it("asks first, and agrees by the button alone", async () => {
    const { requests, person } = renderLink(
      {},
      { "POST /api/alert-links/confirm": { body: { ...invitation, ...active } } },
    )
    expect(await screen.findByText(/Acme chce wysyłać na adres nocna@acme\.test/)).toBeVisible()
    expect(screen.getAllByRole("listitem")).toHaveLength(2)
    expect(requests.map((one) => one.endpoint)).toEqual([view])
    await person.click(await button("Zgadzam się, wysyłajcie"))
    expect(await screen.findByText("Dostajesz alerty: Acme")).toBeVisible()
    expect(requests.at(-1)?.body).toEqual({ token: "T" })
  })

  it("refuses, and takes that back", async () => {
    const stopped = { ...invitation, state: "stopped" as const }
    const { person } = renderLink(
      {},
      {
        "POST /api/alert-links/stop": { body: stopped },
        "POST /api/alert-links/confirm": { body: active },
      },
    )
    await person.click(await button("Nie, nie wysyłajcie"))
    expect(await screen.findByText("Nie wysyłamy alertów: Acme")).toBeVisible()
    await person.click(await button("Jednak wysyłajcie"))
    expect(await screen.findByText("Dostajesz alerty: Acme")).toBeVisible()
  })

  it("can only be refused once it has expired", async () => {
    renderLink({ expired: true })
    expect(await screen.findByText("Zaproszenie wygasło")).toBeVisible()
    expect(await button("Nie, nie wysyłajcie")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Zgadzam się, wysyłajcie" })).toBeNull()
  })
})

describe("the link under an alert", () => {
  it("stops the alerts and resumes them", async () => {
    const { person } = renderLink(active, {
      "POST /api/alert-links/stop": { body: { ...active, state: "stopped" } },
      "POST /api/alert-links/resume": { body: active },
    })
    await person.click(await button("Nie wysyłajcie mi więcej alertów"))
    expect(await screen.findByText(/Tylko Ty możesz je wznowić/)).toBeVisible()
    await person.click(await button("Jednak wysyłajcie"))
    expect(await screen.findByText("Dostajesz alerty: Acme")).toBeVisible()
  })

  it("says when the choice could not be saved", async () => {
    const { person } = renderLink(active, {
      "POST /api/alert-links/stop": errorResponse(503, "unavailable", "Chwilowo niedostępna."),
    })
    await person.click(await button("Nie wysyłajcie mi więcej alertów"))
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się zapisać decyzji")
    expect(await button("Nie wysyłajcie mi więcej alertów")).toBeVisible()
  })
})

describe("a false link", () => {
  it("says what to do", async () => {
    renderLink({}, { [view]: errorResponse(400, "invalid_recipient_link", "x") })
    expect(await screen.findByText("Ten link już nie działa")).toBeVisible()
  })

  it("without a token sends no request", async () => {
    const { requests } = renderLink({}, {}, "")
    expect(await screen.findByText("Ten link już nie działa")).toBeVisible()
    expect(requests).toEqual([])
  })
})
