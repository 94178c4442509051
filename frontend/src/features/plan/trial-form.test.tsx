import { screen, waitFor, within } from "@testing-library/react"
import * as v from "valibot"
import { describe, expect, it } from "vitest"
import { getSubscriptionQueryKey } from "~/api/@tanstack/react-query.gen"
import {
  hasInvalidTaxIdChecksum,
  normaliseTaxId,
  vTaxId,
} from "~/entities/subscription/tax-id-field"
import { queryClient } from "~/lib/query-client"
import { activeSubscription } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { TrialForm } from "./trial-form"

const start = () => screen.getByRole("button", { name: "Rozpocznij okres próbny" })

describe("a tax id", () => {
  it.each(["123456321", "12345632180", "123-456-32", "123456321８", "1234563218\n", ""])(
    "is ten plain digits, not %j",
    (taxId) => {
      expect(v.is(vTaxId, { taxId })).toBe(false)
    },
  )

  it("has a check digit", () => {
    expect(hasInvalidTaxIdChecksum("1234563218")).toBe(false)
    expect(hasInvalidTaxIdChecksum("1234563219")).toBe(true)
    expect(hasInvalidTaxIdChecksum("123")).toBe(false)
    expect(hasInvalidTaxIdChecksum("0000000000")).toBe(true)
  })

  it("is never valid when its checksum would be ten", () => {
    expect(hasInvalidTaxIdChecksum("1000000030")).toBe(true)
  })

  it("is normalised when pasted", () => {
    expect(normaliseTaxId(" PL 123-456-32-18 ")).toBe("1234563218")
    expect(normaliseTaxId("NIP: 123-456-32-18")).toBe("1234563218")
    expect(normaliseTaxId("NIP PL: 123.456.32.18.")).toBe("1234563218")
  })
})

describe("starting the trial", () => {
  it("accepts a pasted number with dashes, and activates the subscription", async () => {
    const requests = mockServer({
      "POST /api/subscription/start-trial": { body: activeSubscription },
    })
    const { person } = renderScreen(<TrialForm />)
    await person.click(screen.getByLabelText("NIP firmy"))
    await person.paste("123-456-32-18")
    await person.click(start())
    await waitFor(() =>
      expect(queryClient.getQueryData(getSubscriptionQueryKey())).toMatchObject({
        status: "active",
      }),
    )
    expect(requests[0]?.body).toEqual({ taxId: "1234563218" })
  })

  it("hints at a wrong check digit without rejecting it", async () => {
    const requests = mockServer({
      "POST /api/subscription/start-trial": { body: activeSubscription },
    })
    const { person } = renderScreen(<TrialForm />)
    await person.type(screen.getByLabelText("NIP firmy"), "1234567890")
    expect(screen.getByText(/błędną cyfrę kontrolną/)).toBeVisible()
    await person.click(start())
    await waitFor(() => expect(requests).toHaveLength(1))
  })

  it("keeps showing that the trial was already used", async () => {
    mockServer({
      "POST /api/subscription/start-trial": errorResponse(409, "trial_used", "Już był"),
    })
    const { person } = renderScreen(<TrialForm />)
    await person.type(screen.getByLabelText("NIP firmy"), "1234563218")
    await person.click(start())
    const form = screen.getByRole("form")
    expect(await within(form).findByRole("alert")).toHaveTextContent("Już był")
  })

  it("shows the server's error at the tax id", async () => {
    const fields = { taxId: "Nieprawidłowy format NIP" }
    mockServer({
      "POST /api/subscription/start-trial": {
        status: 422,
        body: { error: "invalid_tax_id", message: fields.taxId, fields },
      },
    })
    const { person } = renderScreen(<TrialForm />)
    await person.type(screen.getByLabelText("NIP firmy"), "1234567890")
    await person.click(start())
    await waitFor(() =>
      expect(screen.getByLabelText("NIP firmy")).toHaveAccessibleDescription(
        /^Nieprawidłowy format NIP/,
      ),
    )
  })
})
