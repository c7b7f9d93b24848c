import {
  badParameters,
  changeOf,
  completeWrite,
  draftWrite,
  fault,
  jsonEqual,
  mayActAs,
  notFound,
  pathLookups,
  pipe,
  roleNeeded,
  suppliedReferences,
  TE,
  uniqueTextOf,
  withEarlierPaths,
  type Draft,
  type Fault,
  type JsonObject,
  type Problem,
  type Resource,
  type WriteCommand,
  type WriteMode,
} from '@publishing-service/domain'
import type { Document, DocumentStore, WriteFailure } from '@publishing-service/ports'
import { valueContextOf, type Caller } from '../caller.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { InTurn } from '../in-turn.js'
import type { Deployment, Ports } from '../ports.js'
import { loadReferences, lookupsOfReferences } from './load-references.js'
import { moveInTree } from './move-in-tree.js'
import { checkPrecondition, type Precondition } from './precondition.js'
import { referenceFaults } from './reference-faults.js'

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

const forbidden: Problem = { _tag: 'Forbidden' }

const takenFault = (resource: Resource, state: JsonObject): Fault =>
  fault('urlname', resource.unique(state)?.message ?? 'urlname is taken')

/** Whether the urlname is another object's, asked only where other faults keep the store from telling. */
const uniqueFaults = (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  id: string,
  draft: Draft,
): Outcome<readonly Fault[]> => {
  const text = draft.supplied.has('urlname') ? uniqueTextOf(resource, draft.state) : null
  if (text === null) return TE.right([])
  return pipe(
    documents.find(resource.collection, caller.instance.number, {
      where: [{ key: 'urlname', equals: draft.state['urlname'] ?? null }],
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
const faultless = (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  command: WriteCommand,
): Outcome<Draft> => {
  const draft = draftWrite(resource, command)
  const references = suppliedReferences(resource, draft)
  return pipe(
    loadReferences(documents)(caller, lookupsOfReferences(references)),
    TE.map((find) => [...draft.faults, ...referenceFaults(references, find)]),
    TE.chain((faults) =>
      faults.length === 0
        ? TE.right(draft)
        : pipe(
            uniqueFaults(documents, resource, caller, command.id, draft),
            TE.chain((taken) => TE.left<Failure, Draft>(badParameters([...faults, ...taken]))),
          ),
    ),
  )
}

/** The state with the default that depends on a neighbour, such as the place behind the last sibling. */
const beside = (
  documents: DocumentStore,
  resource: Resource,
  caller: Caller,
  state: JsonObject,
  command: WriteCommand,
  draft: Draft,
): Outcome<JsonObject> => {
  const neighbour = resource.neighbour?.(state, changeOf(command, draft.supplied)) ?? null
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

const permit = (
  resource: Resource,
  caller: Caller,
  { mode }: WriteRequest,
  current: Document | null,
): Outcome<void> => {
  if (current === null && mode === 'patch') return TE.left(notFound)
  const needed = roleNeeded(resource.collection, current === null ? 'create' : 'update')
  return needed !== null && mayActAs(caller.role, needed) ? TE.right(undefined) : TE.left(forbidden)
}

/**
 * Creates, replaces or changes an object, whole or not at all, and answers its id. Writers of one object come one
 * after the other, and each sees what the one before it wrote, so changes of different attributes all survive.
 */
export const createWriteObject = (
  ports: Pick<Ports, 'documents' | 'ids' | 'clock'>,
  deployment: Deployment,
  inTurn: InTurn,
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
    const write = () =>
      current === null
        ? documents.insert(collection, caller.instance.number, { id, unique, value: state })
        : documents.replace(collection, caller.instance.number, {
            id,
            unique,
            value: state,
            version: current.version,
          })
    const moved =
      resource.parent !== undefined &&
      typeof state[resource.parent] === 'string' &&
      state[resource.parent] !== current?.value[resource.parent]
    return moved ? moveInTree(ports, inTurn)(resource, caller, id, state, write()) : write()
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

  const attempt = (
    resource: Resource,
    caller: Caller,
    request: WriteRequest,
    id: string,
    left: number,
  ): Outcome<string> =>
    pipe(
      request.id === null
        ? TE.right<Failure, Document | null>(null)
        : documents.get(resource.collection, caller.instance.number, id),
      TE.chainFirst((current) => permit(resource, caller, request, current)),
      TE.chainFirst((current) =>
        checkPrecondition(documents)(resource, caller, id, current, request.precondition),
      ),
      TE.chain((current) => {
        const command: WriteCommand = {
          mode: request.mode,
          id,
          input: request.input,
          previous: current?.value ?? null,
          now: caller.now,
          settings: caller.instance.settings,
          context: valueContextOf(caller, deployment.streamingHosts),
        }
        return pipe(
          faultless(documents, resource, caller, command),
          TE.chain((draft) =>
            pipe(
              beside(documents, resource, caller, draft.state, command, draft),
              TE.map((state) => completeWrite(resource, state, changeOf(command, draft.supplied))),
              TE.chain((state) => remembering(documents, resource, caller, current, state)),
            ),
          ),
          TE.chain((state) => {
            if (current !== null && jsonEqual(current.value, state)) return TE.right(id)
            const prepare =
              current === null && request.id !== null ? preparations[resource.collection] : undefined
            return pipe(
              prepare?.(caller, id) ?? TE.right<Failure | WriteFailure, void>(undefined),
              TE.chain(() => store(resource, caller, id, current, state)),
              TE.map(() => id),
              TE.orElse((failure) => {
                const reason = refusal(resource, state, failure)
                if (reason !== 'again') return TE.left(reason)
                return left > 0 ? attempt(resource, caller, request, id, left - 1) : TE.left(contended)
              }),
            )
          }),
        )
      }),
    )

  return (resource: Resource, caller: Caller, request: WriteRequest): Outcome<string> => {
    if (request.id === null) return attempt(resource, caller, request, ids.uuid(), attempts)
    const { id } = request
    return inTurn(
      `${caller.instance.number}/${resource.collection}/${id}`,
      attempt(resource, caller, request, id, attempts),
    )
  }
}
