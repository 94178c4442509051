import { screen } from "@testing-library/react"
import { useState } from "react"
import { describe, expect, it } from "vitest"
import { renderScreen } from "~/testing/render"
import { Stepper } from "./stepper"

function Drivers({ first, least = 5 }: { first: number; least?: number }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <Stepper
        label="Drivers"
        decrementLabel="Fewer"
        incrementLabel="More"
        value={value}
        onChange={setValue}
        min={least}
        max={10_000}
        step={5}
      />
      <p>value: {value}</p>
    </>
  )
}

const box = () => screen.getByLabelText("Drivers")
const fewer = () => screen.getByRole("button", { name: "Fewer" })
const more = () => screen.getByRole("button", { name: "More" })

describe("a stepper", () => {
  it("moves in steps, not below the minimum", async () => {
    const { person } = renderScreen(<Drivers first={5} />)
    expect(fewer()).toBeDisabled()
    await person.click(more())
    await person.click(more())
    expect(box()).toHaveValue("15")
    await person.click(fewer())
    await person.click(fewer())
    expect(box()).toHaveValue("5")
    expect(fewer()).toBeDisabled()
  })

  it("stops at the maximum", async () => {
    const { person } = renderScreen(<Drivers first={9_995} />)
    await person.click(more())
    expect(box()).toHaveValue("10000")
    expect(more()).toBeDisabled()
  })

  it("moves from a value between two steps to the next one", async () => {
    const { person } = renderScreen(<Drivers first={7} />)
    await person.click(more())
    expect(box()).toHaveValue("10")
  })

  it("rounds a typed value up to a whole step on blur", async () => {
    const { person } = renderScreen(<Drivers first={5} />)
    await person.clear(box())
    await person.type(box(), "212")
    expect(box()).toHaveValue("212")
    await person.tab()
    expect(box()).toHaveValue("215")
  })

  it("keeps its value when emptied", async () => {
    const { person } = renderScreen(<Drivers first={20} />)
    await person.clear(box())
    await person.tab()
    expect(box()).toHaveValue("20")
  })

  it.each(["5,5", "5.5", "1e3", "-20", "+20", "x"])(
    "makes no number of %s, and leaves it to be corrected",
    async (text) => {
      const { person } = renderScreen(<Drivers first={20} />)
      await person.clear(box())
      await person.type(box(), `${text}{Enter}`)
      expect(screen.getByText("value: NaN")).toBeInTheDocument()
      await person.tab()
      expect(box()).toHaveValue(text)

      await person.clear(box())
      expect(screen.queryByText("value: NaN")).toBeNull()
      await person.type(box(), "35{Enter}")
      expect(screen.getByText("value: 35")).toBeInTheDocument()
    },
  )

  it("steps from its last number when the text is none", async () => {
    const { person } = renderScreen(<Drivers first={20} />)
    await person.clear(box())
    await person.type(box(), "1e3")
    await person.click(more())
    expect(box()).toHaveValue("25")
  })

  it("takes a thousand with a blank", async () => {
    const { person } = renderScreen(<Drivers first={20} />)
    await person.clear(box())
    await person.type(box(), "1 000{Enter}")
    expect(box()).toHaveValue("1000")
  })

  it("leaves it to the form to reject a value below the minimum", async () => {
    const { person } = renderScreen(<Drivers first={20} least={15} />)
    await person.clear(box())
    await person.type(box(), "10{Enter}")
    expect(box()).toHaveValue("10")
    expect(fewer()).toBeDisabled()
  })
})
