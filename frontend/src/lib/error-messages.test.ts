import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { login } from "~/api/sdk.gen"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { setAccountLanguage } from "./api-client"
import { ApiError } from "./api-error"
import { errorMessage, fieldErrors, isUnauthenticated } from "./error-messages"
import { changeLanguage, i18n } from "./i18n"

const anna = { email: "anna@acme.test", password: "Tajne123" }

async function failedLogin(): Promise<ApiError> {
  try {
    await login({ body: anna, throwOnError: true })
  } catch (error) {
    if (error instanceof ApiError) return error
  }
  throw new Error("the call was not refused")
}

describe("the error of a failed request", () => {
  beforeEach(() => changeLanguage("pl"))

  it("has the status and the body as its message below 500", async () => {
    mockServer({ "POST /api/login": errorResponse(401, "invalid_credentials", "Nie te dane") })
    expect((await failedLogin()).message).toBe(
      '401 {"error":"invalid_credentials","message":"Nie te dane"}',
    )
  })

  it("has the status and its text as its message from 500 on", async () => {
    mockServer({ "POST /api/login": { status: 502, body: "<html>Bad gateway</html>" } })
    expect((await failedLogin()).message).toMatch(/^502( |$)/)
    expect((await failedLogin()).message).not.toContain("html")
  })

  it("is shown as the server's message", async () => {
    mockServer({ "POST /api/login": errorResponse(401, "invalid_credentials", "Nie te dane") })
    expect(errorMessage(i18n.t, await failedLogin(), "inaczej")).toBe("Nie te dane")
  })

  it("is shown as the catalogue's message for its key when the server sent none", async () => {
    mockServer({ "POST /api/login": { status: 403, body: { error: "subscription_required" } } })
    expect(errorMessage(i18n.t, await failedLogin(), "inaczej")).toBe(
      "Wymagana aktywna subskrypcja.",
    )
  })

  it("is shown as the fallback when the response is HTML", async () => {
    mockServer({ "POST /api/login": { status: 500, body: "<html>oops</html>" } })
    expect(errorMessage(i18n.t, await failedLogin(), "Nie udało się zalogować")).toBe(
      "Nie udało się zalogować",
    )
  })

  it("reports a missing connection when the network is down", async () => {
    mockServer({})
    const error = await failedLogin()
    expect(error.status).toBe(0)
    expect(errorMessage(i18n.t, error, "inaczej")).toMatch(/Brak połączenia/)
  })

  it("accepts malformed bodies", async () => {
    for (const body of ["", "null", "[]", "7", '{"error":{},"message":[],"fields":[1]}', "{"]) {
      mockServer({ "POST /api/login": { status: 422, body } })
      const error = await failedLogin()
      expect(errorMessage(i18n.t, error, "inaczej")).toBe("inaczej")
      expect(fieldErrors(error).email).toBeUndefined()
    }
  })

  it("has the message of each invalid field", async () => {
    const fields = { taxId: "Nieprawidłowy format NIP" }
    mockServer({
      "POST /api/login": { status: 422, body: { error: "invalid_tax_id", message: "x", fields } },
    })
    expect(fieldErrors(await failedLogin())).toEqual(fields)
  })

  it("has the seconds of the Retry-After header", async () => {
    const headers = { "Retry-After": "30" }
    mockServer({ "POST /api/login": { ...errorResponse(429, "too_many_requests", "x"), headers } })
    expect((await failedLogin()).retryAfter).toBe(30)
  })
})

describe("a screen in another language than the account's", () => {
  beforeEach(async () => {
    setAccountLanguage("pl")
    await changeLanguage("en")
  })
  afterEach(async () => {
    setAccountLanguage(null)
    await changeLanguage("pl")
  })

  it("shows the catalogue's message, at the fields as well", async () => {
    const fields = { taxId: "Nieprawidłowy format NIP" }
    const body = { error: "invalid_tax_id", message: fields.taxId, fields }
    mockServer({ "POST /api/login": { status: 422, body } })
    const error = await failedLogin()
    expect(errorMessage(i18n.t, error, "else")).toBe("Invalid tax ID format")
    expect(fieldErrors(error)).toEqual({ taxId: "Invalid tax ID format" })
  })

  it("shows the server's message for an unknown key", async () => {
    mockServer({ "POST /api/login": errorResponse(409, "brand_new", "Nowość") })
    expect(errorMessage(i18n.t, await failedLogin(), "else")).toBe("Nowość")
  })

  it("shows the server's message once the languages are the same", async () => {
    mockServer({ "POST /api/login": errorResponse(401, "invalid_credentials", "Nie te dane") })
    const error = await failedLogin()
    expect(errorMessage(i18n.t, error, "else")).toBe("Invalid email or password")
    await changeLanguage("pl")
    expect(errorMessage(i18n.t, error, "inaczej")).toBe("Nie te dane")
  })
})

describe("a 401", () => {
  it("means that the session has expired, except at the login", async () => {
    mockServer({ "POST /api/login": errorResponse(401, "auth_required", "x") })
    expect(isUnauthenticated(await failedLogin())).toBe(true)
    mockServer({ "POST /api/login": errorResponse(401, "invalid_credentials", "x") })
    expect(isUnauthenticated(await failedLogin())).toBe(false)
  })
})

describe("every request", () => {
  it("asks for answers in the language of the screen", async () => {
    const requests = mockServer({ "POST /api/login": { body: { ok: true, emailVerified: true } } })
    await changeLanguage("en")
    await login({ body: anna })
    await changeLanguage("pl")
    await login({ body: anna })
    expect(requests.map(({ language }) => language)).toEqual(["en", "pl"])
  })
})
