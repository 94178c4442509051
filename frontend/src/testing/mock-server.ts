/** Mocks the server: maps "METHOD /path" to responses and records the requests. */

import { vi } from "vitest"
import { client } from "~/api/client.gen"

type MockResponse = { status?: number; body?: unknown; headers?: Record<string, string> }
export type MockResponses = Record<
  string,
  MockResponse | ((body: unknown, query: URLSearchParams) => MockResponse)
>

export type RecordedRequest = { endpoint: string; body: unknown; language: string | null }

client.setConfig({ baseUrl: "http://prawko.test" })

export function mockServer(responses: MockResponses): RecordedRequest[] {
  const requests: RecordedRequest[] = []
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request =
      typeof input === "string" ? new Request(new URL(input, "http://prawko.test"), init) : input
    const { pathname, searchParams } = new URL(request.url)
    const endpoint = `${request.method} ${pathname}`
    const text = await request.text()
    const body = text ? JSON.parse(text) : undefined
    requests.push({ endpoint, body, language: request.headers.get("Accept-Language") })
    const mocked = responses[endpoint]
    if (!mocked) throw new TypeError(`nobody answers ${endpoint}`)
    const {
      status = 200,
      body: responseBody = {},
      headers,
    } = typeof mocked === "function" ? mocked(body, searchParams) : mocked
    return new Response(
      typeof responseBody === "string" ? responseBody : JSON.stringify(responseBody),
      {
        status,
        headers: { "Content-Type": "application/json", ...headers },
      },
    )
  })
  return requests
}

export const errorResponse = (status: number, error: string, message: string): MockResponse => ({
  status,
  body: { error, message },
})
