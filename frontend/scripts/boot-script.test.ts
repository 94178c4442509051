import { describe, expect, it } from "vitest"
import { bootScript } from "./boot-script"

const manifest = {
  routes: {
    root: { path: "", module: "/assets/root.js" },
    home: { parentId: "root", path: "terms", module: "/assets/terms.js" },
    "session-layout": {
      parentId: "root",
      module: "/assets/session-layout.js",
      clientLoaderModule: "/assets/loader.js",
      imports: ["/assets/react.js", "/assets/session.js"],
    },
    start: { parentId: "session-layout", index: true, module: "/assets/start.js" },
    login: { parentId: "session-layout", path: "auth/login", module: "/assets/login.js" },
    "panel-layout": { parentId: "session-layout", module: "/assets/panel-layout.js" },
    dashboard: { parentId: "panel-layout", path: "panel", module: "/assets/dashboard.js" },
    drivers: { parentId: "panel-layout", path: "panel/drivers", module: "/assets/drivers.js" },
    driver: { parentId: "drivers", path: ":driverId", module: "/assets/driver.js" },
    rest: { parentId: "session-layout", path: "*", module: "/assets/rest.js" },
  },
}
const session = ["session-layout", "loader", "session"]

const verified = { status: 200, body: { emailVerified: true } }

/** Runs the script at a path; returns what it loads and requests, and the frame it selects. */
async function boot(path: string, { status, body }: { status: number; body: object } = verified) {
  const preloaded: string[] = []
  const requested: string[] = []
  const window: { earlyResponses?: Record<string, Promise<Response>> } = {}
  const document = {
    documentElement: { dataset: {} as Record<string, string> },
    createElement: () => ({ rel: "", href: "" }),
    head: { append: (link: { href: string }) => preloaded.push(link.href) },
  }
  const fetch = async (url: string) => {
    requested.push(url)
    return new Response(JSON.stringify(body), { status })
  }
  const code = bootScript(manifest, ["/assets/root.js", "/assets/react.js"], {
    pl: "/assets/polish.js",
    en: "/assets/english.js",
  })
  new Function("window", "location", "document", "fetch", code)(
    window,
    { pathname: path },
    document,
    fetch,
  )
  await new Promise((resolve) => setTimeout(resolve))
  return { preloaded, requested, frame: document.documentElement.dataset.frame, window }
}

const files = (...names: string[]) => names.map((name) => `/assets/${name}.js`)

describe("the boot script", () => {
  it.each([
    ["/", files(...session, "start"), "panel"],
    ["/auth/login", files(...session, "login"), "auth"],
    ["/panel", files(...session, "panel-layout", "dashboard"), "panel"],
    ["/panel/", files(...session, "panel-layout", "dashboard"), "panel"],
    ["/panel/drivers", files(...session, "panel-layout", "drivers"), "panel"],
    ["/panel/drivers/7", files(...session, "panel-layout", "drivers", "driver"), "panel"],
    ["/panel/none", files(...session, "rest"), "panel"],
    ["/panels", files(...session, "rest"), undefined],
    ["/none", files(...session, "rest"), undefined],
  ])("loads the scripts of %s that the page does not name", async (path, scripts, frame) => {
    const booted = await boot(path)
    expect(booted.preloaded).toEqual([...scripts, "/assets/polish.js"])
    expect(booted.frame).toBe(frame)
  })

  it("loads the texts in the language of the user alone", async () => {
    window.localStorage.setItem("i18nextLng", "en")
    const { preloaded } = await boot("/panel")
    window.localStorage.setItem("i18nextLng", "pl")
    expect(preloaded).toContain("/assets/english.js")
    expect(preloaded).not.toContain("/assets/polish.js")
  })

  it("requests the user, and of a verified user what the screen shows", async () => {
    const { requested, window } = await boot("/panel")
    expect(requested[0]).toBe("/api/user")
    expect(requested).toContain("/api/drivers?verifications=1&view=summary")
    expect(Object.keys(window.earlyResponses ?? {})).toEqual(requested)
    expect((await boot("/panel/drivers/7")).requested).toEqual(requested)
    expect((await boot("/auth/login")).requested).toEqual(["/api/user"])
  })

  it("requests nothing else for visitors and unverified users", async () => {
    expect((await boot("/panel", { status: 401, body: {} })).requested).toEqual(["/api/user"])
    const unverified = { status: 200, body: { emailVerified: false } }
    expect((await boot("/panel", unverified)).requested).toEqual(["/api/user"])
  })
})
