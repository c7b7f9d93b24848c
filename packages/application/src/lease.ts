import { t, E } from '@publishing-service/domain/fp'
import type { Clock } from '@publishing-service/ports'
import { systemCollections } from './collections.js'
import { decodeStored } from './decode-stored.js'
import type { InstanceDocuments } from './instance-store.js'

const { webhookWork } = systemCollections

/** What one process does for all: the id of the document that this process writes. `lease` is that of web hooks, as earlier releases have stored it. */
export type Work = 'lease' | 'imports' | 'exports'

/** Milliseconds after which a process that does not renew the lease has lost it. */
export const leaseTime = 9000

/** `turn` differs in each renewal. */
const StoredLease = t.readonly(
  t.type({ owner: t.union([t.string, t.null]), turn: t.number }),
  webhookWork.name,
)

/**
 * Makes one process do a work, of all those on a store. A process takes the lease over if it has seen it unchanged for its
 * time. That is measured by the elapsed time of this process: clocks of different machines are not compared.
 */
export const createLease = (
  documents: Pick<InstanceDocuments, 'get' | 'insert' | 'replace'>,
  { monotonic }: Pick<Clock, 'monotonic'>,
  newOwner: () => string,
  work: Work,
) => {
  let owner: string | null = null
  let renewed: number | null = null
  let seen: { readonly version: number; readonly since: number } | null = null

  const isHeld = (): boolean => renewed !== null && monotonic() - renewed < leaseTime

  /** Writes the lease; `version` is null if there is none. */
  const write = async (version: number | null, turn: number, holder: string | null): Promise<boolean> => {
    const document = { id: work, unique: null, value: { owner: holder, turn } }
    return E.isRight(
      version === null
        ? await documents.insert(webhookWork.name, document)
        : await documents.replace(webhookWork.name, { ...document, version }),
    )
  }

  /** Takes or renews the lease, if no other process holds it. */
  const hold = async (): Promise<boolean> => {
    owner ??= newOwner()
    const now = monotonic()
    if (renewed !== null && now - renewed < leaseTime / 3) return true
    const found = await documents.get(webhookWork.name, work)
    if (found === null) {
      renewed = (await write(null, 1, owner)) ? now : null
      return renewed !== null
    }
    const { version } = found
    const { owner: holder, turn } = decodeStored(StoredLease, found)
    if (seen === null || seen.version !== version) seen = { version, since: now }
    const isFree = holder === null || holder === owner || now - seen.since >= leaseTime
    renewed = isFree && (await write(version, turn + 1, owner)) ? now : null
    return renewed !== null
  }

  /** Lets another process take it at once. */
  const release = async (): Promise<void> => {
    if (!isHeld()) return
    renewed = null
    const found = await documents.get(webhookWork.name, work)
    if (found === null) return
    const { owner: holder, turn } = decodeStored(StoredLease, found)
    if (holder === owner) await write(found.version, turn + 1, null)
  }

  return { hold, isHeld, release }
}
