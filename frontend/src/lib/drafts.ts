/**
 * The texts that a user had typed when the session ended, until the same user signs in again. They
 * are in memory only, so that another user of this browser cannot read them.
 */

type Drafts = { owner: string; values: Map<string, unknown> }

const sources = new Map<string, () => unknown>()
let drafts: Drafts | null = null

/** Registers what `saveDrafts` reads; `undefined` means nothing was typed. Returns the undo. */
export function registerDraftSource(key: string, read: () => unknown): () => void {
  sources.set(key, read)
  return () => {
    if (sources.get(key) === read) sources.delete(key)
  }
}

/**
 * Saves the values of the mounted forms; `owner` is the user's e-mail address. Several requests may
 * find the session ended: what the first one has saved stays when its form has left the screen.
 */
export function saveDrafts(owner: string): void {
  const values = [...sources].map(([key, read]) => [key, read()] as const)
  const earlier = drafts?.owner === owner ? drafts.values : []
  const typed = values.filter(([, value]) => value !== undefined)
  drafts = { owner, values: new Map([...earlier, ...typed]) }
}

/** The saved value; another user's drafts are deleted. */
export function findDraft<Value>(key: string, user: string | undefined): Value | undefined {
  if (drafts && user !== undefined && drafts.owner !== user) drafts = null
  return user === undefined ? undefined : (drafts?.values.get(key) as Value | undefined)
}

export function deleteDraft(key: string): void {
  drafts?.values.delete(key)
}
