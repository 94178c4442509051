import { render } from "@testing-library/react"
import { Fragment } from "react"
import { describe, expect, it } from "vitest"

const yes = true
const no = false

describe("a text", () => {
  it.each([
    ["an only child", <p key="a">jeden</p>, "<p>jeden</p>"],
    [
      "beside texts",
      <p key="b">
        {1} z {2}
      </p>,
      "<p>1 z 2</p>",
    ],
    ["beside a missing element", <p key="c">{no && <i />}dwa</p>, "<p>dwa</p>"],
    ["beside an element", <p key="d">{yes && <i />}dwa</p>, "<p><i></i><span>dwa</span></p>"],
    [
      "between its blanks",
      <p key="e">
        do: <i /> {3} dni
      </p>,
      "<p><span>do:</span> <i></i> <span>3 dni</span></p>",
    ],
    ["in a list", <p key="f">{["a", <i key="i" />]}</p>, "<p><span>a</span><i></i></p>"],
    ["in a fragment", <p key="g">{<Fragment>sam</Fragment>}</p>, "<p><span>sam</span></p>"],
  ])("that is %s has an element of its own where it needs one", (_, element, html) => {
    expect(render(element).container.innerHTML).toBe(html)
  })
})
