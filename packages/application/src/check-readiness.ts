import { E } from '@publishing-service/domain'
import { systemCollections, systemInstance } from './collections.js'
import type { Failure, Outcome } from './failure.js'
import type { Ports } from './ports.js'

/** Something that an operator has to act on although requests are served. */
export type ReadinessError = {
  /** The part that it is about: `document store`, `blob store`. */
  readonly part: string
  /** In plain words, without anything internal: anybody can read it. */
  readonly text: string
}

export type Readiness = { readonly errors: readonly ReadinessError[] }

/** What requests need, by name: without any of them the service is not ready. */
export type ReadinessChecks = Readonly<Record<string, () => Outcome<unknown>>>

/** Stores, and what sign-in needs: a key is read, a secret hashed. */
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

/** What is wrong although requests are served. */
export type ReadinessReports = readonly (() => Outcome<readonly ReadinessError[]>)[]

/** A part without room fails its check, but reads, sign-in and deletions go on. */
const fullStorage = (failure: Failure): ReadinessError | null =>
  failure._tag === 'PortFailure' && failure.storageFull === true
    ? {
        part: failure.part,
        text: 'It is full. Writes are answered 507 until there is room; reads, sign-in and deletions work.',
      }
    : null

/** Succeeds when all that requests need works, with what is wrong besides; the failure names the part that doesn't work. */
export const checkReadiness =
  (checks: ReadinessChecks, reports: ReadinessReports) => (): Outcome<Readiness> => async () => {
    const results = await Promise.all(Object.values(checks).map((check) => check()()))
    const errors: ReadinessError[] = []
    for (const result of results) {
      if (E.isRight(result)) continue
      const full = fullStorage(result.left)
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
