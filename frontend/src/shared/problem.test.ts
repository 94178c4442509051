import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { login } from "~/api/sdk.gen"
import { changeLanguage, i18n } from "~/shared/i18n"
import { answering, refused } from "~/testing/answers"
import { writtenToIn } from "./api-client"
import { fieldProblems, isSignedOut, problemSentence } from "./problem"
import { Refusal } from "./refusal"

const anna = { email: "anna@acme.test", password: "Tajne123" }

async function refusal(): Promise<Refusal> {
  try {
    await login({ body: anna, throwOnError: true })
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error("the call was not refused")
}

describe("what a refused call says", () => {
  beforeEach(() => changeLanguage("pl"))

  it("is the status and the body's text below 500", async () => {
    answering({ "POST /api/login": refused(401, "invalid_credentials", "Nie te dane") })
    expect((await refusal()).message).toBe(
      '401 {"error":"invalid_credentials","message":"Nie te dane"}',
    )
  })

  it("is the status and its text from 500 on", async () => {
    answering({ "POST /api/login": { status: 502, body: "<html>Bad gateway</html>" } })
    expect((await refusal()).message).toMatch(/^502( |$)/)
    expect((await refusal()).message).not.toContain("html")
  })

  it("becomes the server's own sentence on a screen", async () => {
    answering({ "POST /api/login": refused(401, "invalid_credentials", "Nie te dane") })
    expect(problemSentence(i18n.t, await refusal(), "inaczej")).toBe("Nie te dane")
  })

  it("becomes the catalogue's sentence for its key when the server sent none", async () => {
    answering({ "POST /api/login": { status: 403, body: { error: "subscription_required" } } })
    expect(problemSentence(i18n.t, await refusal(), "inaczej")).toBe(
      "Wymagana aktywna subskrypcja.",
    )
  })

  it("becomes the fallback when the answer is a web page", async () => {
    answering({ "POST /api/login": { status: 500, body: "<html>oops</html>" } })
    expect(problemSentence(i18n.t, await refusal(), "Nie udało się zalogować")).toBe(
      "Nie udało się zalogować",
    )
  })

  it("says that nobody answered when the network is down", async () => {
    answering({})
    const error = await refusal()
    expect(error.status).toBe(0)
    expect(problemSentence(i18n.t, error, "inaczej")).toMatch(/Brak połączenia/)
  })

  it("survives bodies of every shape", async () => {
    for (const body of ["", "null", "[]", "7", '{"error":{},"message":[],"fields":[1]}', "{"]) {
      answering({ "POST /api/login": { status: 422, body } })
      const error = await refusal()
      expect(problemSentence(i18n.t, error, "inaczej")).toBe("inaczej")
      expect(fieldProblems(error).email).toBeUndefined()
    }
  })

  it("carries the sentence of each refused field", async () => {
    const fields = { taxId: "Nieprawidłowy format NIP" }
    answering({
      "POST /api/login": { status: 422, body: { error: "invalid_tax_id", message: "x", fields } },
    })
    expect(fieldProblems(await refusal())).toEqual(fields)
  })

  it("knows after how many seconds another try makes sense", async () => {
    const headers = { "Retry-After": "30" }
    answering({ "POST /api/login": { ...refused(429, "too_many_requests", "x"), headers } })
    expect((await refusal()).retryAfter).toBe(30)
  })
})

describe("a screen in another language than the account's", () => {
  beforeEach(async () => {
    writtenToIn("pl")
    await changeLanguage("en")
  })
  afterEach(async () => {
    writtenToIn(null)
    await changeLanguage("pl")
  })

  it("says a refusal in its own words, beside the fields as well", async () => {
    const fields = { taxId: "Nieprawidłowy format NIP" }
    const body = { error: "invalid_tax_id", message: fields.taxId, fields }
    answering({ "POST /api/login": { status: 422, body } })
    const error = await refusal()
    expect(problemSentence(i18n.t, error, "else")).toBe("Invalid tax ID format")
    expect(fieldProblems(error)).toEqual({ taxId: "Invalid tax ID format" })
  })

  it("says what the server said when it has no words for it", async () => {
    answering({ "POST /api/login": refused(409, "brand_new", "Nowość") })
    expect(problemSentence(i18n.t, await refusal(), "else")).toBe("Nowość")
  })

  it("turns to the server's words once the screen speaks the account's language", async () => {
    answering({ "POST /api/login": refused(401, "invalid_credentials", "Nie te dane") })
    const error = await refusal()
    expect(problemSentence(i18n.t, error, "else")).toBe("Invalid email or password")
    await changeLanguage("pl")
    expect(problemSentence(i18n.t, error, "inaczej")).toBe("Nie te dane")
  })
})

describe("a 401", () => {
  it("means that the session is over, except at the login itself", async () => {
    answering({ "POST /api/login": refused(401, "auth_required", "x") })
    expect(isSignedOut(await refusal())).toBe(true)
    answering({ "POST /api/login": refused(401, "invalid_credentials", "x") })
    expect(isSignedOut(await refusal())).toBe(false)
  })
})

describe("every call", () => {
  it("asks for answers in the language of the screen", async () => {
    const asked = answering({ "POST /api/login": { body: { ok: true, emailVerified: true } } })
    await changeLanguage("en")
    await login({ body: anna })
    await changeLanguage("pl")
    await login({ body: anna })
    expect(asked.map(({ language }) => language)).toEqual(["en", "pl"])
  })
})
