import { beforeEach, expect, it, vi } from "vitest"
import { storeLastStateTime } from "./last-state"
import { clearSession } from "./session"

let stored: Map<string, Map<string, Response>>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal("caches", {
    open: async (name: string) => {
      const files = stored.get(name) ?? new Map<string, Response>()
      stored.set(name, files)
      return { put: async (key: string, response: Response) => files.set(key, response) }
    },
    delete: async (name: string) => stored.delete(name),
  })
})

it("stores a time and nothing else, until the session ends", async () => {
  await storeLastStateTime(1_795_327_920_000)
  const files = stored.get("last-state")
  expect([...(files?.keys() ?? [])]).toEqual(["/last-state"])
  expect(await files?.get("/last-state")?.text()).toBe("1795327920000")

  clearSession()
  await vi.waitFor(() => expect([...stored.keys()]).toEqual([]))
})

it("does without storage", async () => {
  vi.stubGlobal("caches", undefined)
  await expect(storeLastStateTime(1)).resolves.toBeUndefined()
  expect(clearSession).not.toThrow()
})
