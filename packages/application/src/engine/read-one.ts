import { isVisibleTo, notFound, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import { parseIncludePaths, type IncludePath, type Parameters } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { initialState, readPlan } from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { accepted, fail } from '../attempt.js'
import type { ReadOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { includedBy } from './load-included.js'
import { requirePrecondition, type Precondition } from './precondition.js'
import { loadRelated, visibleDocuments } from './load-related.js'

/** The document of an object, or its initial state as one; null if there is neither. */
export const findObject = async (
  { documents }: Pick<Session, 'documents'>,
  resource: Resource,
  id: string,
): Promise<Document | null> => {
  const stored = await documents.get(resource.collection, id)
  if (stored !== null) return stored
  const value = initialState(resource, id)
  return value === null ? null : { id, version: 0, position: 0, value }
}

/**
 * The document of an object that exists and that the caller may see; else NotFound
 * (docs/behaviour/errors.md#not-found).
 */
export const findVisible = async (session: Session, resource: Resource, id: string): Promise<Document> => {
  const document = await findObject(session, resource, id)
  if (document === null) fail(notFound)
  if (!isVisibleTo(resource, session, document.value)) fail(notFound)
  if (resource.visibleWith === undefined) return document
  const [visible] = await visibleDocuments(session, resource, [document])
  if (visible === undefined) fail(notFound)
  return visible
}

/** The paths of `include`; throws BadParameters. */
export const includePathsOf = (
  shape: Pick<Shape, 'attributes'>,
  parameters: Parameters,
): readonly IncludePath[] => accepted(parseIncludePaths(shape, parameters))

/** The view of a state that is already loaded. */
export const showObject = async (
  session: Session,
  shape: Shape,
  id: string,
  state: JsonObject,
): Promise<JsonObject> => {
  const plan = readPlan(shape, session)
  const countings = plan.counts.map((count) => ({ count, id }))
  const related = await loadRelated(session, plan.lookups(state), countings)
  return plan.object(state, new SessionView(session, id, related))
}

/** Checks the precondition of a request against a view of the object that it is about. */
export const checkPrecondition = async (
  session: Session,
  precondition: Precondition,
  resource: Resource,
  { id, value }: Document,
): Promise<void> => requirePrecondition(precondition, await showObject(session, resource, id, value))

/**
 * One object as the caller's role sees it, with the objects that `include` names in `included`: one look-up, and one more
 * for what it refers to.
 */
export const readObject = (
  resource: Resource,
): ReadOperation<{ readonly id: string; readonly parameters: Parameters }, JsonObject> => ({
  ...operations.readObject(resource.collection),
  run: async (session, { id, parameters }) => {
    // Most requests have none.
    const paths = parameters['include'] === undefined ? [] : includePathsOf(resource, parameters)
    const { value } = await findVisible(session, resource, id)
    const object = await showObject(session, resource, id, value)
    if (paths.length === 0) return object
    return { ...object, included: await includedBy(session, resource, [value], paths) }
  },
})
