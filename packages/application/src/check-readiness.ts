import { E } from '@publishing-service/domain/fp'
import { systemCollections, systemInstance } from './collections.js'
import type { Failure, Outcome } from './failure.js'
import type { Ports } from './ports.js'

/** An error that an operator has to resolve although requests are served. */
export type ReadinessError = {
  /** The affected part: `document store`, `blob store`. */
  readonly part: string
  /** Readable without authentication, so without internal details. */
  readonly text: string
}

export type Readiness = { readonly errors: readonly ReadinessError[] }

/** Checks of what requests need, by name. The service is ready if all succeed. */
export type ReadinessChecks = Readonly<Record<string, () => Outcome<unknown>>>

/** Checks of the stores, and of sign-in: a key is read, a secret is hashed. */
export const requestChecks = ({
  documents,
  blobs,
  secrets,
}: Pick<Ports, 'documents' | 'blobs' | 'secrets'>): ReadinessChecks => ({
  documents: () => documents.check(),
  keys: () => documents.get(systemCollections.keys.name, systemInstance, 'readiness'),
  secrets: () => secrets.check(),
  blobs: () => blobs.check(),
})

/** Sources of errors that do not prevent requests from being served. */
export type ReadinessReports = readonly (() => Outcome<readonly ReadinessError[]>)[]

/**
 * A part that is full fails its check, but reads still work. Uploads need both stores, and sign-in and deletions space
 * that the document store has reserved.
 */
const fullStorage = (name: string, failure: Failure): ReadinessError | null => {
  if (failure._tag !== 'PortFailure' || failure.storageFull !== true) return null
  const { part, removalsWork } = failure
  if (name === 'blobs') return { part, text: 'It is full. Uploads return 507 until space is free.' }
  const rest =
    removalsWork === true
      ? 'reads, sign-in and deletions work'
      : 'sign-in and deletions may as well; reads work'
  return { part, text: `It is full. Writes return 507 until space is free; ${rest}.` }
}

/**
 * Succeeds if everything that requests need works, with the other errors. The failure names the part that does not
 * work.
 */
export const checkReadiness =
  (checks: ReadinessChecks, reports: ReadinessReports) => (): Outcome<Readiness> => async () => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check()()] as const),
    )
    const errors: ReadinessError[] = []
    for (const [name, result] of results) {
      if (E.isRight(result)) continue
      const full = fullStorage(name, result.left)
      if (full === null) return result
      errors.push(full)
    }
    for (const report of reports) {
      const found = await report()()
      if (E.isLeft(found)) return found
      errors.push(...found.right)
    }
    return E.right({ errors })
  }
