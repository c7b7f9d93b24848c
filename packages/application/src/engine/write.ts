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
  decisionFor,
  initialState,
  lacksUrlname,
  takenFault,
  type Decision,
  type RestoreCommand,
  type ObjectDraft,
} from '@publishing-service/domain/engine'
import { oncePerDocument, putDocument, type Change, type Document } from '@publishing-service/ports'
import { fail, throwIf, unwrap } from '../attempt.js'
import { contended, tooLarge, type Fail } from '../failure.js'
import type { WriteConflict } from '../instance-store.js'
import type { WriteOperation } from '../operation.js'
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
      /** Changes parts of the state that have separate addresses, such as slots. */
      readonly parts?: (state: JsonObject) => Promise<JsonObject>
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
  steps: Generator<Question | undefined, Either<P, A>, void>,
): Promise<Either<P, A>> => {
  let step = steps.next()
  for (; step.done !== true; step = steps.next())
    await (step.value === undefined
      ? session.clock.turn()
      : answerQuestion(session, resource, id, previous, step.value))
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
  if (request.mode === 'publish') {
    const steps = decidePublication(resource, { ...command, draft: request.draft })
    const decided = await runDecision(session, resource, command, steps)
    return E.isRight(decided) ? decided.right : request.failWith(decided.left)
  }
  const steps =
    request.mode === 'restore'
      ? decideRestore(resource, { ...request, ...command })
      : decideWrite(resource, { ...command, ...request, id, streamingHosts, strict })
  const decided = unwrap(await runDecision(session, resource, command, steps))
  if (request.mode === 'restore' || request.parts === undefined) return decided
  return unwrap(decisionFor(resource, command, await request.parts(decided.state)))
}

/** What an object becomes. */
type Decided = {
  readonly id: string
  /** The document that it has; null if it is created. */
  readonly current: Document | null
  readonly state: JsonObject
  /** The version of the object if it is created. */
  readonly first: number
  readonly effects: Effects
}

/** The changes of a write, that of its object first. */
const changesOf = async (
  session: Session,
  resource: Resource,
  { id, current, state: decided, first, effects }: Decided,
): Promise<Either<WriteConflict, readonly Change[]>> => {
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
  return E.right(oncePerDocument(changes))
}

/** The outcome of an attempt: a conflict with another writer, after which the write is decided again. */
type Made = Promise<Either<WriteConflict, void>>

/** Throws Contended for the conflict of a change that is written together: what it is based on has to be read again. */
const requireOwn = (conflict: WriteConflict, own: number): void => {
  if (conflict._tag !== 'DocumentTooLarge' && conflict.change >= own) fail(contended)
}

/** Stores what was decided together with these changes, and lets others follow. */
const store = async (
  session: Session,
  resource: Resource,
  decided: Decided,
  together: readonly Change[],
): Made => {
  const { documents } = session
  const { id, effects } = decided
  const { kind, isFollowed } = effects
  const changes = await changesOf(session, resource, decided)
  if (E.isLeft(changes)) return changes
  const cascade =
    kind === 'changed' && isFollowed && (await hasFollowers(documents, resource, id))
      ? cascadeOf(session, resource, id)
      : null
  const own = cascade === null ? changes.right : [...changes.right, cascade]
  const written = await documents.change([...own, ...together])
  if (E.isLeft(written)) {
    requireOwn(written.left, own.length)
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
  together: readonly Change[],
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
    const ended = together.length === 0 ? E.right([]) : await documents.write(together, [])
    if (E.isLeft(ended)) fail(contended)
    return E.right(undefined)
  }
  if (stored === null && request.id !== null && !isFromTrash)
    await topics.beforeCreation.get(collection)?.(session, id)
  const first = request.mode === 'restore' ? (request.last ?? 0) + 1 : 1
  const decided = { id, current: stored, state, first, effects }
  // All writes that change the tree change one document.
  const written = await (effects.parent === null
    ? store(session, resource, decided, together)
    : exclusively(`${collection}/tree`, () => store(session, resource, decided, together)))
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
 * Creates, replaces or changes an object atomically, together with further changes, and returns its id. Writes of
 * one object run one at a time, and each reads the result of the previous one, so that changes of different attributes all
 * remain.
 */
export const writeObject = (
  session: Session,
  resource: Resource,
  request: WriteRequest,
  together: readonly Change[] = [],
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
