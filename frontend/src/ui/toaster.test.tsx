import { act, fireEvent, screen, waitFor } from "@testing-library/react"
import type { UserEvent } from "@testing-library/user-event"
import { describe, expect, it, vi } from "vitest"
import {
  clearToasts,
  currentToasts,
  dismissToast,
  showToast,
  toastLimit,
  toastRemoveDelay,
} from "~/lib/toasts"
import { renderScreen } from "~/testing/render"
import { Dialog } from "./dialog"
import { toastDuration } from "./toaster"

describe("toasts", () => {
  it("have the specified limits", () => {
    expect({ toastLimit, toastDuration, toastRemoveDelay }).toEqual({
      toastLimit: 1,
      toastDuration: 5000,
      toastRemoveDelay: 1_000_000,
    })
  })

  it("are shown one at a time, each for five seconds, the same one once", async () => {
    vi.useFakeTimers()
    renderScreen(null)
    const titles = () => screen.queryAllByText(/pierwszy|drugi/).map((one) => one.textContent)
    act(() => showToast({ title: "pierwszy" }))
    act(() => showToast({ title: "drugi" }))
    act(() => showToast({ title: "drugi" }))
    await act(() => vi.advanceTimersByTimeAsync(4900))
    expect(titles()).toEqual(["pierwszy"])
    await act(() => vi.advanceTimersByTimeAsync(4900))
    expect(titles()).toEqual(["drugi"])
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(titles()).toEqual([])
  })

  it("yield after two seconds to what answers a later input", async () => {
    vi.useFakeTimers()
    renderScreen(null)
    act(() => showToast({ title: "dodano" }))
    act(() => showToast({ title: "wynik" }))
    await act(() => vi.advanceTimersByTimeAsync(500))
    fireEvent.keyDown(document.body, { key: "a" })
    act(() => showToast({ title: "odpowiedź" }))
    await act(() => vi.advanceTimersByTimeAsync(1400))
    expect(screen.getByText("dodano")).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(screen.getByText("odpowiedź")).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(5500))
    expect(screen.getByText("wynik")).toBeInTheDocument()
  })

  it("disappear after five seconds and are removed long after", async () => {
    vi.useFakeTimers()
    renderScreen(null)
    act(() => showToast({ title: "krótki" }))
    await act(() => vi.advanceTimersByTimeAsync(4999))
    expect(screen.getByText("krótki")).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(1001))
    expect(screen.queryByText("krótki")).toBeNull()
    expect(currentToasts()).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(toastRemoveDelay))
    expect(currentToasts()).toHaveLength(0)
  })

  it("yield the Escape key to an open dialog", async () => {
    const close = vi.fn()
    const { person } = renderScreen(
      <Dialog open onClose={close} title="okno">
        <input aria-label="pole" />
      </Dialog>,
    )
    act(() => showToast({ title: "zostań" }))
    await person.keyboard("{Escape}")
    expect(close).toHaveBeenCalled()
    expect(screen.getByText("zostań")).toBeInTheDocument()
  })

  it("close by Escape when no dialog is open", async () => {
    const { person } = renderScreen(null)
    act(() => showToast({ title: "zamknij mnie" }))
    await person.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByText("zamknij mnie")).toBeNull())
  })

  it("are reached with F8 although a dialog traps the focus", async () => {
    const { person } = renderScreen(
      <Dialog open onClose={vi.fn()} title="okno">
        <input aria-label="pole" />
      </Dialog>,
    )
    act(() => showToast({ title: "sięgnij" }))
    expect(screen.getByLabelText("pole")).toHaveFocus()
    fireEvent.keyDown(document, { code: "F8" })
    const region = screen.getByRole("region", { name: "Powiadomienia (F8)" })
    expect(region).toContainElement(document.activeElement as HTMLElement)
    await person.tab()
    await person.tab()
    expect(screen.getAllByRole("button", { name: "Zamknij" })[0]).toHaveFocus()
    await person.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByText("sięgnij")).toBeNull())
    await person.tab()
    expect(screen.getByRole("dialog")).toContainElement(document.activeElement as HTMLElement)
  })

  it.each<[string, (person: UserEvent) => unknown]>([
    ["closes it by Escape", (person) => person.keyboard("{Escape}")],
    ["undoes what it reports", (person) => person.click(screen.getByText("Cofnij"))],
    ["signs out", () => act(clearToasts)],
    [
      "waits until its time is over",
      () => act(() => currentToasts().map(({ id }) => dismissToast(id))),
    ],
  ])("return the focus to the dialog when a user %s", async (_, leave) => {
    const { person } = renderScreen(
      <Dialog open onClose={vi.fn()} title="okno">
        <input aria-label="pole" />
      </Dialog>,
    )
    const action = { label: "Cofnij", onUndo: vi.fn(), onExpire: vi.fn() }
    act(() => showToast({ title: "zaraz zniknie", action }))
    fireEvent.keyDown(document, { code: "F8" })
    await person.tab()
    expect(screen.getByText("zaraz zniknie").closest("li")).toHaveFocus()
    act(() => showToast({ title: "następny", isNews: true }))
    await leave(person)
    expect(screen.getByLabelText("pole")).toHaveFocus()
  })

  it("leave the focus alone after a click on the empty page", async () => {
    const { person } = renderScreen(<button type="button">wyślij</button>)
    await person.click(screen.getByText("wyślij"))
    act(() => showToast({ title: "wysłano" }))
    fireEvent.keyDown(document, { code: "F8" })
    await person.tab()
    expect(screen.getByText("wysłano").closest("li")).toHaveFocus()
    await person.click(document.body)
    act(() => currentToasts().map(({ id }) => dismissToast(id)))
    expect(document.body).toHaveFocus()
  })

  it("are reached with F8", () => {
    renderScreen(null)
    act(() => showToast({ title: "sięgnij" }))
    fireEvent.keyDown(document, { code: "F8" })
    expect(screen.getByRole("region", { name: "Powiadomienia (F8)" })).toContainElement(
      document.activeElement as HTMLElement,
    )
  })
})
