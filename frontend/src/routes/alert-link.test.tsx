import { act, screen } from "@testing-library/react"
import { expect, it } from "vitest"
import type { RecipientLinkOut } from "~/api/types.gen"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import AlertLinkPage from "./alert-link"

const link: RecipientLinkOut = {
  kind: "stop",
  company: "Acme",
  email: "nocna@acme.test",
  groups: ["status"],
  state: "active",
  wasConfirmed: true,
  expired: false,
}

it("asks about the second link that is pasted into the page of the first", async () => {
  const stopped = { ...link, state: "stopped" as const }
  const requests = mockServer({
    "POST /api/alert-links/view": { body: link },
    "POST /api/alert-links/stop": { body: stopped },
  })
  const { person, router } = renderScreen(<AlertLinkPage />, { path: "/here#token=first" })
  await person.click(
    await screen.findByRole("button", { name: "Nie wysyłajcie mi więcej alertów" }),
  )
  expect(await screen.findByText("Nie wysyłamy alertów: Acme")).toBeVisible()

  await act(() => router.navigate("/here#token=second"))

  expect(await screen.findByText("Dostajesz alerty: Acme")).toBeVisible()
  expect(requests.map((one) => one.body)).toEqual([
    { token: "first" },
    { token: "first" },
    { token: "second" },
  ])
})
