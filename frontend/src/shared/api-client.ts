/** Sets the generated client up: the session's cookie, the reader's language, one kind of error. */

import { client } from "~/api/client.gen"
import { Refusal } from "~/shared/refusal"

let language = "pl"

export function speakToServerIn(chosen: string): void {
  language = chosen
}

client.setConfig({ credentials: "same-origin" })

client.interceptors.request.use((request) => {
  request.headers.set("Accept-Language", language)
  return request
})

client.interceptors.error.use((body, response) => new Refusal(body, response))
