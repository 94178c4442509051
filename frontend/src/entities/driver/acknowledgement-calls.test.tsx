import { screen, waitFor } from "@testing-library/react"
import { expect, it, vi } from "vitest"
import "~/testing/mock-server" // which gives the client an address
import { renderScreen } from "~/testing/render"
import { useWithdraw } from "./acknowledgement-calls"

const entries = Array.from({ length: 12 }, (_, number) => ({
  driver_id: `d${number}`,
  acknowledgement_id: "a",
}))

function Undo() {
  const withdraw = useWithdraw()
  return (
    <button type="button" onClick={() => withdraw.mutate(entries)}>
      Cofnij
    </button>
  )
}

it("undoes an act on many drivers a few at a time, and goes on after an error", async () => {
  let [calls, running, most] = [0, 0, 0]
  vi.stubGlobal("fetch", async () => {
    calls += 1
    const status = calls === 2 ? 404 : 200
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve))
    running -= 1
    const headers = { "Content-Type": "application/json" }
    return new Response("{}", { status, headers })
  })
  const { person } = renderScreen(<Undo />)
  await person.click(screen.getByRole("button", { name: "Cofnij" }))
  await waitFor(() => expect(calls).toBe(entries.length))
  expect(most).toBe(5)
  expect(await screen.findByText("Nie udało się wycofać wpisu")).toBeVisible()
})
