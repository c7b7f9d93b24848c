/** Which of several processes makes the next backup: the one whose claim is stored. It ends unless it is renewed. */
import { E, t } from '@publishing-service/domain/fp'
import { utcTime } from '@publishing-service/domain/time'
import type { Clock, DocumentStore } from '@publishing-service/ports'
import { attempt, orThrow } from '../attempt.js'
import type { ReadinessError } from '../check-readiness.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { Outcome } from '../failure.js'

const { name: collection } = systemCollections.identity
const id = 'backup'

const Claim = t.readonly(
  t.intersection([
    t.type({ by: t.string, until: t.number }),
    // Earlier releases have not stored it.
    t.partial({ failedSince: t.union([t.number, t.null]) }),
  ]),
  'claim of a backup',
)

export type ClaimRequest = {
  /** The process. */
  readonly by: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** How long the claim lasts, in milliseconds. */
  readonly duration: number
  /** How the attempt of this process has ended; null while it has not. */
  readonly outcome: 'made' | 'failed' | null
}

/** Since when attempts have failed, after an outcome. */
const failedSinceAfter = (
  before: number | null,
  { now, outcome }: Pick<ClaimRequest, 'now' | 'outcome'>,
): number | null => (outcome === 'failed' ? (before ?? now) : outcome === 'made' ? null : before)

/** Whether this process has the claim then. The copies of a store do not have it. Throws a PortFailure. */
export const claimBackup = async (
  { get, write }: Pick<DocumentStore, 'get' | 'write'>,
  request: ClaimRequest,
): Promise<boolean> => {
  const { by, now, duration } = request
  const found = await orThrow(get(collection, systemInstance, id))
  const claim = found === null ? null : decodeStored(Claim, found)
  if (claim !== null && claim.by !== by && claim.until > now) return false
  const failedSince = failedSinceAfter(claim?.failedSince ?? null, request)
  const document = { id, unique: null, value: { by, until: now + duration, failedSince } }
  const written = await write(
    systemInstance,
    [
      found === null
        ? { collection, kind: 'insert', document: { ...document, position: now } }
        : { collection, kind: 'replace', document: { ...document, version: found.version } },
    ],
    [],
  )()
  if (E.isLeft(written) && written.left._tag === 'PortFailure') throw written.left
  return E.isRight(written)
}

/** A service that makes no backups any more has not tried for so long, in milliseconds. */
const lastAttempt = 86_400_000

/** That backups fail, if the service tries to make some. */
export const backupErrors =
  (
    { get }: Pick<DocumentStore, 'get'>,
    { now }: Pick<Clock, 'now'>,
  ): (() => Outcome<readonly ReadinessError[]>) =>
  () =>
  () =>
    attempt(async () => {
      const found = await orThrow(get(collection, systemInstance, id))
      const claim = found === null ? null : decodeStored(Claim, found)
      const failedSince = claim?.failedSince ?? null
      if (claim === null || failedSince === null || now() - claim.until > lastAttempt) return []
      const text = `No backup could be made since ${utcTime(failedSince)}. The log says why.`
      return [{ part: 'backups', text }]
    })
