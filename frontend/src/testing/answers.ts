/** Plays the server for a test: `"METHOD /path"` → what it answers. Remembers what it was asked. */

import { vi } from "vitest"
import { client } from "~/api/client.gen"

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }
export type Answers = Record<string, Answer | ((body: unknown, query: URLSearchParams) => Answer)>

export type Asked = { call: string; body: unknown; language: string | null }

client.setConfig({ baseUrl: "http://prawko.test" })

export function answering(answers: Answers): Asked[] {
  const asked: Asked[] = []
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const request =
      typeof input === "string" ? new Request(new URL(input, "http://prawko.test")) : input
    const { pathname, searchParams } = new URL(request.url)
    const call = `${request.method} ${pathname}`
    const text = await request.text()
    const body = text ? JSON.parse(text) : undefined
    asked.push({ call, body, language: request.headers.get("Accept-Language") })
    const answer = answers[call]
    if (!answer) throw new TypeError(`nobody answers ${call}`)
    const {
      status = 200,
      body: said = {},
      headers,
    } = typeof answer === "function" ? answer(body, searchParams) : answer
    return new Response(typeof said === "string" ? said : JSON.stringify(said), {
      status,
      headers: { "Content-Type": "application/json", ...headers },
    })
  })
  return asked
}

export const refused = (status: number, error: string, message: string): Answer => ({
  status,
  body: { error, message },
})
