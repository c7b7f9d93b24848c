import {
  addOldPath,
  badParameters,
  E,
  notFound,
  pathHistory,
  pathLookups,
  pipe,
  replaceOldPaths,
  TE,
  type Either,
  type Fault,
  type JsonObject,
  type PathRule,
  type Resource,
  type View,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { Deployment } from '../ports.js'
import { loadReferences } from './load-references.js'
import { permits, type Precondition } from './precondition.js'
import { findVisible } from './read-object.js'
import { writableBy, type UpdateDocument } from './update-document.js'

const ruleOf = (resource: Resource): Outcome<PathRule> =>
  resource.path === undefined ? TE.left(notFound) : TE.right(resource.path)

const shown = (rule: PathRule, state: JsonObject, find: View['find']): readonly JsonObject[] =>
  pathHistory(rule, state, find).map((path) => ({ path }))

/** The earlier public paths of an object (decisions §12). */
export const readPathHistory =
  (documents: DocumentStore) =>
  (resource: Resource, caller: Caller, id: string): Outcome<readonly JsonObject[]> =>
    pipe(
      ruleOf(resource),
      TE.chain((rule) =>
        pipe(
          findVisible(documents)(resource, caller, id),
          TE.chain(({ value }) =>
            pipe(
              loadReferences(documents)(caller, pathLookups(rule, value)),
              TE.map((find) => shown(rule, value, find)),
            ),
          ),
        ),
      ),
    )

const createChangeHistory =
  (documents: DocumentStore, update: UpdateDocument) =>
  (
    resource: Resource,
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    change: (rule: PathRule, state: JsonObject, find: View['find']) => Either<readonly Fault[], JsonObject>,
  ): Outcome<void> =>
    pipe(
      ruleOf(resource),
      TE.chain((rule) =>
        update(writableBy(resource, caller), id, (state) =>
          pipe(
            loadReferences(documents)(caller, pathLookups(rule, state)),
            TE.chain((find) =>
              pipe(
                permits(precondition, { items: shown(rule, state, find) }),
                E.chainW(() => change(rule, state, find)),
                E.mapLeft((failure): Failure => ('_tag' in failure ? failure : badParameters(failure))),
                TE.fromEither,
              ),
            ),
          ),
        ),
      ),
      TE.map(() => undefined),
    )

/** Adds one path: `{path}`. */
export const addToPathHistory = (
  documents: DocumentStore,
  update: UpdateDocument,
  deployment: Deployment,
) => {
  const changeHistory = createChangeHistory(documents, update)
  return (resource: Resource, caller: Caller, id: string, input: JsonObject, precondition?: Precondition) =>
    changeHistory(resource, caller, id, precondition, (_rule, state) =>
      addOldPath(state, input, valueContextOf(caller, deployment.streamingHosts)),
    )
}

/** Replaces the list: `{items: [{path}]}`. */
export const replacePathHistory = (
  documents: DocumentStore,
  update: UpdateDocument,
  deployment: Deployment,
) => {
  const changeHistory = createChangeHistory(documents, update)
  return (resource: Resource, caller: Caller, id: string, input: JsonObject, precondition?: Precondition) =>
    changeHistory(resource, caller, id, precondition, (rule, state, find) =>
      replaceOldPaths(rule, state, input, find, valueContextOf(caller, deployment.streamingHosts)),
    )
}
