import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import type { NotificationOut } from "~/api/types.gen"
import { answering, refused } from "~/testing/answers"
import { show } from "~/testing/screen"
import { NotificationList } from "./notification-list"

const withheld: NotificationOut = {
  id: "00000000-0000-7000-8000-0000000000aa",
  type: "driver_status",
  title: "Zatrzymane uprawnienia",
  content: "Jan Kowalski, AA123456",
  read: false,
  createdAt: "2026-11-20T05:05:00Z",
}
const mark = `POST /api/notifications/${withheld.id}/read`
const check = () => screen.getByRole("button", { name: /^Oznacz jako przeczytane/ })

describe("the notifications", () => {
  it("tell new ones from read ones, and a check makes the first the second", async () => {
    answering({
      "GET /api/notifications": { body: [withheld, { ...withheld, id: "b", read: true }] },
      [mark]: { body: { ...withheld, read: true } },
    })
    const { person } = show(<NotificationList />)
    expect(await screen.findAllByText("Nowe")).toHaveLength(1)
    await person.click(check())
    await waitFor(() => expect(screen.queryByText("Nowe")).toBeNull())
    expect(screen.queryByRole("button")).toBeNull()
  })

  it("say that marking failed, in the row as well as in a toast", async () => {
    answering({
      "GET /api/notifications": { body: [withheld] },
      [mark]: refused(500, "server_error", "Ups"),
    })
    const { person } = show(<NotificationList />)
    await screen.findByText("Nowe")
    await person.click(check())
    const row = screen.getByRole("heading", { level: 3 }).closest("li") as HTMLElement
    expect(await within(row).findByRole("alert")).toHaveTextContent(
      "Błąd podczas oznaczania powiadomienia jako przeczytane",
    )
  })

  it("say when there are none", async () => {
    answering({ "GET /api/notifications": { body: [] } })
    show(<NotificationList />)
    expect(await screen.findByText("Brak powiadomień")).toBeVisible()
  })
})
