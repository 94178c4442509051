/** Answers the panel's calls in the browser: the acts of a morning are kept until the page is left. */

import type { DriverOut, VerificationOut } from "~/api/types.gen"
import { i18n } from "~/lib/i18n"
import { alarmAt, currentInstant, drivers, histories, subscription, user } from "./sample-company"

type Call = { driver: DriverOut; history: VerificationOut[]; body: SampleBody; page: number }
type SampleBody = { note?: string; episodes?: { driverId: string }[] }

/** By method and path, in which `:id` is a driver's and `:entry` an acknowledgement's. */
const answers: Record<string, (call: Call) => unknown> = {
  "GET /api/user": () => user,
  "PUT /api/user/list-view": ({ body }) => body,
  "GET /api/subscription": () => subscription,
  "GET /api/drivers": () => drivers,
  "GET /api/checks/summary": () => ({
    oldestVerifiedAt: alarmAt,
    staleCount: 0,
    checkingStopped: false,
  }),
  "GET /api/notifications": () => [],
  "GET /api/drivers/:id": ({ driver }) => driver,
  "GET /api/drivers/:id/notices": () => [],
  "GET /api/drivers/:id/days": ({ history }) =>
    history
      .map(({ verifiedAt, status }) => ({ day: verifiedAt.slice(0, 10), status, checks: 1 }))
      .reverse(),
  "GET /api/drivers/:id/changes": ({ history, page }) => (page === 1 ? joinEqual(history) : []),
  "GET /api/drivers/:id/verifications": ({ history, page }) => (page === 1 ? history : []),
  "POST /api/drivers/:id/acknowledgements": ({ driver, body }) => acknowledge(driver, body.note),
  "DELETE /api/drivers/:id/acknowledgements/:entry": ({ driver }) =>
    setEpisode(driver, { acknowledgement: null }),
  "POST /api/drivers/acknowledgements": ({ body }) =>
    (body.episodes ?? []).map(({ driverId }) => {
      const driver = drivers.find(({ id }) => id === driverId)
      if (driver) acknowledge(driver, body.note)
      return { driverId, result: "acknowledged", message: "", acknowledgementId: driverId }
    }),
}

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** In place of `fetch`: no request leaves the browser. What the sample lacks is refused in words. */
export async function answerFromSample(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const [id = ""] = pathname.match(uuid) ?? []
  const path = pathname.replace(uuid, (found) => (found === id ? ":id" : ":entry"))
  const isEntry = pathname.endsWith(`/acknowledgements/${id}`)
  const answer = answers[`${request.method} ${isEntry ? path.replace(/:id$/, ":entry") : path}`]
  const driver = drivers.find((one) => one.id === id)
  if (!answer || (id && !driver)) {
    return Response.json(
      { error: "sample", message: i18n.t("dashboard.sample.refused") },
      { status: 403 },
    )
  }
  const text = await request.text()
  return Response.json(
    answer({
      driver: driver as DriverOut,
      history: histories.get(id) ?? [],
      body: text ? JSON.parse(text) : {},
      page: Number(searchParams.get("page") ?? 1),
    }),
  )
}

function setEpisode(driver: DriverOut, changes: Partial<NonNullable<DriverOut["episode"]>>) {
  if (driver.episode) driver.episode = { ...driver.episode, ...changes }
  return driver
}

function acknowledge(driver: DriverOut, note = ""): DriverOut {
  const createdAt = currentInstant()
  const entry = { id: driver.id, note, createdAt, createdBy: user.email }
  return setEpisode(driver, { acknowledgement: entry })
}

/** Equal results in a row are one change. */
function joinEqual(history: VerificationOut[]) {
  const starts = history.filter((one, i) => one.status !== history[i - 1]?.status)
  return starts.map((one, i) => {
    const next = starts[i + 1]
    const end = next ? history.indexOf(next) : history.length
    const begin = history.indexOf(one)
    return { ...one, firstVerifiedAt: history[end - 1]?.verifiedAt, checks: end - begin }
  })
}
