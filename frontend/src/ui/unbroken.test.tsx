import { render } from "@testing-library/react"
import { expect, it } from "vitest"
import { Unbroken } from "./unbroken"

it.each([
  ["Podaj adres e-mail.", ["e-mail"]],
  ["E-mailem, SMS-em i w 30-dniowym terminie", ["E-mailem", "SMS-em", "30-dniowym"]],
  ["ul. Przykładowa 1, 00-123 Łódź", ["00-123"]],
  ["Sobienie-Jeziory-Kolonia", []],
  ["dane o security-relevant", []],
  ["2026 - 2027, po- i na-", []],
  ["bez łącznika", []],
])("keeps the short words of %j on one line, and its letters", (text, unbroken) => {
  const { container } = render(<Unbroken>{text}</Unbroken>)
  const words = [...container.querySelectorAll(".whitespace-nowrap")]
  expect(words.map((word) => word.textContent)).toEqual(unbroken)
  expect(container).toHaveTextContent(text, { normalizeWhitespace: false })
})

it("leaves other content as it is", () => {
  const { container } = render(
    <Unbroken>
      <p>e-mail</p>
    </Unbroken>,
  )
  expect(container.innerHTML).toBe("<p>e-mail</p>")
})
