import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { VerificationOut } from "~/api/types.gen"
import { type Asked, answering, refused } from "~/testing/answers"
import { driver, verified } from "~/testing/people"
import { show } from "~/testing/screen"
import { HistoryDialog } from "./history-dialog"

const jan = driver("Jan", "Kowalski", verified(), { licenseNumber: "AA123456" })
const list = `GET /api/drivers/${jan.id}/verifications`
const check = `POST /api/drivers/${jan.id}/verify`

const entry = (n: number, changes: Partial<VerificationOut> = {}) =>
  verified({
    id: `v${n}`,
    verifiedAt: `2026-11-${String(n).padStart(2, "0")}T05:04:00Z`,
    ...changes,
  })

const open = (mayCheck = true) =>
  show(<HistoryDialog driver={jan} mayCheck={mayCheck} onClose={vi.fn()} />)

const times = (asked: Asked[], call: string) => asked.filter((one) => one.call === call).length

describe("the history of verifications", () => {
  it("opens one entry at a time, with everything it says", async () => {
    const reasons = [{ kod: "P1", wartosc: "Przekroczenie prędkości" }]
    const other = { licenseNumber: "ZZ999999", notes: "Uwaga z rejestru" }
    answering({
      [list]: {
        body: [
          entry(20, { status: "invalid", documentStatus: "Zatrzymany", reasons }),
          entry(19, other),
        ],
      },
    })
    const { person } = open()
    await person.click(await screen.findByRole("button", { name: /^20\.11\.2026, 06:04/ }))
    const dialog = screen.getByRole("dialog")
    expect(dialog).toHaveTextContent("Status weryfikacjizatrzymane")
    expect(dialog).toHaveTextContent("Powody zmiany statusuPrzekroczenie prędkości")
    expect(dialog).toHaveTextContent("Organ wydającyStarosta Krakowski")
    expect(dialog).not.toHaveTextContent("Sprawdzony numer")

    await person.click(screen.getByRole("button", { name: /^19\.11\.2026/ }))
    expect(dialog).toHaveTextContent("Sprawdzony numerZZ999999")
    expect(dialog).toHaveTextContent("Uwagi rejestruUwaga z rejestru")
    expect(dialog).not.toHaveTextContent("Przekroczenie prędkości")
  })

  it("stands in a window 400 pixels high that the keyboard reaches", async () => {
    answering({ [list]: { body: [entry(20)] } })
    open()
    const viewport = await screen.findByRole("region", { name: "Weryfikacje" })
    expect(viewport).toHaveClass("h-[400px]")
    expect(viewport).toHaveAttribute("tabindex", "0")
  })

  it("brings older entries when asked, and no button when there are none", async () => {
    const pages = [Array.from({ length: 25 }, (_, i) => entry(i + 1)), [entry(30, { id: "last" })]]
    answering({ [list]: () => ({ body: pages.shift() ?? [] }) })
    const { person } = open()
    await person.click(await screen.findByRole("button", { name: "Pokaż starsze" }))
    expect(await screen.findByRole("button", { name: /^30\.11\.2026/ })).toBeInTheDocument()
    expect(screen.queryByRole("button", { name: "Pokaż starsze" })).toBeNull()
  })

  it("says that there is nothing yet", async () => {
    answering({ [list]: { body: [] } })
    open()
    expect(await screen.findByText("Brak weryfikacji")).toBeVisible()
  })

  it("says that it did not come, and tries again", async () => {
    let broken = true
    answering({
      [list]: () => (broken ? refused(500, "server_error", "Ups") : { body: [entry(20)] }),
    })
    const { person } = open()
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać historii")
    broken = false
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await screen.findByRole("button", { name: /^20\.11\.2026/ })).toBeVisible()
  })
})

describe("the driver's data", () => {
  const archive = `GET /api/drivers/${jan.id}/export`

  it("are handed over as a file, and the dialog says so", async () => {
    answering({ [list]: { body: [] }, [archive]: { body: "PK" } })
    URL.createObjectURL = () => "blob:x" // jsdom has none
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    const { person } = open()
    await person.click(screen.getByRole("button", { name: "Pobierz dane" }))
    expect(await screen.findByText("Dane kierowcy zostały pobrane")).toHaveRole("status")
    expect(saved).toEqual(["AA123456.zip"])
  })

  it("that did not come are said to have not", async () => {
    answering({ [list]: { body: [] }, [archive]: refused(429, "too_many_requests", "Za często") })
    const { person } = open()
    await person.click(screen.getByRole("button", { name: "Pobierz dane" }))
    const dialog = screen.getByRole("dialog")
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(
        "Nie udało się pobrać danych kierowcyZa często",
      ),
    )
  })
})

describe("a check by hand", () => {
  const now = () => screen.getByRole("button", { name: "Zweryfikuj teraz" })

  it("refreshes the history, and says in the dialog and in a toast that it is done", async () => {
    const asked = answering({ [list]: { body: [entry(20)] }, [check]: { body: entry(21) } })
    const { person } = open()
    await screen.findByRole("button", { name: /^20\.11\.2026/ })
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    expect(await within(dialog).findByText("Weryfikacja zakończona pomyślnie")).toHaveRole("status")
    expect(screen.getAllByText("Weryfikacja zakończona pomyślnie")).toHaveLength(2)
    expect(times(asked, list)).toBe(2)
  })

  it("says the server's message, and when to try again", async () => {
    const headers = { "Retry-After": "22" }
    answering({
      [list]: { body: [entry(20)] },
      [check]: { ...refused(429, "too_many_requests", "Za często"), headers },
    })
    const { person } = open()
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(
        "Za częstoSpróbuj ponownie za 22 sekundy.",
      ),
    )
  })

  it("falls back to the sentence of the specification", async () => {
    answering({ [list]: { body: [] }, [check]: { status: 503, body: "<html>" } })
    const { person } = open()
    await person.click(now())
    const dialog = screen.getByRole("dialog")
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(
        "Nie udało się zweryfikować kierowcy",
      ),
    )
  })

  it("is not for a company without a subscription", async () => {
    answering({ [list]: { body: [] } })
    open(false)
    expect(now()).toBeDisabled()
    expect(screen.getByText("Ręczne sprawdzanie wymaga aktywnej subskrypcji.")).toBeVisible()
  })
})
