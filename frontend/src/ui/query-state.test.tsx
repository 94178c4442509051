import { useQuery } from "@tanstack/react-query"
import { screen, waitFor } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { queryClient } from "~/lib/query-client"
import { renderScreen } from "~/testing/render"
import { QueryState } from "./query-state"

const queryKey = ["numbers"]

type NumbersProps = { fetchNumber: () => Promise<number>; keepData?: boolean }

function Numbers({ fetchNumber, keepData = false }: NumbersProps) {
  const query = useQuery({ queryKey, queryFn: fetchNumber })
  return (
    <QueryState query={query} loadingLabel="loading" errorTitle="failed" keepData={keepData}>
      {(number) => <p>{`number ${number}`}</p>}
    </QueryState>
  )
}

describe("the state of a query", () => {
  it("shows the spinner, then the data", async () => {
    renderScreen(<Numbers fetchNumber={async () => 0} />)
    expect(screen.getByText("loading")).toBeVisible()
    expect(await screen.findByText("number 0")).toBeVisible()
    expect(screen.queryByText("loading")).toBeNull()
    expect(screen.queryByRole("alert")).toBeNull()
  })

  it("shows the error, and the data after a retry", async () => {
    const fetchNumber = vi.fn().mockRejectedValueOnce(new Error("x")).mockResolvedValue(1)
    const { person } = renderScreen(<Numbers fetchNumber={fetchNumber} />)
    expect(await screen.findByRole("alert")).toHaveTextContent("failed")
    await person.click(screen.getByRole("button", { name: "Spróbuj ponownie" }))
    expect(await screen.findByText("number 1")).toBeVisible()
    expect(screen.queryByRole("alert")).toBeNull()
  })

  it.each([
    [false, null],
    [true, "number 1"],
  ])(
    "after a failed refetch, with keepData %s, shows beside the error: %s",
    async (keep, shown) => {
      const fetchNumber = vi.fn().mockResolvedValueOnce(1).mockRejectedValue(new Error("x"))
      renderScreen(<Numbers fetchNumber={fetchNumber} keepData={keep} />)
      await screen.findByText("number 1")
      await queryClient.invalidateQueries({ queryKey })
      expect(await screen.findByRole("alert")).toHaveTextContent("failed")
      await waitFor(() => expect(screen.queryByText("number 1")?.textContent ?? null).toBe(shown))
    },
  )
})
