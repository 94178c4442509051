import { screen } from "@testing-library/react"
import { useState } from "react"
import { describe, expect, it } from "vitest"
import { show } from "~/testing/screen"
import { Stepper } from "./stepper"

function Drivers({ first, least = 5 }: { first: number; least?: number }) {
  const [value, setValue] = useState(first)
  return (
    <Stepper
      label="Drivers"
      less="Fewer"
      more="More"
      value={value}
      onChange={setValue}
      least={least}
      most={10_000}
      step={5}
    />
  )
}

const box = () => screen.getByLabelText("Drivers")
const fewer = () => screen.getByRole("button", { name: "Fewer" })
const more = () => screen.getByRole("button", { name: "More" })

describe("a stepper", () => {
  it("goes in steps, and not below the least", async () => {
    const { person } = show(<Drivers first={5} />)
    expect(fewer()).toBeDisabled()
    await person.click(more())
    await person.click(more())
    expect(box()).toHaveValue("15")
    await person.click(fewer())
    await person.click(fewer())
    expect(box()).toHaveValue("5")
    expect(fewer()).toBeDisabled()
  })

  it("ends at the most", async () => {
    const { person } = show(<Drivers first={9_995} />)
    await person.click(more())
    expect(box()).toHaveValue("10000")
    expect(more()).toBeDisabled()
  })

  it("comes from a number between two steps to the next one", async () => {
    const { person } = show(<Drivers first={7} />)
    await person.click(more())
    expect(box()).toHaveValue("10")
  })

  it("raises what is typed to a whole step when it is left", async () => {
    const { person } = show(<Drivers first={5} />)
    await person.clear(box())
    await person.type(box(), "212")
    expect(box()).toHaveValue("212")
    await person.tab()
    expect(box()).toHaveValue("215")
  })

  it("takes digits only, and keeps its number when nothing is typed", async () => {
    const { person } = show(<Drivers first={20} />)
    await person.clear(box())
    await person.tab()
    expect(box()).toHaveValue("20")
    await person.clear(box())
    await person.type(box(), "-3x5{Enter}")
    expect(box()).toHaveValue("35")
  })

  it("leaves it to the form to refuse a number below the least", async () => {
    const { person } = show(<Drivers first={20} least={15} />)
    await person.clear(box())
    await person.type(box(), "10{Enter}")
    expect(box()).toHaveValue("10")
    expect(fewer()).toBeDisabled()
  })
})
