import { HttpError } from "react-admin"
import { beforeEach, expect, test, vi } from "vitest"
import { authProvider, forgetSession } from "./authProvider.ts"
import { dataProvider } from "./dataProvider.ts"

const fetched = vi.fn<typeof fetch>()

function answer(body: unknown, init: ResponseInit = {}): void {
  fetched.mockImplementation(async () => new Response(JSON.stringify(body), init))
}

const calls = () =>
  fetched.mock.calls.map(([url, options]) => ({
    url: decodeURIComponent(String(url)),
    method: options?.method ?? "GET",
    body: options?.body ? JSON.parse(String(options.body)) : undefined,
    headers: new Headers(options?.headers),
  }))

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal("fetch", fetched)
})

test("a list asks for a sorted and filtered range, and reads the total", async () => {
  answer([{ id: "1" }], { headers: { "Content-Range": "users 10-10/312" } })
  const page = await dataProvider.getList("users", {
    pagination: { page: 2, perPage: 10 },
    sort: { field: "email", order: "ASC" },
    filter: { q: "jan" },
  })
  expect(page).toEqual({ data: [{ id: "1" }], total: 312 })
  expect(calls()[0]?.url).toBe(
    '/api/admin/users?filter={"q":"jan"}&range=[10,19]&sort=["email","ASC"]',
  )
})

test("every call asks for sentences in the reader's language", async () => {
  answer({ totalUsers: 1 })
  await dataProvider.read("stats")
  expect(calls()[0]?.headers.get("Accept-Language")).toMatch(/^(pl|en)$/)
})

test("every call names the operator of the page, also once another one has signed in", async () => {
  for (const name of ["olga", "piotr"]) {
    answer({ userId: "1", email: `${name}@prawko.test` })
    await authProvider.getIdentity?.()
    forgetSession()
  }
  await dataProvider.act("companies", "1", "suspend", {})
  expect(calls()[2]?.headers.get("Prawko-Account")).toBe("olga%40prawko.test")
})

test("a deletion carries its reason", async () => {
  answer({ id: "1" })
  await dataProvider.delete("users", { id: "1", meta: { reason: "Prośba klienta" } })
  expect(calls()[0]).toMatchObject({
    url: "/api/admin/users/1",
    method: "DELETE",
    body: { reason: "Prośba klienta" },
  })
  expect(calls()[0]?.headers.get("Content-Type")).toBe("application/json")
})

test("a deletion of several carries the reason each time", async () => {
  answer({ id: "1" })
  await dataProvider.deleteMany("users", { ids: ["1", "2"], meta: { reason: "Duplikat" } })
  expect(calls().map(({ url, body }) => [url, body.reason])).toEqual([
    ["/api/admin/users/1", "Duplikat"],
    ["/api/admin/users/2", "Duplikat"],
  ])
})

test("a deletion without a reason is ra-data-simple-rest's own", async () => {
  answer({ id: "1" })
  await dataProvider.delete("users", { id: "1" })
  expect(calls()[0]?.body).toBeUndefined()
})

test("an act is posted to its path, with the id encoded", async () => {
  answer({ ok: true })
  await dataProvider.act("plugins", "channel:smtp/x", "pause", { reason: "Próba" })
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/admin/plugins/channel%3Asmtp%2Fx/pause")
  expect(calls()[0]).toMatchObject({ method: "POST", body: { reason: "Próba" } })
})

test("an act on the resource has no id in its path", async () => {
  answer({ ok: true })
  await dataProvider.act("check-runs", null, "pause", {})
  expect(calls()[0]?.url).toBe("/api/admin/check-runs/pause")
})

test("a file is named as the server names it", async () => {
  fetched.mockResolvedValue(
    new Response("{}", { headers: { "Content-Disposition": 'attachment; filename="acme.zip"' } }),
  )
  expect((await dataProvider.download("companies", "1", "export", {})).name).toBe("acme.zip")
})

test("the fields of a refusal stand where forms look for errors", async () => {
  answer(
    { error: "invalid", message: "Popraw pola.", fields: { driverLimit: "Najmniej 0" } },
    { status: 422 },
  )
  const refusal = await dataProvider
    .update("users", { id: "1", data: {}, previousData: { id: "1" } })
    .catch((error) => error)
  expect(refusal).toBeInstanceOf(HttpError)
  expect(refusal.message).toBe("Popraw pola.")
  expect(refusal.body.errors).toEqual({ driverLimit: "Najmniej 0" })
})

test("a refused download has the server's sentence", async () => {
  answer({ error: "not_found", message: "Nie znaleziono." }, { status: 404 })
  await expect(dataProvider.download("companies", "1", "export", {})).rejects.toMatchObject({
    status: 404,
    message: "Nie znaleziono.",
  })
})
