/** ra-data-simple-rest, and the console's calls that are no list, update or delete. */

import simpleRestProvider from "ra-data-simple-rest"
import { type DataProvider, fetchUtils, HttpError, type Identifier } from "react-admin"
import {
  changeSession,
  isForbidden,
  pageAccount,
  type Refusal,
  sessionChange,
} from "./authProvider.ts"
import { currentLocale } from "./i18nProvider.ts"

const API = "/api/admin"

type Options = fetchUtils.Options
type Body = Record<string, unknown>
export type DownloadedFile = { name: string; content: Blob }

const callHeaders = (headers?: Options["headers"]) => {
  const all = new Headers(headers)
  all.set("Accept-Language", currentLocale())
  const account = pageAccount()
  if (account) all.set("Prawko-Account", encodeURIComponent(account))
  if (!all.has("Accept")) all.set("Accept", "application/json")
  return all
}

const send = async (url: string, options: Options = {}) => {
  try {
    return await fetchUtils.fetchJson(url, { ...options, headers: callHeaders(options.headers) })
  } catch (error) {
    if (error instanceof HttpError && error.body?.fields) {
      error.body.errors = error.body.fields // where react-admin's forms look for them
    }
    throw error
  }
}

const httpClient: typeof send = async (url, options) => {
  try {
    return await send(url, options)
  } catch (error) {
    if (isForbidden(error as Refusal)) await sessionChange()
    throw error
  }
}

const base = simpleRestProvider(API, httpClient)

/** The same provider, whose DELETE calls carry a reason. */
const withReason = (reason: string) =>
  simpleRestProvider(API, (url, options) =>
    httpClient(url, {
      ...options,
      headers: new Headers({ "Content-Type": "application/json" }),
      body: JSON.stringify({ reason }),
    }),
  )

const post = (path: string, body: Body) =>
  httpClient(`${API}/${path}`, { method: "POST", body: JSON.stringify(body) })

const actPath = (resource: string, id: Identifier | null, act: string) =>
  id === null ? `${resource}/${act}` : `${resource}/${encodeURIComponent(id)}/${act}`

export const dataProvider = {
  ...base,

  delete: (resource, params) =>
    (params.meta?.reason ? withReason(params.meta.reason) : base).delete(resource, params),
  deleteMany: (resource, params) =>
    (params.meta?.reason ? withReason(params.meta.reason) : base).deleteMany(resource, params),

  /** Reads an object that is no resource, such as the stats. */
  read: async <Content>(path: string, signal?: AbortSignal): Promise<Content> =>
    (await httpClient(`${API}/${path}`, { signal })).json,

  /** Does something with a record, or (without an id) with the resource. */
  act: async <Answer = unknown>(
    resource: string,
    id: Identifier | null,
    act: string,
    body: Body,
  ): Promise<Answer> => (await post(actPath(resource, id, act), body)).json,

  /** An act that answers with a file. */
  download: async (
    resource: string,
    id: Identifier,
    act: string,
    body: Body,
  ): Promise<DownloadedFile> => {
    const url = `${API}/${actPath(resource, id, act)}`
    const headers = callHeaders({ "Content-Type": "application/json" })
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    if (!response.ok) {
      const answer = await response.json().catch(() => null)
      throw new HttpError(answer?.message ?? response.statusText, response.status, answer)
    }
    const disposition = response.headers.get("Content-Disposition") ?? ""
    const name = /filename="?([^";]+)/.exec(disposition)?.[1] ?? `${resource}-${id}`
    return { name, content: await response.blob() }
  },

  impersonate: async (id: Identifier, body: Body) => {
    const path = `${API}/impersonate/${encodeURIComponent(id)}`
    const options = { method: "POST", body: JSON.stringify(body) }
    return (await changeSession(() => send(path, options))).json
  },
} satisfies DataProvider & Record<string, unknown>

export type ConsoleDataProvider = typeof dataProvider
