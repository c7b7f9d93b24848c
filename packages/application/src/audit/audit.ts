import { auditDays, E, utcTime, type Json, type JsonObject } from '@publishing-service/domain'
import { systemCollections, systemInstance } from '../collections.js'
import type { Outcome } from '../failure.js'
import type { Ports } from '../ports.js'

/** Who has changed something, and from where. */
export type AuditSource = {
  /** UUID of the API user; null for a command of the command line. */
  readonly user: string | null
  readonly name: string
  readonly apiKey: string | null
  readonly address: string | null
  /** The request id of the service. */
  readonly request: string
  /** The request id that the client chose. */
  readonly clientRequest?: string | null
}

/** One change of a run. */
export type AuditChange = {
  /** The instance that it belongs to; null for a change of the deployment. */
  readonly instance: number | null
  readonly operation: string
  readonly collection: string
  readonly object: string | null
  readonly changes?: JsonObject
  /** Part of a deletion or revocation, which works on a full disk. */
  readonly urgent?: true
}

const { audit } = systemCollections
const batchSize = 200
const dayMilliseconds = 86_400_000

/** The audit log (docs/behaviour/administration.md#audit-log). */
export const createAudit = ({ documents, clock, ids }: Pick<Ports, 'documents' | 'clock' | 'ids'>) => ({
  /** Adds an entry for each change. */
  record:
    (source: AuditSource, changes: readonly AuditChange[]): Outcome<void> =>
    async () => {
      const created = utcTime(clock.now())
      const results = await Promise.all(
        changes.map(({ instance, operation, collection, object, changes: details, urgent }) => {
          const value: Readonly<Record<string, Json>> = {
            created,
            instance,
            operation,
            collection,
            object,
            user: source.user,
            name: source.name,
            api_key: source.apiKey,
            address: source.address,
            request: source.request,
            client_request: source.clientRequest ?? null,
            changes: details ?? null,
          }
          const document = { id: ids.uuid(), unique: null, value }
          return documents.insert(
            audit.name,
            systemInstance,
            urgent === undefined ? document : { ...document, urgent },
          )()
        }),
      )
      for (const result of results)
        if (E.isLeft(result)) {
          if (result.left._tag === 'PortFailure') return E.left(result.left)
          throw new Error(`an audit entry was rejected: ${result.left._tag}`)
        }
      return E.right(undefined)
    },

  /** Removes entries that are older than the limit and returns their number. Throws a PortFailure. */
  expire: async (): Promise<number> => {
    const before = utcTime(clock.now() - auditDays * dayMilliseconds)
    let removed = 0
    for (;;) {
      const found = await documents.find(audit.name, systemInstance, {
        where: [{ key: 'created', below: before }],
        order: [{ key: 'created', direction: 'asc' }],
        skip: 0,
        limit: batchSize,
        detail: 'light',
      })()
      if (E.isLeft(found)) throw found.left
      for (const { id, version } of found.right.documents) {
        const result = await documents.remove(audit.name, systemInstance, id, version)()
        // Another process may have removed it first.
        if (E.isLeft(result) && result.left._tag === 'PortFailure') throw result.left
        removed += 1
      }
      if (found.right.next === null) return removed
    }
  },
})

export type Audit = ReturnType<typeof createAudit>
