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
  pathLookups,
  pipe,
  suppliedReferences,
  TE,
  uniqueTextOf,
  urlnamesFor,
  withEarlierPaths,
  writeProblem,
  type Change,
  type Draft,
  type Either,
  type Fault,
  type JsonObject,
  type Problem,
  type Resource,
  type TaskEither,
  type WriteCommand,
  type WriteMode,
} from '@publishing-service/domain'
import type { Document, DocumentStore, WriteFailure } from '@publishing-service/ports'
import { valueContextOf, type Caller } from '../caller.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { KeyedMutex } from '../keyed-mutex.js'
import type { Deployment, Ports } from '../ports.js'
import { everyPage } from './every-page.js'
import { confirmReferences } from './held-references.js'
import { loadReferenced, loadReferences, lookupsOfReferences } from './load-references.js'
import { moveInTree } from './move-in-tree.js'
import { checkPrecondition, type Precondition } from './precondition.js'
import { unwritten } from './read-object.js'

export type WriteRequest = {
  readonly mode: WriteMode
  /** Null makes a new object under an id of the service's choice. */
  readonly id: string | null
  readonly input: JsonObject
  readonly precondition?: Precondition
}

/** What has to be out of the way before an object is made under a UUID that a client chose. */
export type Preparation = (caller: Caller, id: string) => Outcome<void>

/** Writers from other processes can come in between; after so many attempts the client is told to try again. */
const attempts = 20

const takenFault = (resource: Resource, state: JsonObject): Fault => {
  const rule = resource.unique(state)
  return fault(rule?.attribute ?? 'urlname', rule?.message ?? 'urlname is taken')
}

/** Whether the unique attribute is another object's, asked only where other faults keep the store from telling. */
const uniqueFaults = (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  id: string,
  draft: Draft,
): Outcome<readonly Fault[]> => {
  const key = resource.unique(draft.state)?.attribute ?? 'urlname'
  const text = draft.supplied.has(key) ? uniqueTextOf(resource, draft.state) : null
  if (text === null) return TE.right([])
  return pipe(
    documents.find(resource.collection, caller.instance.number, {
      where: [{ key, equals: draft.state[key] ?? null }],
      order: [],
      skip: 0,
      limit: 100,
      detail: 'light',
    }),
    TE.map(({ documents: found }) =>
      found.some((other) => other.id !== id && uniqueTextOf(resource, other.value) === text)
        ? [takenFault(resource, draft.state)]
        : [],
    ),
  )
}

/** A draft without a fault, references and urlname included; else all its faults together (decisions §2.5). */
const faultless = async (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  command: WriteCommand,
): Promise<Either<Failure, Draft>> => {
  const draft = draftWrite(resource, command)
  const references = suppliedReferences(resource, draft)
  const found = await loadReferenced(documents)(caller, lookupsOfReferences(references))()
  if (E.isLeft(found)) return found
  const faults = draftFaults({ faults: draft.faults, references }, found.right)
  if (faults.length === 0) {
    const placed = resource.place?.(draft.state, changeOf(command, draft.supplied), findAmong(found.right))
    if (placed === undefined) return E.right(draft)
    return E.isLeft(placed) ? E.left(badParameters(placed.left)) : E.right({ ...draft, state: placed.right })
  }
  const taken = await uniqueFaults(documents, resource, caller, command.id, draft)()
  return E.isLeft(taken) ? taken : E.left(badParameters([...faults, ...taken.right]))
}

/** The state with the default that depends on a neighbour, such as the place behind the last sibling. */
const beside = (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  state: JsonObject,
  change: Change,
): Outcome<JsonObject> => {
  const neighbour = resource.neighbour?.(state, change) ?? null
  if (neighbour === null) return TE.right(state)
  return pipe(
    documents.find(resource.collection, caller.instance.number, {
      where: neighbour.where,
      order: neighbour.order,
      skip: 0,
      limit: 1,
      detail: 'light',
    }),
    TE.map(({ documents: [found] }) => neighbour.apply(found?.value ?? null)),
  )
}

/** The state with the first urlname of its title that no other object has, where it was left out (decisions §16.15). */
const named = async (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  state: JsonObject,
): Promise<Either<Failure, JsonObject>> => {
  if (!lacksUrlname(resource, state)) return E.right(state)
  for (const names of urlnamesFor(resource, state)) {
    const taken = new Set<string | null>()
    const where = [{ key: 'urlname', oneOf: names }]
    const found = await everyPage(
      documents,
      resource.collection,
      caller.instance.number,
      where,
      1000,
      (page) => page.forEach(({ value }) => taken.add(uniqueTextOf(resource, value))),
    )()
    if (E.isLeft(found)) return found
    const free = names.find((urlname) => !taken.has(uniqueTextOf(resource, { ...state, urlname })))
    if (free !== undefined) return E.right({ ...state, urlname: free })
  }
  return E.left(contended)
}

/** The state with the path that it had before among its old ones, where the write changes it (decisions §12). */
const remembering = (
  documents: DocumentStore,
  { path }: Resource,
  caller: Caller,
  current: Document | null,
  state: JsonObject,
): Outcome<JsonObject> => {
  if (path === undefined || current === null) return TE.right(state)
  const before = current.value
  const section = path.section ?? 'urlname'
  if (before['urlname'] === state['urlname'] && before[section] === state[section]) return TE.right(state)
  return pipe(
    loadReferences(documents)(caller, [...pathLookups(path, before), ...pathLookups(path, state)]),
    TE.map((find) => withEarlierPaths(path, before, state, find)),
  )
}

const refusedBy = (
  resource: Resource,
  caller: Caller,
  { mode }: WriteRequest,
  current: Document | null,
): Problem | null => {
  if (current === null && mode === 'patch') return notFound
  const before = current?.value ?? null
  return writeProblem(resource, caller, { before, after: before ?? {} })
}

/**
 * Creates, replaces or changes an object, whole or not at all, and answers its id. Writers of one object come one
 * after the other, and each sees what the one before it wrote, so changes of different attributes all survive.
 */
export const createWriteObject = (
  ports: Pick<Ports, 'documents' | 'ids' | 'clock'>,
  deployment: Deployment,
  exclusively: KeyedMutex,
  preparations: Readonly<Record<string, Preparation>>,
) => {
  const { documents, ids } = ports

  const store = (
    resource: Resource,
    caller: Caller,
    id: string,
    current: Document | null,
    state: JsonObject,
  ) => {
    const unique = uniqueTextOf(resource, state)
    const { collection } = resource
    const written = () =>
      current === null
        ? documents.insert(collection, caller.instance.number, { id, unique, value: state })
        : documents.replace(collection, caller.instance.number, {
            id,
            unique,
            value: state,
            version: current.version,
          })
    const write: TaskEither<WriteFailure | Problem, void> = async () => {
      const document = await written()()
      if (E.isLeft(document)) return document
      const faults = await confirmReferences(
        documents,
        resource,
        caller.instance.number,
        document.right,
        current?.value ?? null,
      )
      if (E.isLeft(faults)) return faults
      return faults.right.length > 0 ? E.left(badParameters(faults.right)) : E.right(undefined)
    }
    const moved =
      resource.parent !== undefined &&
      typeof state[resource.parent] === 'string' &&
      state[resource.parent] !== current?.value[resource.parent]
    return moved
      ? moveInTree(ports, exclusively)(resource, caller, id, state, current?.value ?? null, write)
      : write
  }

  const refusal = (
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

  /** The state that the request makes of the current one, or why it makes none. */
  const next = async (
    resource: Resource,
    caller: Caller,
    command: WriteCommand,
    current: Document | null,
  ): Promise<Either<Failure, JsonObject>> => {
    const draft = await faultless(documents, resource, caller, command)
    if (E.isLeft(draft)) return draft
    const { state, supplied } = draft.right
    const change = changeOf(command, supplied)
    const whole = await beside(documents, resource, caller, state, change)()
    if (E.isLeft(whole)) return whole
    const complete = await named(documents, resource, caller, whole.right)
    if (E.isLeft(complete)) return complete
    return remembering(
      documents,
      resource,
      caller,
      current,
      completeWrite(resource, complete.right, change),
    )()
  }

  const attempt = async (
    resource: Resource,
    caller: Caller,
    request: WriteRequest,
    id: string,
    left: number,
  ): Promise<Either<Failure, string>> => {
    const { collection } = resource
    const found =
      request.id === null ? E.right(null) : await documents.get(collection, caller.instance.number, id)()
    if (E.isLeft(found)) return found
    const stored = found.right
    const current = stored ?? unwritten(resource, id)
    const refused = refusedBy(resource, caller, request, current)
    if (refused !== null) return E.left(refused)
    const met = await checkPrecondition(documents)(resource, caller, id, current, request.precondition)()
    if (E.isLeft(met)) return met
    const command: WriteCommand = {
      mode: request.mode,
      id,
      input: request.input,
      previous: current?.value ?? null,
      now: caller.now,
      user: caller.user,
      settings: caller.instance.settings,
      context: valueContextOf(caller, deployment.streamingHosts),
    }
    const state = await next(resource, caller, command, current)
    if (E.isLeft(state)) return state
    if (current !== null && jsonEqual(current.value, state.right)) return E.right(id)
    const problem = writeProblem(resource, caller, { before: current?.value ?? null, after: state.right })
    if (problem !== null) return E.left(problem)
    if (stored === null && request.id !== null) {
      const prepared = await preparations[collection]?.(caller, id)()
      if (prepared !== undefined && E.isLeft(prepared)) return prepared
    }
    const written = await store(resource, caller, id, stored, state.right)()
    if (E.isRight(written)) return E.right(id)
    // A name that the service chose, and that another object got meanwhile, is no fault of the request.
    const isMade = current === null && lacksUrlname(resource, request.input)
    const reason =
      isMade && written.left._tag === 'UniqueConflict'
        ? 'again'
        : refusal(resource, state.right, written.left)
    if (reason !== 'again') return E.left(reason)
    return left > 0 ? attempt(resource, caller, request, id, left - 1) : E.left(contended)
  }

  return (resource: Resource, caller: Caller, request: WriteRequest): Outcome<string> => {
    const id = request.id ?? ids.uuid()
    const write = () => attempt(resource, caller, request, id, attempts)
    const collection = `${caller.instance.number}/${resource.collection}`
    // Creations that choose a name choose one after the other: in parallel all would choose the same.
    const chosen =
      request.mode === 'put' && lacksUrlname(resource, request.input)
        ? exclusively(`${collection}/urlname`, write)
        : write
    return request.id === null ? chosen : exclusively(`${collection}/${id}`, chosen)
  }
}
