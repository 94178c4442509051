import { fireEvent, screen } from "@testing-library/react"
import { useState } from "react"
import { expect, it, vi } from "vitest"
import { renderScreen } from "~/testing/render"
import { Dialog } from "./dialog"
import { useUnsavedGuard } from "./dialog-guard"

let save: () => void

function Form() {
  useUnsavedGuard(true)
  return <input aria-label="Imię" />
}

function Page() {
  const [open, setOpen] = useState(true)
  save = () => setOpen(false)
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Dodaj kierowcę">
      <Form />
    </Dialog>
  )
}

it("asks before it throws away what was typed, and no longer once that was saved", async () => {
  const { person } = renderScreen(<Page />)
  await person.keyboard("{Escape}")
  expect(screen.getByRole("alertdialog")).toBeVisible()
  save()
  await expect.poll(() => screen.queryByRole("alertdialog")).toBeNull()
  expect(screen.queryByRole("dialog")).toBeNull()
})

function click(target: Element): void {
  fireEvent.pointerDown(target)
  fireEvent.click(target)
}

it("takes the second of two clicks beside it for one on what was there before", async () => {
  renderScreen(<Page />)
  const field = await screen.findByLabelText("Imię")
  await new Promise((resolve) => setTimeout(resolve, 20)) // Radix looks beside it from then on
  click(field)
  click(document.body)
  expect(screen.queryByRole("alertdialog")).toBeNull()

  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1000)
  click(document.body)
  expect(screen.getByRole("alertdialog")).toBeVisible()
})
