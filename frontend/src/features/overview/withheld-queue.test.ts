import { describe, expect, it } from "vitest"
import type { AcknowledgementOut, DriverOut } from "~/api/types.gen"
import { driver, verified, withheld } from "~/testing/fixtures"
import { countDrivers } from "./driver-counts"
import { handledEpisodes, isNewEpisode, queueAttention, queueWithheld } from "./withheld-queue"

const acknowledgement: AcknowledgementOut = {
  id: "00000000-0000-7000-8000-0000000000aa",
  note: "Auto oddane",
  createdAt: "2026-11-22T08:00:00Z",
  createdBy: "anna@acme.test",
}
const monday = "2026-11-23"

describe("an episode is new since yesterday", () => {
  it.each([
    ["found this morning", "2026-11-23T05:10:00Z", monday, true],
    ["found yesterday morning", "2026-11-22T05:10:00Z", monday, true],
    ["found in the first second of yesterday in Warsaw", "2026-11-21T23:00:00Z", monday, true],
    ["found in the last second before it", "2026-11-21T22:59:59.999999Z", monday, false],
    ["found a week ago, and not acknowledged", "2026-11-16T05:10:00Z", monday, false],
    ["found at the last midnight", "2026-11-22T23:00:00Z", monday, true],
    ["seen a day later, still new", "2026-11-22T23:00:00Z", "2026-11-24", true],
    ["seen two days later, known", "2026-11-22T23:00:00Z", "2026-11-25", false],
    ["by summer time", "2026-07-09T22:00:00Z", "2026-07-11", true],
    ["by summer time, a second before", "2026-07-09T21:59:59Z", "2026-07-11", false],
    ["over the change to winter time, 49 hours ago", "2026-10-24T05:10:00Z", "2026-10-25", true],
    ["over the change of the year", "2026-12-31T05:10:00Z", "2027-01-01", true],
    ["by a clock that was set back", "2026-11-25T05:10:00Z", monday, true],
  ])("%s", (_, since, today, expected) => {
    expect(isNewEpisode({ since }, today)).toBe(expected)
  })
})

function withheldSince(
  name: string,
  since: string,
  entry: AcknowledgementOut | null = null,
): DriverOut {
  return driver("Jan", name, withheld, { episode: { since, reasons: [], acknowledgement: entry } })
}

/** The queue in a page that is opened now, or was opened when those drivers were as they were. */
const queueOf = (drivers: DriverOut[], opened = drivers) =>
  queueWithheld(drivers, monday, handledEpisodes(opened))

const names = (drivers: readonly { lastName: string }[]) => drivers.map((one) => one.lastName)

describe("the queue of withheld drivers", () => {
  it("has new ones apart from known ones, the latest first and acknowledged ones last", () => {
    const queue = queueOf([
      driver("Ewa", "Ważna", verified()),
      withheldSince("Dawny", "2026-11-02T05:10:00Z", acknowledgement),
      withheldSince("Zwykły", "2026-11-22T05:10:00Z"),
      withheldSince("Czekający", "2026-11-01T05:10:00Z"),
      withheldSince("Potwierdzony", "2026-11-22T05:10:00Z", acknowledgement),
      withheldSince("Ćma", "2026-11-23T05:10:00Z"),
      withheldSince("Adamski", "2026-11-22T05:10:00Z"),
    ])
    expect(names(queue.fresh)).toEqual(["Ćma", "Adamski", "Zwykły"])
    expect(names(queue.known)).toEqual(["Czekający", "Potwierdzony", "Dawny"])
  })

  it("moves no driver who is acknowledged, or whose entry is withdrawn, while the page is open", () => {
    const first = withheldSince("Pierwszy", "2026-11-23T05:10:00Z")
    const second = withheldSince("Drugi", "2026-11-22T05:10:00Z")
    const before = withheldSince("Dawny", "2026-11-02T05:10:00Z", acknowledgement)
    const opened = [first, second, before]
    const change = (one: DriverOut, entry: AcknowledgementOut | null) => ({
      ...one,
      episode: one.episode && { ...one.episode, acknowledgement: entry },
    })
    const now = [change(first, acknowledgement), second, change(before, null)]
    const { fresh, known } = queueOf(now, opened)
    expect([names(fresh), names(known)]).toEqual([["Pierwszy", "Drugi"], ["Dawny"]])
    expect(names(queueOf(now).fresh)).toEqual(["Drugi"])

    const again = { ...withheldSince("Dawny", "2026-11-23T05:10:00Z"), id: before.id }
    expect(names(queueOf([again], opened).fresh)).toEqual(["Dawny"])
  })

  it("has a first check's finding as new", () => {
    const first = driver("Jan", "Nowy", { ...withheld, verifiedAt: "2026-11-23T09:00:00Z" })
    expect(names(queueOf([first]).fresh)).toEqual(["Nowy"])
  })

  it("has a licence that was returned and withheld again as new, whatever was said before", () => {
    const before = withheldSince("Nowak", "2026-11-02T05:10:00Z", acknowledgement)
    expect(names(queueOf([before]).known)).toEqual(["Nowak"])
    const returned = { ...before, episode: null, verifications: [verified(), withheld] }
    expect(queueOf([returned])).toEqual({ fresh: [], known: [] })
    const again = withheldSince("Nowak", "2026-11-23T05:10:00Z")
    expect(names(queueOf([again]).fresh)).toEqual(["Nowak"])
  })

  it("never loses a withheld driver, and leaves out those who only need attention", () => {
    const unknownSince = driver("Jan", "Bez", withheld, { episode: null })
    const attention = driver("Jan", "Inny", verified({ status: "attention" }))
    const { fresh, known } = queueOf([unknownSince, attention])
    expect([names(fresh), names(known)]).toEqual([["Bez"], []])
  })

  it("has those apart who need attention for another reason, too, as the counts have them", () => {
    const staleSince = "2026-11-17T05:04:00Z"
    const drivers = [
      driver("Jan", "Stary", withheld, { staleSince, mayDrive: "no" }),
      driver("Jan", "Ponad", withheld, { overLimit: true, mayDrive: "no" }),
      driver("Jan", "Dawno", verified(), { staleSince, mayDrive: "check" }),
    ]
    const { fresh, known } = queueOf(drivers)
    const attention = queueAttention(drivers, monday)
    expect(names(attention.map((one) => one.driver))).toEqual(["Dawno"])
    expect(fresh.length + known.length).toBe(countDrivers(drivers, monday).mayDrive.no)
    expect(attention.map((one) => one.answer)).toEqual(["check"])
  })
})
