/** Sets the generated client up: the session's cookie, the reader's language, one kind of error. */

import { client } from "~/api/client.gen"
import type { Language } from "~/shared/language"
import { Refusal } from "~/shared/refusal"

let screen: Language = "pl"
let account: Language | null = null

/** The language of the screen: what we ask for. */
export function speakToServerIn(chosen: Language): void {
  screen = chosen
}

/** The account's language, which the server answers in whatever we ask for; none for a visitor. */
export function writtenToIn(language: Language | null): void {
  account = language
}

client.setConfig({ credentials: "same-origin" })

client.interceptors.request.use((request) => {
  request.headers.set("Accept-Language", screen)
  return request
})

client.interceptors.error.use((body, response) => new Refusal(body, response, account ?? screen))
