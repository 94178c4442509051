import { describe, expect, it } from "vitest"
import { loginPath, nextScreen, readNextPath } from "./next-path"

describe("the path behind the login", () => {
  it.each([
    "/panel",
    "/panel/drivers?driver=7&q=a b",
    "/panel/subscription?order=1",
    "/admin/users?page=2",
  ])("is kept by the login: %s", (path) => {
    expect(readNextPath(new URL(loginPath(path), "http://x").search)).toBe(path)
  })

  it.each([
    "",
    "?next=",
    "?next=https://evil.test/panel",
    "?next=//evil.test/panel",
    "?next=/%5Cevil.test/panel",
    "?next=/panel%5C..%5C..%5Cevil",
    "?next=/panel.evil.test",
    "?next=/administrator",
    "?next=/admin/../auth/login",
    "?next=/panel/../auth/login",
    "?next=/terms",
    "?next=javascript:alert(1)",
    "?next=//[",
  ])("is a path of the panel only: %s", (search) => {
    expect(readNextPath(search)).toBeNull()
  })

  it.each([
    ["/panel/drivers?driver=7", "driver"],
    ["/admin/check-runs", "console"],
    ["/panel/drivers", "drivers"],
    ["/panel/subscription?order=1", "subscription"],
    ["/panel/subscription/success", "subscription"],
    ["/panel/notifications", "notifications"],
    ["/panel/account", "panel"],
    ["/panel", "panel"],
  ])("is named by its screen: %s", (path, screen) => {
    expect(nextScreen(path)).toBe(screen)
  })
})
