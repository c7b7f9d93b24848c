/**
 * A reader of the feed of changes that reads on from its place while services are killed, and what it must have read: each
 * change of an object once, in sequence.
 */
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import type { Api } from '../harness/http-client.js'
import { fresh } from './family.js'

/** The objects, by collection, that exist. */
type Existing = Readonly<Record<string, readonly string[]>>

/** Milliseconds until a change is in the feed: on some stores it is not there at once. */
const patience = 60_000

const insertions: ReadonlySet<Json> = new Set(['created', 'published'])

export const createFeedReader = () => {
  let since: string | null = null
  /** What was read of each object. */
  const read = new Map<string, { readonly type: string; readonly kinds: Json[] }>()

  /** Reads one page; whether it had items. */
  const readPage = async (api: Api): Promise<boolean> => {
    const { object, status } = await api.get(`/changes?since=${since ?? 'now'}`, fresh)
    const { items = [], next } = object
    if (status !== 200 || typeof next !== 'string' || !Array.isArray(items)) return false
    since = next
    for (const item of items)
      if (isJsonObject(item)) {
        const { uuid, type, kind = null } = item
        const known = read.get(String(uuid)) ?? { type: String(type), kinds: [] }
        known.kinds.push(kind)
        read.set(String(uuid), known)
      }
    return items.length > 0
  }

  /** What differs between what was read and the objects that exist. */
  const findDifferences = async (api: Api, existing: Existing): Promise<readonly string[]> => {
    const findings: string[] = []
    for (const [uuid, { type, kinds }] of read) {
      const exists = existing[type]?.includes(uuid)
      if (exists === undefined) continue
      const what = `${type} ${uuid} in the feed of changes:`
      if (exists === (kinds.at(-1) === 'removed')) findings.push(`${what} ${kinds.join(', ')}`)
      const [first = null] = kinds
      // The service itself writes no tags, so that each version of one has a change.
      if (type !== 'tags' || !exists || !insertions.has(first)) continue
      const { items } = (await api.get(`/tags/${uuid}/versions`, fresh)).object
      const [version] = Array.isArray(items) ? items : []
      const number = isJsonObject(version) ? Number(version['version']) : 0
      const changes = kinds.slice(kinds.lastIndexOf('removed') + 1)
      if (!kinds.includes('removed') && changes.length !== number)
        findings.push(`${what} ${changes.length} changes of ${number}`)
    }
    return findings
  }

  return {
    /** Reads on until there is nothing more at present. */
    readOn: async (api: Api): Promise<void> => {
      while (await readPage(api));
    },
    /** Reads on, and compares what was read with the objects that exist. */
    compare: async (api: Api, existing: Existing): Promise<readonly string[]> => {
      if (since === null) {
        await readPage(api)
        return []
      }
      const end = performance.now() + patience
      for (;;) {
        while (await readPage(api));
        const findings = await findDifferences(api, existing)
        if (findings.length === 0 || performance.now() > end) return findings
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}
