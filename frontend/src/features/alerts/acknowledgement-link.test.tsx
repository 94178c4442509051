import { cleanup, screen } from "@testing-library/react"
import { afterEach, expect, it, vi } from "vitest"
import type { AcknowledgementLinkOut } from "~/api/types.gen"
import { changeLanguage, i18n } from "~/lib/i18n"
import AcknowledgementLinkPage from "~/routes/acknowledgement-link"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"

const view = "POST /api/acknowledgement-links/view"
const open: AcknowledgementLinkOut = {
  state: "open",
  language: "pl",
  mayDrive: "no",
  driverId: "D1",
  name: "Marek Malinowski",
  licenseNumber: "LT213740",
  alert: "Nie może jechać. Rejestr podaje stan dokumentu „Zatrzymany”.",
  since: "2026-11-27T05:10:00Z",
  acknowledgement: null,
}
const acknowledgement = {
  id: "A1",
  note: "Kluczyki zdane",
  createdAt: "2026-11-27T05:20:00Z",
  createdBy: "anna@acme.test",
}
const done: AcknowledgementLinkOut = { ...open, state: "acknowledged", acknowledgement }

function renderPage(link: Partial<AcknowledgementLinkOut>, path = "/here#T-1_x") {
  const requests = mockServer({
    [view]: { body: { ...open, ...link } },
    "POST /api/acknowledgement-links/acknowledge": { body: done },
  })
  return { requests, ...renderScreen(<AcknowledgementLinkPage />, { path }) }
}

afterEach(() => changeLanguage("pl"))

it("acknowledges by the button alone, then says who and when", async () => {
  const { requests, person, router } = renderPage({})
  expect(await screen.findByText("Marek Malinowski")).toBeVisible()
  expect(screen.getByText("LT213740")).toBeVisible()
  expect(requests.map((one) => one.endpoint)).toEqual([view])

  await person.click(screen.getByRole("button", { name: "Kluczyki zdane" }))
  await person.click(screen.getByRole("button", { name: "Potwierdź odsunięcie" }))

  expect(await screen.findByText("Odsunięto od jazdy")).toBeVisible()
  expect(screen.getByRole("status")).not.toHaveClass("bg-valid-soft")
  expect(screen.getByRole("status")).toHaveTextContent("Odsunięto od jazdy · 06:20")
  expect(screen.getByText(open.alert ?? "")).not.toBeVisible() // folded
  expect(screen.getByText("anna@acme.test, 27.11.2026, 06:20")).toBeVisible()
  expect(requests.at(-1)?.body).toEqual({ token: "T-1_x", note: "Kluczyki zdane" })
  // The address has no token, but the page can be loaded again.
  expect(router.state.location).toMatchObject({ hash: "", state: "T-1_x" })
  const link = screen.getByRole("link", { name: "Otwórz w panelu" })
  expect(link).toHaveAttribute("href", "/auth/login?next=%2Fpanel%2Fdrivers%2FD1")
  expect(link).toHaveClass("bg-brand")
})

it("is in the reader's language, which the browser does not keep", async () => {
  renderPage({ language: "en" })
  expect(await screen.findByRole("button", { name: "Confirm: off the road" })).toBeVisible()
  expect(document.documentElement.lang).toBe("en")
  expect(localStorage.getItem("i18nextLng")).toBe("pl")
  cleanup()
  await vi.waitFor(() => expect(i18n.language).toBe("pl"))
  expect(document.documentElement.lang).toBe("pl")
})

it.each([
  ["acknowledged", done, "Odsunięto od jazdy"],
  ["ended", { state: "ended", mayDrive: "yes", since: null } as const, "To już nieaktualne"],
  ["expired", { state: "expired", name: "" } as const, "Ten link wygasł"],
])("offers no button once it is %s", async (_, link, title) => {
  renderPage(link)
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.queryByRole("button", { name: "Potwierdź odsunięcie" })).toBeNull()
})

it.each([
  ["no", "Stan się zmienił: kierowca nadal nie może jechać", "bg-withheld-soft"],
  ["check", "Stan się zmienił: sprawdź przed jazdą", "bg-caution-soft"],
  [null, "Stan się zmienił: sprawdź przed jazdą", "bg-caution-soft"],
] as const)("does not call an alert over whose driver's answer now is %s", async (...row) => {
  const [mayDrive, title, tone] = row
  renderPage({ state: "ended", mayDrive, since: null })
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByRole("alert")).toHaveClass(tone)
  expect(screen.queryByText(/nieaktualne|Nie ma czego/)).toBeNull()
  expect(screen.getByRole("link", { name: "Otwórz w panelu" })).toHaveClass("bg-brand")
})

it.each([
  ["/here", 0],
  ["/here#false", 1],
])("leads from a false link to the sign-in: %s", async (path, calls) => {
  const requests = mockServer({ [view]: errorResponse(400, "invalid_recipient_link", "x") })
  renderScreen(<AcknowledgementLinkPage />, { path })
  expect(await screen.findByText("Ten link nie działa")).toBeVisible()
  expect(screen.getByRole("link", { name: "Zaloguj się" })).toBeVisible()
  expect(requests).toHaveLength(calls)
})
