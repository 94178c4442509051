/**
 * Puts the modules of the application into a few chunks.
 *
 * Left to itself the bundler makes a chunk for every set of routes that share a module: some 70 of
 * them, and a browser on HTTP/1.1 fetches six at a time. One chunk for all would burden the
 * landing page with the panel.
 */

type ModuleInfo = { importedIds: readonly string[]; code: string | null }
type ModuleGraph = { getModuleInfo(id: string): ModuleInfo | null }
type ChunkGroup = {
  debugName: string
  name: (id: string, graph: ModuleGraph) => string | null
  priority: number
}

const publicEntries = ["app/landing-entry.tsx", "app/legal-entry.tsx"]
const accountScreens = [
  "app/session-layout",
  "app/visitor-layout",
  "features/sign-in/login",
  "features/sign-in/register",
  "features/sign-in/forgot-password",
  "features/sign-in/reset-password",
  "features/sign-in/verify-email",
]
const panelScreens = [
  "app/session-layout",
  "app/panel-layout",
  "routes/overview",
  "routes/driver-list",
]

/** The groups for the sources in the folder `src`. Other screens keep chunks of their own. */
export function chunkGroups(src: string): ChunkGroup[] {
  const reach = (modules: string[]) => {
    let reached: Set<string> | undefined
    return (id: string, graph: ModuleGraph) => {
      reached ??= reachableFrom(
        modules.map((module) => `${src}/${module}`),
        graph,
      )
      return reached.has(id)
    }
  }
  const isPublic = reach(publicEntries)
  const isAccount = reach(accountScreens.map(routeModule))
  const isPanel = reach(panelScreens.map(routeModule))

  const group = (
    name: string,
    priority: number,
    contains: (id: string, graph: ModuleGraph) => boolean,
  ): ChunkGroup => ({
    debugName: name,
    name: (id, graph) => (contains(id, graph) ? name : null),
    priority,
  })

  // A group also takes what its modules import, unless a group of higher priority has it.
  return [
    group("shared", 3, (id, of) => isPublic(id, of) && (isAccount(id, of) || isPanel(id, of))),
    group("session", 2, (id, of) => !isPublic(id, of) && isAccount(id, of) && isPanel(id, of)),
    group("account-screens", 1, (id, of) => !isPublic(id, of) && isAccount(id, of)),
    group("panel", 1, (id, of) => !isPublic(id, of) && isPanel(id, of)),
  ]
}

/** A screen as the router's build imports it. */
const routeModule = (screen: string) => `${screen}.tsx?__react-router-build-client-route`

function reachableFrom(ids: string[], graph: ModuleGraph): Set<string> {
  const reached = new Set<string>()
  const pending = [...ids]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
    for (const imported of importedIds) {
      if (!allIcons.test(imported)) pending.push(imported)
      else
        pending.push(...importedIcons(code ?? "").map((icon) => imported.replace(allIcons, icon)))
    }
  }
  return reached
}

/** The module that has every icon: of what it imports, a module reaches only the icons it names. */
const allIcons = /lucide-react\.m?js$/

/** The paths of the icons that the source imports, beside that module. */
function importedIcons(code: string): string[] {
  const [, names = ""] = code.match(/import\s*\{([^}]*)\}\s*from\s*["'][^"']*lucide-react/) ?? []
  return names
    .split(",")
    .map((name) => name.trim().split(/\s+as\s+/)[0] ?? "")
    .filter((name) => /^[A-Z]/.test(name) && name !== "LucideIcon")
    .map((name) => `icons/${name.replace(/(?<=[a-z])(?=[A-Z\d])/g, "-").toLowerCase()}.mjs`)
}
