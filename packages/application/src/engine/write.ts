import {
  badParameters,
  fault,
  decideWrite,
  notFound,
  type Effects,
  type Problem,
  type Question,
  type Resource,
  type WriteCommand,
  type WriteMode,
} from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { placeKey } from '@publishing-service/domain/paths'
import { operations, writeProblem } from '@publishing-service/domain/roles'
import {
  decidePublication,
  decideRestore,
  initialState,
  lacksUrlname,
  takenFault,
  type ObjectDraft,
} from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { unwrap, throwIf } from '../attempt.js'
import { contended, tooLarge } from '../failure.js'
import type { WriteConflict } from '../instance-store.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { writeAtPlace } from '../paths/places.js'
import { clearFormerTag } from '../tagging/clear-former-tag.js'
import { answerQuestion } from './answer-question.js'
import { lettingFollow } from './follow-changes.js'
import { confirmReferences } from './confirm-references.js'
import { moveInTree } from './move-in-tree.js'
import { requirePrecondition } from './precondition.js'
import { showObject } from './read-one.js'

type WriteRequest =
  | {
      readonly mode: WriteMode
      /** Null where the service chooses the id of a new object. */
      readonly id: string | null
      readonly input: JsonObject
    }
  | {
      readonly mode: 'restore'
      readonly id: string
      /** The state that the object gets again. */
      readonly earlier: JsonObject
      /** The version that the object had last if it was removed, and must not exist; null if it must exist. */
      readonly last: number | null
      /** When its data is that of the earlier state again, in milliseconds; null if it keeps the data that it has. */
      readonly dataAt: number | null
    }
  | { readonly mode: 'publish'; readonly id: string; readonly draft: ObjectDraft }

/** Executed before an object is created with a UUID chosen by the client, by collection. */
const beforeCreate: Readonly<Record<string, (session: Session, id: string) => Promise<void>>> = {
  tags: clearFormerTag,
}

/** Repetitions after conflicts with other processes. */
const attempts = 20

/** Runs a decision on a write: answers what it asks. Throws the problem that it ends in. */
export const runDecision = async <A>(
  session: Session,
  resource: Resource,
  { id, previous }: Pick<WriteCommand, 'id' | 'previous'>,
  steps: Generator<Question, Either<Problem, A>, void>,
): Promise<A> => {
  let step = steps.next()
  for (; step.done !== true; step = steps.next())
    await answerQuestion(session, resource, id, previous, step.value)
  return unwrap(step.value)
}

/** The decision on a request, which `runDecision` runs. */
const decisionOn = (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  { id, previous }: Pick<WriteCommand, 'id' | 'previous'>,
) => {
  const { role, user, localTime: now, strict } = session
  const { settings } = session.instance
  const { streamingHosts } = session.deployment
  const command = { id, previous, now, role, user, settings }
  switch (request.mode) {
    case 'restore':
      return decideRestore(resource, { ...command, earlier: request.earlier, dataAt: request.dataAt })
    case 'publish':
      return decidePublication(resource, { ...command, draft: request.draft })
    default:
      return decideWrite(resource, { ...command, ...request, id, streamingHosts, strict })
  }
}

type Stored = Promise<Either<WriteConflict, void>>

/** A state to store, and what it means; `first` is the version of the object if it is created. */
type Change = { readonly state: JsonObject; readonly first: number; readonly effects: Effects }

/**
 * Stores a change with its effects on other documents, each around those that it needs. If a reference that it adds is to
 * a deleted object, undoes it and throws BadParameters.
 */
const store = (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
  { state, first, effects }: Change,
): Stored => {
  const { documents, clock } = session
  const { kind, place, parent, dependencies, isFollowed } = effects
  const previous = current?.value ?? null
  const write = async (): Stored => {
    const document = { id, unique: resource.uniqueText(state), value: state }
    const written = await documents.change(
      resource.collection,
      current === null
        ? { kind: 'insert', document: { ...document, version: first, position: clock.position() } }
        : { kind: 'replace', document: { ...document, version: current.version } },
    )
    if (E.isLeft(written)) return written
    if (written.right !== null && dependencies.length > 0) {
      const faults = await confirmReferences(session, resource, written.right, previous, dependencies)
      if (faults.length > 0) throw badParameters(faults)
    }
    return E.right(undefined)
  }
  const writeAll = isFollowed ? lettingFollow(session, resource, id, kind, write) : write
  const move =
    parent === null ? writeAll : () => moveInTree(session, resource, id, parent, previous, writeAll)
  if (place === null) return move()
  return session.exclusively(`place ${placeKey(place)}`, () =>
    writeAtPlace(session, { resource, id }, previous, place, move),
  )
}

/** Makes one attempt; the conflict with another writer if there is one. `isNamedByTitle`: a new object gets a free urlname. */
const tryToWrite = async (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  id: string,
  isNamedByTitle: boolean,
): Stored => {
  const { collection } = resource
  const { precondition } = session
  const stored = request.id === null ? null : await session.documents.get(collection, id)
  const previous = stored?.value ?? initialState(resource, id)
  const isFromTrash = request.mode === 'restore' && request.last !== null
  if (isFromTrash && stored !== null)
    throw badParameters([fault('uuid', 'taken', 'is the UUID of an object that exists')])
  if (previous === null && request.mode !== 'put' && !isFromTrash) throw notFound
  throwIf(writeProblem(resource, session, { before: previous, after: previous ?? {} }))
  // That of a restoration from the trash is about the entry there.
  if (precondition !== undefined && !isFromTrash) {
    const shown = previous === null ? null : await showObject(session, resource, id, previous)
    requirePrecondition(precondition, shown)
  }
  const at = { id, previous }
  const decision = decisionOn(session, resource, request, at)
  const { state, effects } = await runDecision(session, resource, at, decision)
  if (effects === null) return E.right(undefined)
  if (stored === null && request.id !== null) await beforeCreate[collection]?.(session, id)
  const first = request.mode === 'restore' ? (request.last ?? 0) + 1 : 1
  const written = await store(session, resource, id, stored, { state, first, effects })
  if (E.isRight(written)) return written
  const conflict = written.left
  if (conflict._tag === 'DocumentTooLarge') throw tooLarge(conflict.limit)
  // A conflict of a generated urlname is not a fault of the request.
  const isGeneratedUrlname = previous === null && isNamedByTitle
  if (conflict._tag === 'UniqueConflict' && !isGeneratedUrlname)
    throw badParameters([takenFault(resource, state)])
  return written
}

/**
 * Creates, replaces or changes an object atomically, and returns its id. Writes of one object run one at a time, and
 * each reads the result of the previous one, so that changes of different attributes all remain.
 */
export const writeObject = (session: Session, resource: Resource, request: WriteRequest): Promise<string> => {
  const { ids, exclusively } = session
  const { collection } = resource
  const id = request.id ?? ids.uuid()
  const isNamedByTitle = request.mode === 'put' && lacksUrlname(resource, request.input)
  const write = async (): Promise<string> => {
    for (let attempted = 0; attempted <= attempts; attempted += 1)
      if (E.isRight(await tryToWrite(session, resource, request, id, isNamedByTitle))) return id
    throw contended
  }
  // Writes that generate a urlname run one at a time: in parallel, all would generate the same.
  const writeWithUrlname = isNamedByTitle ? () => exclusively(`${collection}/urlname`, write) : write
  return request.id === null ? writeWithUrlname() : exclusively(`${collection}/${id}`, writeWithUrlname)
}

/** Creates an object with a new id, and returns the id. */
export const createObject = (resource: Resource): WriteOperation<{ readonly body: JsonObject }, string> => ({
  ...operations.createObject(resource.collection),
  changed: (_input, id) => ({ object: id }),
  run: (session, { body }) => writeObject(session, resource, { mode: 'put', id: null, input: body }),
})

type Update = { readonly id: string; readonly body: JsonObject }

/** Replaces an object, or creates it with the id that the client has chosen. */
export const replaceObject = (resource: Resource): WriteOperation<Update, string> => ({
  ...operations.replaceObject(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => writeObject(session, resource, { mode: 'put', id, input: body }),
})

/** Changes the attributes of an object that the body has. */
export const changeObject = (resource: Resource): WriteOperation<Update, string> => ({
  ...operations.changeObject(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => writeObject(session, resource, { mode: 'patch', id, input: body }),
})
