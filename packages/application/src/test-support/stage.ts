/** The use cases over stores in memory, a clock that a test moves, and ports that a test controls. */
import {
  controlledClock,
  memoryBlobStore,
  memoryDocumentStore,
  recordingLog,
  simpleOneTimeCodes,
  simplePasskeys,
  simplePasswordStrength,
  type ControlledClock,
  type RecordingLog,
} from '@publishing-service/adapter-memory'
import { sha256Checksum } from '@publishing-service/adapter-system'
import type { Problem, ProblemTag, Resource, Role } from '@publishing-service/domain'
import { E, pipe, TE, type TaskEither } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { defaultRetainedVersions } from '@publishing-service/domain/changes'
import { defaultStreamingHosts } from '@publishing-service/domain/declare'
import { defaultUploadLimits } from '@publishing-service/domain/files'
import { defaultImageLimits } from '@publishing-service/domain/images'
import {
  noMetrics,
  type Document,
  type DocumentStore,
  type Ids,
  type PortFailure,
  type Secrets,
} from '@publishing-service/ports'
import { principalWith } from '../access/principals.js'
import { attempt } from '../attempt.js'
import { collections, systemInstance } from '../collections.js'
import type { InstanceRequest } from '../operation-request.js'
import type { AnyFailure, Outcome } from '../failure.js'
import { createObject, replaceObject } from '../engine/write.js'
import type { Operation } from '../operation.js'
import type { Deployment, Ports, ProvidedPorts } from '../ports.js'
import { createUseCases, type UseCases } from '../use-cases.js'
import { executeIn, executeOnDeploymentIn, type Execute, type ExecuteOnDeployment } from './execute.js'
import { withChanges } from './memory-documents.js'
import { recordingSender } from './recording-sender.js'
import { pictureImaging, type PictureImaging } from './picture-imaging.js'

/** Runs an operation with an input, without the dependencies of its result. */
type Run = <Input, Output>(
  operation: Operation<Input, Output>,
  request: InstanceRequest,
  input: Input,
) => Outcome<Output>

/** The use cases of one process of the service. */
export type Process = UseCases & {
  readonly run: Run
  readonly execute: Execute
  readonly executeOnDeployment: ExecuteOnDeployment
}

export type Stage = Ports & {
  readonly clock: ControlledClock
  readonly log: RecordingLog
  readonly imaging: PictureImaging
  readonly useCases: Process
  readonly run: Run
  /** Another process over the same stores. */
  readonly anotherProcess: (replaced?: Partial<ProvidedPorts>) => Process
  /** A request of a user who has the role on the instance. */
  readonly as: (role: Role, instance?: number) => InstanceRequest
  /** Creates an object and returns its id. */
  readonly create: (resource: Resource, input: JsonObject, id?: string) => Promise<string>
}

export const start = Date.parse('2026-03-01T12:00:00Z')

const countingIds = (): Ids => {
  let count = 0
  const next = (): string => String((count += 1)).padStart(12, '0')
  return {
    uuid: () => `00000000-0000-4000-8000-${next()}`,
    secret: () => `secret-${next()}`,
    name: () => `name-${next()}`,
  }
}

/** Hashes in clear text, without any delay. */
export const openSecrets: Secrets = {
  hash: (secret) => async () => E.right(`hash of ${secret}`),
  verify: (secret, hash) => async () => E.right(hash === `hash of ${secret}`),
  check: () => async () => E.right(undefined),
  digest: (text) => `digest of ${text}`,
}

export const deployment: Deployment = {
  streamingHosts: defaultStreamingHosts,
  uploadLimits: { ...defaultUploadLimits, application: 1000 },
  imageLimits: { ...defaultImageLimits, pixels: 1_000_000, derivatives: 3, queue: 2 },
  orphanQuarantine: 7 * 86_400_000,
  trashTime: 30 * 86_400_000,
  auditTime: 400 * 86_400_000,
  retainedVersions: defaultRetainedVersions,
  replacedDataTime: 30 * 86_400_000,
  provider: null,
  secondFactor: 'optional',
}

export const processOver = (ports: ProvidedPorts, facts: Deployment = deployment): Process => {
  const useCases = createUseCases(ports, facts)
  const execute = executeIn(useCases.sessions)
  const run: Run = (operation, request, input) =>
    pipe(
      execute(operation, request, TE.right(input)),
      TE.map(({ output }) => output),
    )
  return { ...useCases, run, execute, executeOnDeployment: executeOnDeploymentIn(useCases.sessions) }
}

const base = 'https://api.example.org'

export const right = async <A>(outcome: TaskEither<unknown, A>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(`refused: ${JSON.stringify(result.left)}`)
  return result.right
}

/** All documents of a collection, by default one of the service itself. */
export const storedIn = async (
  documents: Pick<DocumentStore, 'find'>,
  collection: string,
  instance = systemInstance,
): Promise<readonly Document[]> => {
  const query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' } as const
  return (await right(documents.find(collection, instance, query))).documents
}

export const left = async (outcome: Outcome<unknown, ProblemTag>): Promise<AnyFailure> => {
  const result = await outcome()
  if (E.isRight(result)) throw new Error(`done: ${JSON.stringify(result.right)}`)
  return result.left
}

/** The failure that a promise throws. */
export const thrownBy = (steps: () => Promise<unknown>): Promise<AnyFailure> =>
  left(() => attempt<unknown, ProblemTag>(steps))

/** The messages of BadParameters by path. */
export const faultsOf = async (
  outcome: Outcome<unknown, ProblemTag>,
): Promise<Readonly<Record<string, string>>> => {
  const failure = await left(outcome)
  if (failure._tag !== 'BadParameters') throw new Error(`no bad parameters: ${JSON.stringify(failure)}`)
  return Object.fromEntries(failure.faults.map(({ path, message }) => [path, message]))
}

export const unavailable: PortFailure = { _tag: 'PortFailure', part: 'a store', reason: 'it is out of reach' }
export const forbidden: Problem = { _tag: 'Forbidden', reason: 'role' }

/** An article’s required attributes, and more. */
export const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
  content_type: 'article',
  title: 'An article',
  urlname,
  ...more,
})

export const aSection = (urlname: string, parent: Json = null): JsonObject => ({
  title: 'A section',
  urlname,
  parent_uuid: parent,
})

/** Instance 1 in Vienna, without objects. */
export const createStage = async (replaced: Partial<ProvidedPorts> = {}): Promise<Stage> => {
  const clock = controlledClock(start)
  const log = recordingLog('info')
  const imaging = pictureImaging()
  const ports: Ports = {
    blobs: memoryBlobStore(),
    ids: countingIds(),
    secrets: openSecrets,
    checksum: sha256Checksum,
    webhookSender: recordingSender(),
    passkeys: simplePasskeys(),
    oneTimeCodes: simpleOneTimeCodes,
    passwordStrength: simplePasswordStrength,
    mailSender: null,
    identityProvider: null,
    metrics: noMetrics,
    requestScopes: null,
    traces: null,
    ...replaced,
    documents: withChanges(replaced.documents ?? memoryDocumentStore(collections)),
    imaging,
    clock,
    log,
  }
  const useCases = processOver(ports)
  const { run } = useCases
  await right(useCases.administerInstances.create({ title: 'The Daily Test', timezone: 'Europe/Vienna' }))
  const as = (role: Role, number = 1): InstanceRequest => ({
    identity: E.right(
      principalWith(
        { id: role, user: role, key: role },
        { operator: false, roles: [{ instance: number, roles: [role] }] },
      ),
    ),
    instance: number,
    address: '192.0.2.1',
    requestId: null,
    links: {
      root: `${base}/${number}`,
      collection: (collection) => `${base}/${number}/${collection}`,
      object: (collection, id) => `${base}/${number}/${collection}/${id}`,
      tagging: (tagId, predicate, objectId) => `/tags/${tagId}/${predicate}/${objectId}`,
      draftTagging: (collection, objectId, predicate, tagId) =>
        `${base}/${number}/${collection}/${objectId}/draft/tags/${predicate}/${tagId}`,
      slot: (contentId, slotId) => `${base}/${number}/content/${contentId}/slots/${slotId}`,
      draftSlot: (contentId, slotId) => `${base}/${number}/content/${contentId}/draft/slots/${slotId}`,
      download: (fileId, upload) => `${base}/${number}/files/${fileId}/download/${upload}`,
      defaultThumbnail: (kind) => `${base}/${number}/files/default-thumbnail/${kind}`,
    },
    strict: false,
  })
  return {
    ...ports,
    clock,
    log,
    imaging,
    useCases,
    run,
    anotherProcess: (others = {}) => processOver({ ...ports, ...others }),
    as,
    create: (resource, body, id) =>
      right(
        id === undefined
          ? run(createObject(resource), as('admin'), { body })
          : run(replaceObject(resource), as('admin'), { id, body }),
      ),
  }
}
