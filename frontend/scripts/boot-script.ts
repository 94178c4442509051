/** The inline script of the page that serves every path without a page of its own. */

import { earlyRequests } from "../src/lib/early-responses.ts"
import { detectLanguageScript, type Language } from "../src/lib/language.ts"
import { applyThemeScript } from "../src/lib/theme.ts"

type Route = {
  parentId?: string
  path?: string
  index?: boolean
  module: string
  imports?: string[]
  clientLoaderModule?: string
}

/** The part of React Router's manifest that is used here. */
export type RouteManifest = { routes: Record<string, Route> }

/**
 * Starts what the application's own scripts would start after they have loaded: it draws the frame
 * of the screen (src/app/page-frame.tsx), loads the scripts of the route, and sends the requests
 * of the screen. `loaded` are the scripts that the page names itself, `catalogues` those with the
 * texts in each language.
 */
export function bootScript(
  manifest: RouteManifest,
  loaded: readonly string[],
  catalogues: Record<Language, string>,
): string {
  const files: string[] = []
  const indexOf = (file: string) => {
    if (!files.includes(file)) files.push(file)
    return files.indexOf(file)
  }
  const scripts = Object.fromEntries(
    sessionPaths(manifest).map(([path, id]) => [
      path,
      scriptsOfRoute(manifest, id)
        .filter((file) => !loaded.includes(file))
        .map(indexOf),
    ]),
  )
  const data = JSON.stringify({ files, scripts, catalogues, requests: earlyRequests.byPath })
  return `(({files,scripts,catalogues,requests})=>{
${applyThemeScript}
const path=location.pathname.replace(/\\/+$/,"")||"/",early=window.earlyResponses={}
const route=path.replace(/^(\\/panel\\/drivers)\\/[^/]+$/,"$1/:driverId")
const frame=path==="/"||path==="/en"?"panel":/^\\/(auth|panel)(?=\\/|$)/.exec(path)?.[1]
if(frame)document.documentElement.dataset.frame=frame
const request=url=>{early[url]=fetch(url,{credentials:"same-origin"});early[url].catch(()=>{});return early[url]}
request(${JSON.stringify(earlyRequests.user)}).then(async answer=>{if(answer.ok&&(await answer.clone().json()).emailVerified)requests[route]?.forEach(request)}).catch(()=>{})
${detectLanguageScript}
for(const file of [...(scripts[route]??scripts["*"]).map(index=>files[index]),catalogues[language]]){const link=document.createElement("link");link.rel="modulepreload";link.href=file;document.head.append(link)}
})(${data})`
}

/** The paths under the session's layout, with their routes; `*` is every other path. */
export function sessionPaths({ routes }: RouteManifest): [path: string, id: string][] {
  return Object.entries(routes).flatMap(([id, route]): [string, string][] => {
    const ids = ancestry(routes, id)
    if ((!route.index && route.path === undefined) || !ids.includes("session-layout")) return []
    const path = ids.flatMap((one) => routes[one]?.path || []).join("/")
    return [[path === "*" ? path : `/${path}`, id]]
  })
}

function ancestry(routes: RouteManifest["routes"], id: string): string[] {
  const parent = routes[id]?.parentId
  return parent ? [...ancestry(routes, parent), id] : [id]
}

function scriptsOfRoute({ routes }: RouteManifest, id: string): string[] {
  const needed = ancestry(routes, id).flatMap((one) => {
    const route = routes[one]
    return [route?.module, route?.clientLoaderModule, ...(route?.imports ?? [])]
  })
  return [...new Set(needed)].filter((file) => file !== undefined)
}
