import {
  badParameters,
  fault,
  decideWrite,
  notFound,
  type Effects,
  type Question,
  type Resource,
  type WriteCommand,
  type WriteMode,
} from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { operations, writeProblem } from '@publishing-service/domain/roles'
import {
  decidePublication,
  decideRestore,
  initialState,
  lacksUrlname,
  takenFault,
  type Decision,
  type RestoreCommand,
  type ObjectDraft,
} from '@publishing-service/domain/engine'
import type { Change, Document } from '@publishing-service/ports'
import { fail, throwIf, unwrap } from '../attempt.js'
import { contended, tooLarge, type Fail } from '../failure.js'
import type { Part, WriteConflict } from '../instance-store.js'
import type { WriteOperation } from '../operation.js'
import { oncePerDocument, putDocument } from '../document-changes.js'
import type { Session } from '../session.js'
import { answerQuestion } from './answer-question.js'
import { carryOut, cascadeOf } from './cascade.js'
import { followChanges, followedAtCreation, hasFollowers } from './follow-changes.js'
import { requirePrecondition } from './precondition.js'
import { showObject } from './read-one.js'
import { treeChange } from './tree-change.js'

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
      readonly withData: RestoreCommand['withData']
    }
  | {
      readonly mode: 'publish'
      readonly id: string
      readonly draft: ObjectDraft
      readonly failWith: Fail<'DraftConflict'>
    }

/** Repetitions after conflicts with other processes. */
const attempts = 20

/** Runs a decision on a write: answers what it asks. */
export const runDecision = async <P, A>(
  session: Session,
  resource: Resource,
  { id, previous }: Pick<WriteCommand, 'id' | 'previous'>,
  steps: Generator<Question, Either<P, A>, void>,
): Promise<Either<P, A>> => {
  let step = steps.next()
  for (; step.done !== true; step = steps.next())
    await answerQuestion(session, resource, id, previous, step.value)
  return step.value
}

/** Decides on a request. */
const decide = async (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  { id, previous }: Pick<WriteCommand, 'id' | 'previous'>,
): Promise<Decision> => {
  const { role, user, localTime: now, strict } = session
  const { settings } = session.instance
  const { streamingHosts } = session.deployment
  const command = { id, previous, now, role, user, settings }
  const run = <P>(steps: Generator<Question, Either<P, Decision>, void>) =>
    runDecision(session, resource, { id, previous }, steps)
  switch (request.mode) {
    case 'restore':
      return unwrap(await run(decideRestore(resource, { ...request, ...command })))
    case 'publish': {
      const decided = await run(decidePublication(resource, { ...command, draft: request.draft }))
      return E.isRight(decided) ? decided.right : request.failWith(decided.left)
    }
    default:
      return unwrap(await run(decideWrite(resource, { ...command, ...request, id, streamingHosts, strict })))
  }
}

/** A state to store, and what it means; `first` is the version of the object if it is created. */
type Decided = { readonly state: JsonObject; readonly first: number; readonly effects: Effects }

/** The parts of a write, the change of its object first. */
const partsOf = async (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
  { state: decided, first, effects }: Decided,
): Promise<Either<WriteConflict, readonly Part[]>> => {
  const { documents, clock } = session
  const { kind, place, parent, dependencies, isFollowed } = effects
  const { state, expected } =
    kind === 'created' && isFollowed
      ? await followedAtCreation(documents, resource, decided)
      : { state: decided, expected: [] }
  const document = { id, version: first, unique: resource.uniqueText(state), value: state }
  const own = putDocument(resource.collection, document, current, clock)
  const placed =
    place === null
      ? E.right([])
      : await session.topics.written(session, { resource, id }, current?.value ?? null, state)
  if (E.isLeft(placed)) return placed
  const changes: readonly Change[] = [
    own,
    ...placed.right,
    ...(parent === null ? [] : [await treeChange(session, resource, id, parent)]),
    ...expected,
    ...dependencies.map(({ target, id: needed }): Change => ({
      collection: target.collection,
      kind: 'expect',
      id: needed,
      version: null,
    })),
  ]
  return E.right(oncePerDocument(changes).map((change) => ({ change })))
}

/** The outcome of an attempt: a conflict with another writer, after which the write is decided again. */
type Made = Promise<Either<WriteConflict, void>>

/** Throws Contended for the conflict of a part that is written together: what it is based on has to be read again. */
const requireOwn = (conflict: WriteConflict, own: number): void => {
  if (conflict._tag !== 'DocumentTooLarge' && conflict.change >= own) fail(contended)
}

/** Stores what was decided together with these parts, and lets others follow. */
const store = async (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
  decided: Decided,
  together: readonly Part[],
): Made => {
  const { documents } = session
  const { kind, isFollowed } = decided.effects
  const parts = await partsOf(session, resource, id, current, decided)
  if (E.isLeft(parts)) return parts
  const cascade =
    kind === 'changed' && isFollowed && (await hasFollowers(documents, resource, id))
      ? cascadeOf(session, resource, id)
      : null
  const written = await documents.change([
    ...parts.right,
    ...(cascade === null ? [] : [{ change: cascade }]),
    ...together,
  ])
  if (E.isLeft(written)) {
    requireOwn(written.left, parts.right.length + (cascade === null ? 0 : 1))
    return written
  }
  if (cascade !== null) await carryOut(session, cascade, () => followChanges(documents, resource, id))
  return E.right(undefined)
}

/** Makes one attempt; the conflict with another writer if there is one. `isNamedByTitle`: a new object gets a free urlname. */
const tryToWrite = async (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  id: string,
  isNamedByTitle: boolean,
  together: readonly Part[],
): Made => {
  const { collection } = resource
  const { documents, precondition, exclusively, topics } = session
  const stored = request.id === null ? null : await documents.get(collection, id)
  const previous = stored?.value ?? initialState(resource, id)
  const isFromTrash = request.mode === 'restore' && request.last !== null
  if (isFromTrash && stored !== null)
    fail(badParameters([fault('uuid', 'taken', 'is the UUID of an object that exists')]))
  if (previous === null && request.mode !== 'put' && !isFromTrash) fail(notFound)
  throwIf(writeProblem(resource, session, { before: previous, after: previous ?? {} }))
  // That of a restoration from the trash is about the entry there.
  if (precondition !== undefined && !isFromTrash) {
    const shown = previous === null ? null : await showObject(session, resource, id, previous)
    requirePrecondition(precondition, shown)
  }
  const { state, effects } = await decide(session, resource, request, { id, previous })
  if (effects === null) {
    const ended =
      together.length === 0
        ? E.right([])
        : await documents.write(
            together.map(({ change }) => change),
            [],
          )
    if (E.isLeft(ended)) fail(contended)
    return E.right(undefined)
  }
  if (stored === null && request.id !== null) await topics.beforeCreation.get(collection)?.(session, id)
  const first = request.mode === 'restore' ? (request.last ?? 0) + 1 : 1
  const decided = { state, first, effects }
  const make = (): Made => store(session, resource, id, stored, decided, together)
  // All writes that change the tree change one document.
  const written = await (effects.parent === null ? make() : exclusively(`${collection}/tree`, make))
  if (E.isRight(written)) return written
  const conflict = written.left
  if (conflict._tag === 'DocumentTooLarge') fail(tooLarge(conflict.limit))
  // A conflict of a generated urlname is not a fault of the request.
  const isGeneratedUrlname = previous === null && isNamedByTitle
  if (conflict._tag === 'UniqueConflict' && !isGeneratedUrlname)
    fail(badParameters([takenFault(resource, state)]))
  return written
}

/**
 * Creates, replaces or changes an object atomically, together with further parts of the write, and returns its id. Writes of
 * one object run one at a time, and each reads the result of the previous one, so that changes of different attributes all
 * remain.
 */
export const writeObject = (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  together: readonly Part[] = [],
): Promise<string> => {
  const { ids, exclusively } = session
  const { collection } = resource
  const id = request.id ?? ids.uuid()
  const isNamedByTitle = request.mode === 'put' && lacksUrlname(resource, request.input)
  const write = async (): Promise<string> => {
    for (let attempted = 0; attempted <= attempts; attempted += 1)
      if (E.isRight(await tryToWrite(session, resource, request, id, isNamedByTitle, together))) return id
    fail(contended)
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
