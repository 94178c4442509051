import { screen } from "@testing-library/react"
import { useState } from "react"
import { expect, it } from "vitest"
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
