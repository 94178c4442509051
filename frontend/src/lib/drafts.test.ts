import { expect, it } from "vitest"
import { deleteDraft, findDraft, registerDraftSource, saveDrafts } from "./drafts"

it("a draft stays when a second request finds the session ended after the form has left", () => {
  const leave = registerDraftSource("driver", () => ({ firstName: "Ewa" }))
  saveDrafts("anna@acme.test")
  leave()
  saveDrafts("anna@acme.test")
  expect(findDraft("driver", "anna@acme.test")).toEqual({ firstName: "Ewa" })
  expect(findDraft("driver", "bartek@acme.test")).toBeUndefined()
  deleteDraft("driver")
})
