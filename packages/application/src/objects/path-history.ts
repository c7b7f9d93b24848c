import {
  addOldPath,
  badParameters,
  E,
  notFound,
  operations,
  pathHistory,
  pathLookups,
  pipe,
  replaceOldPaths,
  TE,
  withComputed,
  type Either,
  type Fault,
  type JsonObject,
  type PathRule,
  type Resource,
  type ViewContext,
} from '@publishing-service/domain'
import { valueContextOf } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { loadReferences } from './load-references.js'
import { requirePrecondition } from './precondition.js'
import { findVisible } from './read-object.js'
import { writableBy } from './update-document.js'

const ruleOf = (resource: Resource): Outcome<PathRule> =>
  resource.path === undefined ? TE.left(notFound) : TE.right(resource.path)

const showHistory = (rule: PathRule, state: JsonObject, find: ViewContext['find']): readonly JsonObject[] =>
  pathHistory(rule, state, find).map((path) => ({ path }))

/** The earlier public paths of an object (docs/behaviour/paths.md#path-history). */
export const readPathHistory = (
  resource: Resource,
): ReadOperation<{ readonly id: string }, readonly JsonObject[]> => ({
  ...operations.readPathHistory(resource.collection),
  run: (session, { id }) =>
    pipe(
      ruleOf(resource),
      TE.chain((rule) =>
        pipe(
          findVisible(session, resource, id),
          TE.chain(({ value }) =>
            pipe(
              loadReferences(session, pathLookups(rule, value)),
              TE.map((find) => showHistory(rule, value, find)),
            ),
          ),
        ),
      ),
    ),
})

const changeHistory = (
  session: Session,
  resource: Resource,
  id: string,
  change: (
    rule: PathRule,
    state: JsonObject,
    find: ViewContext['find'],
  ) => Either<readonly Fault[], JsonObject>,
): Outcome<void> =>
  pipe(
    ruleOf(resource),
    TE.chain((rule) =>
      session.update(writableBy(resource, session), id, (state) =>
        pipe(
          loadReferences(session, pathLookups(rule, state)),
          TE.chainEitherKW((find): Either<Failure, JsonObject> => {
            const checked = requirePrecondition(session.precondition, {
              items: showHistory(rule, state, find),
            })
            return E.isLeft(checked)
              ? checked
              : pipe(
                  change(rule, state, find),
                  E.bimap(badParameters, (changed) => withComputed(resource, changed)),
                )
          }),
        ),
      ),
    ),
    TE.map(() => undefined),
  )

type Change = { readonly id: string; readonly body: JsonObject }

/** Adds one path: `{path}`. */
export const addToPathHistory = (resource: Resource): WriteOperation<Change, void> => ({
  ...operations.addToPathHistory(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) =>
    changeHistory(session, resource, id, (_rule, state) => addOldPath(state, body, valueContextOf(session))),
})

/** Replaces the list: `{items: [{path}]}`. */
export const replacePathHistory = (resource: Resource): WriteOperation<Change, void> => ({
  ...operations.replacePathHistory(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) =>
    changeHistory(session, resource, id, (rule, state, find) =>
      replaceOldPaths(rule, state, body, find, valueContextOf(session)),
    ),
})
