import {
  badParameters,
  content,
  contentInfo,
  E,
  matchesFilter,
  notFound,
  operations,
  parseObjectQuery,
  pipe,
  readPlan,
  TE,
  type Count,
  type JsonObject,
  type Parameters,
  type Resource,
  type Shape,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { SessionView } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { loadCounts } from './load-counts.js'
import { includedBy } from './load-included.js'
import { loadReferences, visibleDocuments } from './load-references.js'

/**
 * The initial document of an object with a reserved name, such as the homepage of a weekday. It is read until the
 * object is first written.
 */
export const initialDocument = ({ reservedIds = {} }: Resource, id: string): Document | null => {
  const named = Object.values(reservedIds).find((each) => each.id === id)
  return named === undefined ? null : { id, version: 0, value: named.initial }
}

/**
 * The document of an object that exists and that the caller may see; else NotFound
 * (docs/behaviour/errors.md#not-found).
 */
export const findVisible =
  (session: Session, resource: Resource, id: string): Outcome<Document> =>
  async () => {
    const stored = await session.documents.get(resource.collection, id)()
    if (E.isLeft(stored)) return stored
    const document = stored.right ?? initialDocument(resource, id)
    if (document === null) return E.left(notFound)
    const visibility = resource.visibility?.(session) ?? []
    if (visibility.length > 0 && !visibility.every((filter) => matchesFilter(filter, document.value)))
      return E.left(notFound)
    if (resource.visibleWith === undefined) return E.right(document)
    const visible = await visibleDocuments(session, resource, [document])()
    if (E.isLeft(visible)) return visible
    return visible.right.length > 0 ? E.right(document) : E.left(notFound)
  }

/** The view of a state that is already loaded. */
export const showObject =
  (session: Session, shape: Shape, id: string, state: JsonObject): Outcome<JsonObject> =>
  async () => {
    const plan = readPlan(shape, session)
    const [find, counted] = await Promise.all([
      loadReferences(session, plan.lookups(state))(),
      loadCounts(session, plan.counts, [id]),
    ])
    if (E.isLeft(find)) return find
    if (E.isLeft(counted)) return counted
    const count = (each: Count) => counted.right(each, id)
    return E.right(plan.object(state, new SessionView(session, id, { find: find.right, count })))
  }

/**
 * One object as the caller's role sees it, with the objects that `include` names in `included`: one look-up, and one more
 * for each collection that it refers to.
 */
export const readObject = (
  resource: Resource,
): ReadOperation<{ readonly id: string; readonly parameters: Parameters }, JsonObject> => ({
  ...operations.readObject(resource.collection),
  run:
    (session, { id, parameters }) =>
    async () => {
      const paths = parseObjectQuery(resource, parameters)
      if (E.isLeft(paths)) return E.left(badParameters(paths.left))
      const document = await findVisible(session, resource, id)()
      if (E.isLeft(document)) return document
      const { value } = document.right
      const object = await showObject(session, resource, id, value)()
      if (E.isLeft(object) || paths.right.length === 0) return object
      const included = await includedBy(session, resource, [value], paths.right)()
      return E.isLeft(included) ? included : E.right({ ...object.right, included: included.right })
    },
})

/** The additional information about one content object. */
export const readContentInfo: ReadOperation<{ readonly id: string }, JsonObject> = {
  ...operations.readContentInfo,
  run: (session, { id }) =>
    pipe(
      findVisible(session, content, id),
      TE.chain(({ value }) => showObject(session, contentInfo, id, value)),
    ),
}
