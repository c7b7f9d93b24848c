import { notFound, type Fault, type Resource, type ViewContext } from '@publishing-service/domain'
import type { Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  addOldPath,
  pathHistory,
  pathLookups,
  replaceOldPaths,
  type PathRule,
} from '@publishing-service/domain/paths'
import { operations } from '@publishing-service/domain/roles'
import { withComputed } from '@publishing-service/domain/engine'
import { accepted, fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { loadReferences } from '../engine/load-related.js'
import { requirePrecondition } from '../engine/precondition.js'
import { findVisible } from '../engine/read-one.js'
import { changeObject } from '../engine/update-document.js'

const ruleOf = (resource: Resource): PathRule => {
  if (resource.path === undefined) fail(notFound)
  return resource.path
}

const showHistory = (rule: PathRule, state: JsonObject, find: ViewContext['find']): readonly JsonObject[] =>
  pathHistory(rule, state, find).map((path) => ({ path }))

/** The earlier public paths of an object (docs/behaviour/paths.md#path-history). */
export const readPathHistory = (
  resource: Resource,
): ReadOperation<{ readonly id: string }, readonly JsonObject[]> => ({
  ...operations.readPathHistory(resource.collection),
  run: async (session, { id }) => {
    const rule = ruleOf(resource)
    const { value } = await findVisible(session, resource, id)
    return showHistory(rule, value, await loadReferences(session, pathLookups(rule, value)))
  },
})

const changeHistory = async (
  session: Session,
  resource: Resource,
  id: string,
  change: (
    rule: PathRule,
    state: JsonObject,
    find: ViewContext['find'],
  ) => Either<readonly Fault[], JsonObject>,
): Promise<void> => {
  const rule = ruleOf(resource)
  await changeObject(session, resource, id, async (state) => {
    const find = await loadReferences(session, pathLookups(rule, state))
    requirePrecondition(session.precondition, { items: showHistory(rule, state, find) })
    return withComputed(resource, accepted(change(rule, state, find)))
  })
}

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
