import {
  badParameters,
  decideWrite,
  E,
  lacksUrlname,
  notFound,
  operations,
  placeKey,
  takenFault,
  uniqueTextOf,
  writeProblem,
  type Either,
  type JsonObject,
  type Problem,
  type Resource,
  type WriteCommand,
  type WriteMode,
} from '@publishing-service/domain'
import type { Document, WriteFailure } from '@publishing-service/ports'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { newPlace, writeAtPlace } from '../paths/write-at-place.js'
import { clearFormerTag } from '../tagging/clear-former-tag.js'
import { answerQuestion } from './answer-question.js'
import { checkPrecondition } from './check-precondition.js'
import { concernsFollowing, lettingFollow } from './follow-changes.js'
import { addedReferences, confirmReferences } from './confirm-references.js'
import { moveInTree } from './move-in-tree.js'
import { initialDocument } from './read-object.js'

type WriteRequest = {
  readonly mode: WriteMode
  /** Null where the service chooses the id of a new object. */
  readonly id: string | null
  readonly input: JsonObject
}

/** Executed before an object is created with a UUID chosen by the client, by collection. */
const beforeCreate: Readonly<Record<string, (session: Session, id: string) => Outcome<void>>> = {
  tags: clearFormerTag,
}

/** Attempts after conflicts with other processes. */
const attempts = 20

/** The state after the command, as the domain decides; the previous one if nothing changes. */
const decide = async (
  session: Session,
  resource: Resource,
  command: WriteCommand,
): Promise<Either<Failure, JsonObject>> => {
  const steps = decideWrite(resource, session, command)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    const answered = await answerQuestion(session, resource, command.id, command.previous, step.value)
    if (E.isLeft(answered)) return answered
  }
}

type Stored = Promise<Either<WriteFailure | Problem, void>>

/** Writes the document, unless it adds a reference to a deleted object. */
const writeDocument = async (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
  state: JsonObject,
): Stored => {
  const { documents } = session
  const { collection } = resource
  const document = { id, unique: uniqueTextOf(resource, state), value: state }
  const written = await (
    current === null
      ? documents.insert(collection, document)
      : documents.replace(collection, { ...document, version: current.version })
  )()
  if (E.isLeft(written)) return written
  const previous = current?.value ?? null
  const added = addedReferences(resource, state, previous)
  if (added.length === 0) return E.right(undefined)
  const faults = await confirmReferences(session, resource, written.right, previous, added)
  if (E.isLeft(faults)) return faults
  return faults.right.length > 0 ? E.left(badParameters(faults.right)) : E.right(undefined)
}

/** Stores the state, unless it adds a reference to a deleted object, or has the path of another object. */
const store = (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
  state: JsonObject,
): Stored => {
  const { parent } = resource
  const previous = current?.value ?? null
  const write = () => writeDocument(session, resource, id, current, state)
  const writeAll = concernsFollowing(resource, previous, state)
    ? lettingFollow(session, resource, id, previous, state, write)
    : write
  const isMoved =
    parent !== undefined && typeof state[parent] === 'string' && state[parent] !== previous?.[parent]
  const move = isMoved ? moveInTree(session, resource, id, state, previous, writeAll) : writeAll
  const place = newPlace(resource, previous, state)
  if (place === null) return move()
  const placed = writeAtPlace(session, { resource, id }, previous, place, move)
  return session.exclusively(`place ${placeKey(place)}`, placed)()
}

const failureOf = (
  resource: Resource,
  state: JsonObject,
  failure: WriteFailure | Problem,
): Failure | 'again' => {
  switch (failure._tag) {
    case 'VersionConflict':
      return 'again'
    case 'UniqueConflict':
      return badParameters([takenFault(resource, state)])
    case 'DocumentTooLarge':
      return { _tag: 'TooLarge', limit: failure.limit }
    default:
      return failure
  }
}

const attempt = async (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  id: string,
  left: number,
): Promise<Either<Failure, string>> => {
  const { collection } = resource
  const { mode, input } = request
  const found = request.id === null ? E.right(null) : await session.documents.get(collection, id)()
  if (E.isLeft(found)) return found
  const stored = found.right
  const current = stored ?? initialDocument(resource, id)
  const previous = current?.value ?? null
  if (current === null && mode === 'patch') return E.left(notFound)
  const refused = writeProblem(resource, session, { before: previous, after: previous ?? {} })
  if (refused !== null) return E.left(refused)
  if (session.precondition !== undefined) {
    const met = await checkPrecondition(session, session.precondition, resource, id, current)()
    if (E.isLeft(met)) return met
  }
  const command: WriteCommand = {
    mode,
    id,
    input,
    previous,
    now: session.localTime,
    user: session.user,
    settings: session.instance.settings,
    streamingHosts: session.deployment.streamingHosts,
    strict: session.strict,
  }
  const state = await decide(session, resource, command)
  if (E.isLeft(state)) return state
  if (state.right === previous) return E.right(id)
  if (stored === null && request.id !== null) {
    const prepared = await beforeCreate[collection]?.(session, id)()
    if (prepared !== undefined && E.isLeft(prepared)) return prepared
  }
  const written = await store(session, resource, id, stored, state.right)
  if (E.isRight(written)) return E.right(id)
  // A conflict of a generated urlname is not a fault of the request.
  const isGeneratedUrlname = current === null && lacksUrlname(resource, input)
  const reason =
    isGeneratedUrlname && written.left._tag === 'UniqueConflict'
      ? 'again'
      : failureOf(resource, state.right, written.left)
  if (reason !== 'again') return E.left(reason)
  return left > 0 ? attempt(session, resource, request, id, left - 1) : E.left(contended)
}

/**
 * Creates, replaces or changes an object atomically, and returns its id. Writes of one object run one at a time, and
 * each reads the result of the previous one, so that changes of different attributes all remain.
 */
const writeObject = (session: Session, resource: Resource, request: WriteRequest): Outcome<string> => {
  const { ids, exclusively } = session
  const { collection } = resource
  const id = request.id ?? ids.uuid()
  const write = () => attempt(session, resource, request, id, attempts)
  // Writes that generate a urlname run one at a time: in parallel, all would generate the same.
  const writeWithUrlname =
    request.mode === 'put' && lacksUrlname(resource, request.input)
      ? exclusively(`${collection}/urlname`, write)
      : write
  return request.id === null ? writeWithUrlname : exclusively(`${collection}/${id}`, writeWithUrlname)
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
