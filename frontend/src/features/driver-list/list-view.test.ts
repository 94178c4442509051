import { act, fireEvent, render, screen, waitFor } from "@testing-library/react"
import { createElement, useState } from "react"
import { createMemoryRouter, RouterProvider } from "react-router"
import { describe, expect, it } from "vitest"
import {
  changeListView,
  type ListView,
  listParameters,
  type PageSize,
  pageSizes,
  paginate,
  readListView,
  useListView,
  writeListView,
} from "./list-view"

const plain: ListView = { filter: "all", query: "", sort: null, page: 1, size: 10 }
const read = (search: string) => readListView(new URLSearchParams(search))
const write = (view: ListView, search = "") =>
  writeListView(new URLSearchParams(search), view).toString()

describe("the address of the list", () => {
  it.each<[string, Partial<ListView>]>([
    ["", {}],
    ["status=withheld", { filter: "withheld" }],
    ["q=Ewa+%C5%BBak", { query: "Ewa Żak" }],
    ["sort=lastName", { sort: { key: "lastName", descending: false } }],
    ["sort=-status", { sort: { key: "status", descending: true } }],
    [
      "status=expiring&q=a&sort=-firstName&page=3&size=50",
      {
        filter: "expiring",
        query: "a",
        sort: { key: "firstName", descending: true },
        page: 3,
        size: 50,
      },
    ],
  ])("%s is read and written", (search, view) => {
    expect(read(search)).toEqual({ ...plain, ...view })
    expect(write({ ...plain, ...view })).toBe(search)
  })

  it.each([
    "status=all",
    "status=",
    "status=zatrzymani",
    "sort=",
    "sort=-",
    "sort=id",
    "sort=--status",
    "page=0",
    "page=-1",
    "page=1.5",
    "page=two",
    "size=11",
    "size=1000",
    "size=",
  ])("is the default where it says nothing known: %s", (search) => {
    expect(read(search)).toEqual(plain)
  })

  it("keeps other parameters", () => {
    expect(write({ ...plain, page: 2 }, "driver=7&q=old")).toBe("driver=7&page=2")
    expect(listParameters(new URLSearchParams("driver=7&q=old&add="))).toBe("q=old")
  })

  it("has the remembered size where it names none", () => {
    expect(readListView(new URLSearchParams("status=withheld"), 50).size).toBe(50)
    expect(readListView(new URLSearchParams("size=25"), 50).size).toBe(25)
  })
})

describe("a change of the view", () => {
  const third = { ...plain, page: 3 }

  it("returns to the first page", () => {
    expect(changeListView(third, { query: "x" }).page).toBe(1)
    expect(changeListView(third, { filter: "valid" }).page).toBe(1)
    expect(changeListView(third, { page: 4 }).page).toBe(4)
  })
})

describe("a query that is not in the address yet", () => {
  function Query() {
    const [view, change] = useListView(10)
    return createElement("input", {
      value: view.query,
      onChange: (event) => change({ query: event.currentTarget.value }),
    })
  }

  it("is shown again by 'forward' after 'back', and not by another link", async () => {
    const router = createMemoryRouter(
      [
        { path: "/panel", element: "Panel" },
        { path: "/panel/drivers", element: createElement(Query) },
      ],
      { initialEntries: ["/panel", "/panel/drivers?status=valid"] },
    )
    render(createElement(RouterProvider, { router }))
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "kow" } })
    await act(() => router.navigate(-1))
    expect(screen.getByText("Panel")).toBeVisible()

    await act(() => router.navigate(1))
    expect(screen.getByRole("textbox")).toHaveValue("kow")
    await waitFor(() => expect(router.state.location.search).toBe("?status=valid&q=kow"))

    await act(() => router.navigate(-1))
    await act(() => router.navigate("/panel/drivers?status=valid"))
    expect(screen.getByRole("textbox")).toHaveValue("")
  })
})

describe("changes that are faster than their addresses", () => {
  function Choices() {
    const [size, setSize] = useState<PageSize>(10)
    const [view, change] = useListView(size)
    const acts: Record<string, () => void> = {
      filter: () => change({ filter: "valid" }),
      size: () => {
        change({ size: 25 })
        setSize(25)
      },
      sort: () => change({ sort: { key: "lastName", descending: false } }),
      page: () => change({ page: 2 }),
      unfilter: () => change({ filter: "all" }),
    }
    const buttons = Object.entries(acts).map(([key, onClick]) =>
      createElement("button", { key, type: "button", onClick }, key),
    )
    return createElement("div", {}, createElement("p", { role: "status" }, write(view)), buttons)
  }

  async function openChoices() {
    const wait = () => new Promise((done) => setTimeout(done, 30, null))
    const path = "/panel/drivers/:driverId?"
    const router = createMemoryRouter(
      [{ path: "/", loader: wait, children: [{ path, element: createElement(Choices) }] }],
      { initialEntries: ["/panel/drivers"] },
    )
    render(createElement(RouterProvider, { router }))
    await screen.findByRole("button", { name: "filter" })
    const press = (...names: string[]) => {
      for (const name of names) fireEvent.click(screen.getByRole("button", { name }))
    }
    const expectView = async (address: string) => {
      await waitFor(() => expect(router.state.location.search).toBe(`?${address}`))
      await act(wait)
      expect(router.state.location.search).toBe(`?${address}`)
      expect(screen.getByRole("status")).toHaveTextContent(address)
    }
    return { router, press, expectView }
  }

  it("are all kept", async () => {
    const { press, expectView } = await openChoices()
    press("filter", "size", "sort", "page")
    await expectView("status=valid&sort=lastName&page=2&size=25")
    press("unfilter", "filter", "unfilter")
    await expectView("sort=lastName&size=25")
  })

  it("yield to a link, and to 'back' and 'forward'", async () => {
    const { router, press, expectView } = await openChoices()
    press("filter")
    await act(() => router.navigate("/panel/drivers?status=withheld"))
    await expectView("status=withheld")
    press("sort")
    await expectView("status=withheld&sort=lastName")
    await act(() => router.navigate("/panel/drivers?q=kow"))
    await expectView("q=kow")
    await act(() => router.navigate(-1))
    await expectView("status=withheld&sort=lastName")
    await act(() => router.navigate(1))
    await expectView("q=kow")
  })

  it("outlive the opening of a driver that cancels their address", async () => {
    const { router, press, expectView } = await openChoices()
    press("filter")
    await act(() => router.navigate("/panel/drivers/7"))
    await expectView("status=valid")
    expect(router.state.location.pathname).toBe("/panel/drivers/7")
  })
})

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

describe("pagination", () => {
  it("offers pages of 10 to 200", () => {
    expect(pageSizes).toEqual([10, 25, 50, 100, 200])
  })

  it("returns the rows and the number of pages", () => {
    expect(paginate(numbers(21), 3, 10)).toEqual({ rows: [21], page: 3, pages: 3 })
    expect(paginate(numbers(20), 2, 10).pages).toBe(2)
  })

  it("of an empty list returns one page", () => {
    expect(paginate([], 1, 10)).toEqual({ rows: [], page: 1, pages: 1 })
  })

  it("returns the last page when the list has become shorter", () => {
    expect(paginate(numbers(20), 3, 10)).toEqual({ rows: numbers(20).slice(10), page: 2, pages: 2 })
  })
})
