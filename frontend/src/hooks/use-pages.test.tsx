import { screen } from "@testing-library/react"
import { expect, it } from "vitest"
import { renderScreen } from "~/testing/render"
import { usePages } from "./use-pages"

const letters = ["a", "b", "c", "d", "e"]
const asked: number[] = []

function Letters({ pageSize }: { pageSize: number }) {
  const pages = usePages({
    queryKey: ["letters", pageSize],
    pageSize,
    call: async ({ page }) => {
      asked.push(page)
      return { data: letters.slice((page - 1) * pageSize, page * pageSize) }
    },
  })
  return (
    <>
      <p>{pages.data?.pages.flat().join("")}</p>
      {pages.hasNextPage && (
        <button type="button" onClick={() => void pages.fetchNextPage()}>
          more
        </button>
      )}
    </>
  )
}

it("asks for one page after another, until one is not full", async () => {
  const { person } = renderScreen(<Letters pageSize={2} />)
  for (const shown of ["ab", "abcd"]) {
    expect(await screen.findByText(shown)).toBeVisible()
    await person.click(screen.getByRole("button", { name: "more" }))
  }
  expect(await screen.findByText("abcde")).toBeVisible()
  expect(screen.queryByRole("button", { name: "more" })).not.toBeInTheDocument()
  expect(asked).toEqual([1, 2, 3])
})

it("shows a list that is shorter than a page without asking for another", async () => {
  renderScreen(<Letters pageSize={10} />)
  expect(await screen.findByText("abcde")).toBeVisible()
  expect(screen.queryByRole("button", { name: "more" })).not.toBeInTheDocument()
})
