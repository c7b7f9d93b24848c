import {
  badParameters,
  changeOf,
  completeWrite,
  draftFaults,
  draftWrite,
  E,
  fault,
  findAmong,
  jsonEqual,
  lacksUrlname,
  notFound,
  operations,
  pathLookups,
  pipe,
  placeKey,
  suppliedReferences,
  TE,
  uniqueTextOf,
  urlnamesFor,
  withComputed,
  withEarlierPaths,
  writeProblem,
  type Change,
  type Draft,
  type Either,
  type Fault,
  type JsonObject,
  type Problem,
  type Resource,
  type WriteCommand,
  type WriteMode,
} from '@publishing-service/domain'
import type { Document, WriteFailure } from '@publishing-service/ports'
import { valueContextOf } from '../caller.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { Session, WriteOperation } from '../operation.js'
import { takenNames } from '../paths/places.js'
import { newPlace, writeAtPlace } from '../paths/write-at-place.js'
import { clearFormerTag } from '../tagging/clear-former-tag.js'
import { completeInSteps } from './complete-in-steps.js'
import { checkPrecondition } from './check-precondition.js'
import { concernsFollowing, lettingFollow } from './follow-changes.js'
import { forEachPage } from './for-each-page.js'
import { confirmReferences } from './confirm-references.js'
import { loadReferencedObjects, loadReferences, lookupsOfReferences } from './load-references.js'
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

const notUniqueFault = (resource: Resource, state: JsonObject): Fault => {
  const rule = resource.unique(state)
  return fault(rule?.attribute ?? 'urlname', rule?.message ?? 'urlname is taken')
}

/** A fault if another object has the unique attribute. Needed only if other faults prevent the write. */
const uniqueFaults = (
  session: Session,
  resource: Resource,
  { id, previous }: WriteCommand,
  draft: Draft,
): Outcome<readonly Fault[]> => {
  const { state, supplied } = draft
  const key = resource.unique(state)?.attribute ?? 'urlname'
  const text = supplied.has(key) ? uniqueTextOf(resource, state) : null
  if (text === null) return TE.right([])
  const notUnique = [notUniqueFault(resource, state)]
  return pipe(
    session.documents.find(resource.collection, {
      where: [{ key, equals: state[key] ?? null }],
      order: [],
      skip: 0,
      limit: 100,
      detail: 'light',
    }),
    TE.chain(({ documents: found }) => {
      if (found.some((other) => other.id !== id && uniqueTextOf(resource, other.value) === text))
        return TE.right(notUnique)
      const place = newPlace(resource, previous, state)
      return place === null
        ? TE.right([])
        : pipe(
            () => takenNames(session, { resource, id }, state, [place.name]),
            TE.map((taken) => (taken.size > 0 ? notUnique : [])),
          )
    }),
  )
}

/**
 * A draft without a fault, references and urlname included; else all its faults together
 * (docs/behaviour/writing.md#all-faults).
 */
const validDraft = async (
  session: Session,
  resource: Resource,
  command: WriteCommand,
): Promise<Either<Failure, Draft>> => {
  const draft = draftWrite(resource, command)
  const references = suppliedReferences(resource, draft)
  if (references.length === 0 && draft.faults.length === 0 && resource.deriveFromTargets === undefined)
    return E.right(draft)
  const found = await loadReferencedObjects(session, lookupsOfReferences(references))()
  if (E.isLeft(found)) return found
  const faults = draftFaults({ faults: draft.faults, references }, found.right)
  if (faults.length === 0) {
    const derived = resource.deriveFromTargets?.(
      draft.state,
      changeOf(command, draft.supplied),
      findAmong(found.right),
    )
    if (derived === undefined) return E.right(draft)
    return E.isLeft(derived)
      ? E.left(badParameters(derived.left))
      : E.right({ ...draft, state: derived.right })
  }
  const taken = await uniqueFaults(session, resource, command, draft)()
  return E.isLeft(taken) ? taken : E.left(badParameters([...faults, ...taken.right]))
}

/** The state with the default that depends on a sibling, such as the position after the last one. */
const applySiblingDefault = (
  { documents }: Session,
  resource: Resource,
  state: JsonObject,
  change: Change,
): Outcome<JsonObject> => {
  const sibling = resource.siblingDefault?.(state, change) ?? null
  if (sibling === null) return TE.right(state)
  return pipe(
    documents.find(resource.collection, {
      where: sibling.where,
      order: sibling.order,
      skip: 0,
      limit: 1,
      detail: 'light',
    }),
    TE.map(({ documents: [found] }) => sibling.apply(found?.value ?? null)),
  )
}

/**
 * The state with the first urlname of its title that no other object has
 * (docs/behaviour/writing.md#urlname-from-title).
 */
const withFreeUrlname = async (
  session: Session,
  resource: Resource,
  id: string,
  state: JsonObject,
): Promise<Either<Failure, JsonObject>> => {
  for (const names of urlnamesFor(resource, state)) {
    const taken = new Set<string | null>()
    const where = [{ key: 'urlname', oneOf: names }]
    const found = await forEachPage(
      { documents: session.documents, collection: resource.collection, where, limit: 1000 },
      (page) => page.forEach(({ value }) => taken.add(uniqueTextOf(resource, value))),
    )()
    if (E.isLeft(found)) return found
    const placed = await takenNames(session, { resource, id }, state, names)
    if (E.isLeft(placed)) return placed
    const free = names.find(
      (urlname) => !taken.has(uniqueTextOf(resource, { ...state, urlname })) && !placed.right.has(urlname),
    )
    if (free !== undefined) return E.right({ ...state, urlname: free })
  }
  return E.left(contended)
}

/** Whether the attributes that the path of an object is made of differ between two states. */
const hasOtherPath = ({ path }: Resource, before: JsonObject | null, state: JsonObject): boolean =>
  path !== undefined &&
  (before === null ||
    before['urlname'] !== state['urlname'] ||
    (path.section !== undefined && before[path.section] !== state[path.section]))

/**
 * The state with the path that it had before among its earlier ones (docs/behaviour/paths.md#recorded-paths).
 */
const recordEarlierPath = (
  session: Session,
  resource: Resource,
  before: JsonObject,
  state: JsonObject,
): Outcome<JsonObject> => {
  const { path } = resource
  return path === undefined
    ? TE.right(state)
    : pipe(
        loadReferences(session, [...pathLookups(path, before), ...pathLookups(path, state)]),
        TE.map((find) => withComputed(resource, withEarlierPaths(path, before, state, find))),
      )
}

/** The state after the command. */
const nextState = async (
  session: Session,
  resource: Resource,
  command: WriteCommand,
  current: Document | null,
): Promise<Either<Failure, JsonObject>> => {
  const draft = await validDraft(session, resource, command)
  if (E.isLeft(draft)) return draft
  const change = changeOf(command, draft.right.supplied)
  const positioned = await applySiblingDefault(session, resource, draft.right.state, change)()
  if (E.isLeft(positioned)) return positioned
  let state = positioned.right
  if (command.previous === null && lacksUrlname(resource, state)) {
    const named = await withFreeUrlname(session, resource, command.id, state)
    if (E.isLeft(named)) return named
    state = named.right
  }
  state = completeWrite(resource, state, change)
  state = await completeInSteps(session, resource, state, change)
  return current !== null && hasOtherPath(resource, current.value, state)
    ? recordEarlierPath(session, resource, current.value, state)()
    : E.right(state)
}

const accessProblem = (
  session: Session,
  resource: Resource,
  mode: WriteMode,
  current: Document | null,
): Problem | null => {
  if (current === null && mode === 'patch') return notFound
  const before = current?.value ?? null
  return writeProblem(resource, session, { before, after: before ?? {} })
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
  const faults = await confirmReferences(session, resource, written.right, current?.value ?? null)
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
  const place = hasOtherPath(resource, previous, state) ? newPlace(resource, previous, state) : null
  if (place === null) return move()
  const placed = writeAtPlace(session, { resource, id }, previous, state, move)
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
      return badParameters([notUniqueFault(resource, state)])
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
  const refused = accessProblem(session, resource, mode, current)
  if (refused !== null) return E.left(refused)
  const met = await checkPrecondition(session, resource, id, current)()
  if (E.isLeft(met)) return met
  const command: WriteCommand = {
    mode,
    id,
    input,
    previous,
    now: session.localTime,
    user: session.user,
    settings: session.instance.settings,
    context: valueContextOf(session),
  }
  const state = await nextState(session, resource, command, current)
  if (E.isLeft(state)) return state
  if (jsonEqual(previous, state.right)) return E.right(id)
  const problem = writeProblem(resource, session, { before: previous, after: state.right })
  if (problem !== null) return E.left(problem)
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
