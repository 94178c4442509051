import { act, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { NotificationOut } from "~/api/types.gen"
import { clearToasts, showToast } from "~/lib/toasts"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { NotificationList } from "./notification-list"
import { deletionsUnderWay, setRemoval } from "./pending-removals"
import { useResumedDeletions } from "./use-notifications"

const withheld: NotificationOut = {
  id: "00000000-0000-7000-8000-0000000000aa",
  type: "driver_status",
  title: "Zatrzymane uprawnienia",
  content: "Jan Kowalski, AA123456",
  read: false,
  createdAt: "2026-11-20T05:05:00Z",
  kind: "withheld",
  driverId: "00000000-0000-7000-8000-0000000000d1",
}
const older = { ...withheld, id: "00000000-0000-7000-8000-0000000000bb", read: true }
const mark = `POST /api/notifications/${withheld.id}/read`
const remove = `DELETE /api/notifications/${withheld.id}`
const check = () => screen.getByRole("button", { name: /^Oznacz jako przeczytane/ })
afterEach(async () => {
  await act(async () => clearToasts())
  act(() => setRemoval(withheld.id, null))
})

const failedRow = () =>
  within(screen.getByRole("heading", { level: 3 }).closest("li") as HTMLElement)

/** A server with state that paginates like ours. */
function mockStatefulServer(list: readonly NotificationOut[]) {
  let stored = [...list]
  return mockServer({
    "GET /api/notifications": (_, query) => {
      const size = Number(query.get("pageSize"))
      const from = (Number(query.get("page") ?? 1) - 1) * size
      const rows = stored.slice(from, from + size)
      const range = rows.length > 0 ? `${from}-${from + rows.length - 1}` : "*"
      return { body: rows, headers: { "Content-Range": `notifications ${range}/${stored.length}` } }
    },
    [mark]: () => {
      stored = stored.map((one) => (one.id === withheld.id ? { ...one, read: true } : one))
      return { body: stored[0] }
    },
    [remove]: () => {
      stored = stored.filter(({ id }) => id !== withheld.id)
      return { body: { id: withheld.id } }
    },
    "POST /api/notifications/read-all": () => {
      stored = stored.map((one) => ({ ...one, read: true }))
      return { body: { ok: true, count: 2 } }
    },
  })
}

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...older,
    id: `00000000-0000-7000-8000-${String(i).padStart(12, "0")}`,
    title: `Powiadomienie ${i + 1}`,
  }))

describe("the notifications", () => {
  it("distinguish new from read ones, and mark new ones as read", async () => {
    mockStatefulServer([withheld, older])
    const { person } = renderScreen(<NotificationList />)
    expect(await screen.findAllByText("Nowe")).toHaveLength(1)
    const highlighted = screen.getAllByRole("listitem").map((row) => row.className)
    expect(highlighted.map((style) => style.includes("bg-brand-soft"))).toEqual([true, false])
    await person.click(check())
    await waitFor(() => expect(screen.queryByText("Nowe")).toBeNull())
    expect(screen.queryByRole("button", { name: /przeczytane/ })).toBeNull()
    expect(screen.getAllByRole("heading", { level: 3 })[0]).toHaveFocus()
  })

  it("of one day begin with who may not drive", async () => {
    const check = { ...withheld, id: "C", title: "Sprawdź numer", kind: "not_found" as const }
    const before = { ...withheld, id: "B", title: "Wczoraj", createdAt: "2026-11-19T05:05:00Z" }
    mockStatefulServer([check, withheld, before])
    renderScreen(<NotificationList />)
    await screen.findByText("Wczoraj")
    const titles = screen.getAllByRole("heading", { level: 3 }).map((one) => one.textContent)
    expect(titles).toEqual(["Nowe Zatrzymane uprawnienia", "Nowe Sprawdź numer", "Nowe Wczoraj"])
    const day = within(screen.getByRole("list", { name: "20.11.2026" }))
    expect(day.getAllByText("06:05")).toHaveLength(2)
    expect(screen.getByRole("list", { name: "19.11.2026" })).toHaveTextContent("Wczoraj")
  })

  it("of one day have several documents that expire in one row, which opens", async () => {
    const expiring = many(2).map((one) => ({ ...one, kind: "expiring" as const }))
    const other = { ...expiring[0], id: "E", title: "Wczoraj", createdAt: "2026-11-19T05:05:00Z" }
    mockStatefulServer([...expiring, withheld, other as NotificationOut])
    const { person } = renderScreen(<NotificationList />)
    const summary = await screen.findByText("Zbliża się koniec ważności: 2")
    expect(screen.getByText("Wczoraj")).toBeVisible()
    expect(screen.getByText("Powiadomienie 2")).not.toBeVisible()
    await person.click(summary)
    expect(screen.getByText("Powiadomienie 2")).toBeVisible()
  })

  it("are all marked at once, after which the button disappears", async () => {
    const requests = mockStatefulServer([withheld, { ...older, read: false }])
    const { person } = renderScreen(<NotificationList />)
    expect(await screen.findAllByText("Nowe")).toHaveLength(2)
    await person.click(screen.getByRole("button", { name: "Oznacz wszystkie jako przeczytane" }))
    await waitFor(() => expect(screen.queryByText("Nowe")).toBeNull())
    expect(screen.queryByRole("button", { name: /przeczytane/ })).toBeNull()
    expect(requests.map(({ endpoint }) => endpoint)).toContain("POST /api/notifications/read-all")
  })

  it("come back when the deletion is undone, which the server never learns of", async () => {
    const requests = mockStatefulServer([withheld])
    const { person } = renderScreen(<NotificationList />)
    await person.click(await screen.findByRole("button", { name: "Usuń: Zatrzymane uprawnienia" }))
    await person.click(await screen.findByRole("button", { name: "Cofnij" }))
    expect(await screen.findByText("Jan Kowalski, AA123456")).toBeVisible()
    act(clearToasts)
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain(remove)
  })

  it.each([
    ["ten seconds", () => vi.advanceTimersByTimeAsync(11_000)],
    ["another message", async () => showToast({ title: "inny" })],
    ["leaving the page", async () => void window.dispatchEvent(new Event("pagehide"))],
  ])("are deleted on the server after %s", async (_, end) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const requests = mockStatefulServer([withheld])
    renderScreen(<NotificationList />)
    fireEvent.click(await screen.findByRole("button", { name: "Usuń: Zatrzymane uprawnienia" }))
    expect(requests.map(({ endpoint }) => endpoint)).not.toContain(remove)
    await act(async () => void (await end()))
    await waitFor(() =>
      expect(requests.filter(({ endpoint }) => endpoint === remove)).toHaveLength(1),
    )
    vi.useRealTimers()
  })

  it.each([
    ["was not done yet", { status: 200, body: { id: withheld.id } }],
    ["was done meanwhile", errorResponse(404, "not_found", "Brak.")],
  ])("stay away after a reload while the deletion %s", async (_, answer) => {
    // What the page before left behind.
    window.sessionStorage.setItem("prawko.deletions", JSON.stringify([withheld.id]))
    let stored = [withheld, older]
    const requests = mockServer({
      "GET /api/notifications": () => ({ body: stored }),
      [remove]: () => {
        stored = [older]
        return answer
      },
    })
    const Page = () => {
      useResumedDeletions()
      return <NotificationList />
    }
    renderScreen(<Page />)
    expect(await screen.findAllByRole("listitem")).toHaveLength(1)
    expect(screen.queryByText("Nowe")).toBeNull()
    await waitFor(() => expect(deletionsUnderWay()).toEqual([]))
    expect(requests.filter(({ endpoint }) => endpoint === remove)).toHaveLength(1)
    expect(screen.queryByText("Nowe")).toBeNull()
  })

  it("lead to the driver that they are about", async () => {
    const aboutNobody: NotificationOut = { ...older, driverId: null, kind: null }
    mockStatefulServer([withheld, aboutNobody])
    renderScreen(<NotificationList />)
    const link = await screen.findByRole("link", {
      name: "Zobacz kierowcę: Zatrzymane uprawnienia",
    })
    expect(link).toHaveAttribute("href", `/panel/drivers/${withheld.driverId}`)
    expect(screen.getAllByRole("link")).toHaveLength(1)
  })

  it("are paginated by ten", async () => {
    mockStatefulServer(many(21))
    const { person } = renderScreen(<NotificationList />)
    expect(await screen.findByText("Strona 1 z 3")).toBeVisible()
    expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(10)
    expect(screen.getByRole("button", { name: "Nowsze" })).toBeDisabled()
    await person.click(screen.getByRole("button", { name: "Starsze" }))
    expect(await screen.findByText("Powiadomienie 20")).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Starsze" }))
    expect(await screen.findByText("Powiadomienie 21")).toBeVisible()
    expect(screen.getByRole("button", { name: "Starsze" })).toBeDisabled()
  })

  it("go to the previous page when the last one of a page is deleted", async () => {
    mockStatefulServer([...many(10), withheld])
    const { person } = renderScreen(<NotificationList />)
    await person.click(await screen.findByRole("button", { name: "Starsze" }))
    await person.click(await screen.findByRole("button", { name: "Usuń: Zatrzymane uprawnienia" }))
    expect(await screen.findByText("Powiadomienie 10")).toBeVisible()
    await waitFor(() => expect(screen.queryByText(/^Strona/)).toBeNull())
  })

  it.each([
    [mark, check, "Błąd podczas oznaczania powiadomienia jako przeczytane"],
    [
      remove,
      () => screen.getByRole("button", { name: /^Usuń/ }),
      "Nie udało się usunąć powiadomienia",
    ],
  ])("report a failed %s in the row and in a toast", async (call, button, failed) => {
    mockServer({
      "GET /api/notifications": { body: [withheld] },
      [call]: errorResponse(500, "server_error", "Ups"),
    })
    const { person } = renderScreen(<NotificationList />)
    await screen.findByText("Nowe")
    await person.click(button())
    if (call === remove) await act(async () => clearToasts())
    expect(await failedRow().findByRole("alert")).toHaveTextContent(`${failed}Ups`)
    expect(screen.getAllByText(failed)).toHaveLength(2)
    expect(screen.getByText("Nowe")).toBeVisible()
  })

  it("report when marking all failed", async () => {
    mockServer({
      "GET /api/notifications": { body: [withheld] },
      "POST /api/notifications/read-all": errorResponse(503, "unavailable", "Zaraz"),
    })
    const { person } = renderScreen(<NotificationList />)
    await person.click(await screen.findByRole("button", { name: /^Oznacz wszystkie/ }))
    expect(
      await screen.findAllByText("Nie udało się oznaczyć powiadomień jako przeczytane"),
    ).toHaveLength(2)
  })

  it("report when they cannot be loaded, and load on retry", async () => {
    let down = true
    mockServer({
      "GET /api/notifications": () =>
        down ? errorResponse(500, "server_error", "Ups") : { body: [withheld] },
    })
    const { person } = renderScreen(<NotificationList />)
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać powiadomień")
    down = false
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await screen.findByText("Jan Kowalski, AA123456")).toBeVisible()
  })
})
