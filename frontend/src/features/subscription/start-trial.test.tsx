import { screen, waitFor, within } from "@testing-library/react"
import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { getSubscriptionQueryKey } from "~/api/@tanstack/react-query.gen"
import { queryClient } from "~/shared/query-client"
import { answering, refused } from "~/testing/answers"
import { active } from "~/testing/people"
import { show } from "~/testing/screen"
import { StartTrial } from "./start-trial"
import { bareTaxId, hasWrongChecksum, vTaxId } from "./tax-id"

const start = () => screen.getByRole("button", { name: "Rozpocznij okres próbny" })

describe("a tax id", () => {
  it.each(["123456321", "12345632180", "123-456-32", "123456321８", "1234563218\n", ""])(
    "is ten plain digits, not %j",
    (taxId) => {
      expect(v.is(vTaxId, { taxId })).toBe(false)
    },
  )

  it("is known by its last digit", () => {
    expect(hasWrongChecksum("1234563218")).toBe(false)
    expect(hasWrongChecksum("1234563219")).toBe(true)
    expect(hasWrongChecksum("123")).toBe(false)
  })

  it("is never right when its checksum would be ten", () => {
    expect(hasWrongChecksum("1000000030")).toBe(true)
  })

  it("loses what people paste it with", () => {
    expect(bareTaxId(" PL 123-456-32-18 ")).toBe("1234563218")
  })
})

describe("starting the trial", () => {
  it("takes a pasted number with dashes, and the panel opens", async () => {
    const asked = answering({ "POST /api/subscription/start-trial": { body: active } })
    const { person } = show(<StartTrial />)
    await person.click(screen.getByLabelText("NIP firmy"))
    await person.paste("123-456-32-18")
    await person.click(start())
    await waitFor(() =>
      expect(queryClient.getQueryData(getSubscriptionQueryKey())).toMatchObject({
        status: "active",
      }),
    )
    expect(asked[0]?.body).toEqual({ taxId: "1234563218" })
  })

  it("hints at a wrong check digit without refusing it", async () => {
    const asked = answering({ "POST /api/subscription/start-trial": { body: active } })
    const { person } = show(<StartTrial />)
    await person.type(screen.getByLabelText("NIP firmy"), "1234567890")
    expect(screen.getByText(/błędną cyfrę kontrolną/)).toBeVisible()
    await person.click(start())
    await waitFor(() => expect(asked).toHaveLength(1))
  })

  it("says that the trial was used already, and goes on saying it", async () => {
    answering({ "POST /api/subscription/start-trial": refused(409, "trial_used", "Już był") })
    const { person } = show(<StartTrial />)
    await person.type(screen.getByLabelText("NIP firmy"), "1234563218")
    await person.click(start())
    const form = screen.getByRole("form")
    expect(await within(form).findByRole("alert")).toHaveTextContent("Już był")
  })

  it("puts the server's word about the number beside the number", async () => {
    const fields = { taxId: "Nieprawidłowy format NIP" }
    answering({
      "POST /api/subscription/start-trial": {
        status: 422,
        body: { error: "invalid_tax_id", message: fields.taxId, fields },
      },
    })
    const { person } = show(<StartTrial />)
    await person.type(screen.getByLabelText("NIP firmy"), "1234567890")
    await person.click(start())
    await waitFor(() =>
      expect(screen.getByLabelText("NIP firmy")).toHaveAccessibleDescription(
        /^Nieprawidłowy format NIP/,
      ),
    )
  })
})
