/** The use cases over stores in memory, for tests of what HTTP adds to them. */
import { randomUUID } from 'node:crypto'
import {
  controlledClock,
  memoryBlobStore,
  memoryDocumentStore,
  simpleOneTimeCodes,
  simplePasskeys,
  simplePasswordStrength,
  type RecordingLog,
} from '@publishing-service/adapter-memory'
import { sha256Checksum } from '@publishing-service/adapter-system'
import { collections, createUseCases, principalWith, type UseCases } from '@publishing-service/application'
import { E, TE } from '@publishing-service/domain/fp'
import { defaultImageLimits } from '@publishing-service/domain/images'
import { defaultFacts } from '@publishing-service/http-contract'
import { noMetrics, type DocumentStore, type RequestScopes } from '@publishing-service/ports'
import type { HttpOptions } from '../http-options.js'

export const clock = controlledClock(Date.parse('2026-03-01T12:00:00Z'))

export const options: HttpOptions = {
  ...defaultFacts,
  trustProxy: false,
  bareLinks: false,
  corsOrigins: [],
  jsonSeconds: 10,
  connectionsPerAddress: 0,
  compression: true,
  responseCacheBytes: 1_000_000,
  unsentBytes: 2_000_000,
  slowRequest: 0,
}

/** Instance 1, on which the token `admin` is an admin’s. */
export const createService = async (
  log: RecordingLog,
  documents: DocumentStore = memoryDocumentStore(collections),
  requestScopes: RequestScopes | null = null,
): Promise<UseCases> => {
  const useCases = createUseCases(
    {
      documents,
      blobs: memoryBlobStore(),
      imaging: {
        version: 'none',
        formats: [],
        makes: [],
        cmyk: false,
        parallel: 1,
        readHeader: () => ({ push: () => undefined, isDone: () => true, end: () => E.left('is not read') }),
        scale: () => TE.left({ _tag: 'ImageUnreadable', reason: 'it is not scaled' }),
        summarise: () => TE.left({ _tag: 'ImageUnreadable', reason: 'it is not scaled' }),
        close: async () => undefined,
      },
      clock,
      ids: { uuid: randomUUID, secret: randomUUID, name: randomUUID },
      secrets: {
        hash: TE.right,
        verify: (secret, hash) => TE.right(secret === hash),
        check: () => TE.right(undefined),
        digest: (text) => text,
      },
      checksum: sha256Checksum,
      webhookSender: {
        newSecret: randomUUID,
        refusal: async () => null,
        send: async () => null,
        close: async () => undefined,
      },
      passkeys: simplePasskeys(),
      oneTimeCodes: simpleOneTimeCodes,
      passwordStrength: simplePasswordStrength,
      mailSender: null,
      identityProvider: null,
      log,
      metrics: noMetrics,
      requestScopes,
      traces: null,
    },
    {
      streamingHosts: defaultFacts.streamingHosts,
      uploadLimits: defaultFacts.uploadLimits,
      imageLimits: defaultImageLimits,
      orphanQuarantine: 1000,
      trashTime: 1000,
      auditTime: 1000,
      retainedVersions: 1,
      replacedDataTime: 0,
      secondFactor: 'optional',
      provider: null,
    },
  )
  const created = await useCases.administerInstances.create({ title: 'The Daily Test', timezone: 'UTC' })()
  if (E.isLeft(created)) throw new Error(created.left._tag)
  return {
    ...useCases,
    principals: (token) =>
      token === 'admin'
        ? TE.right(
            principalWith(
              { id: randomUUID(), user: 'ada', key: 'key' },
              { operator: false, roles: [{ instance: 1, roles: ['admin'] }] },
            ),
          )
        : TE.left({ _tag: 'InvalidToken' }),
  }
}
