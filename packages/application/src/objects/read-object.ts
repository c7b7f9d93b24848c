import {
  content,
  contentInfo,
  countsOf,
  E,
  lookupsOf,
  meets,
  notFound,
  pipe,
  TE,
  viewOf,
  type JsonObject,
  type Resource,
  type Shape,
} from '@publishing-service/domain'
import type { Document, DocumentStore } from '@publishing-service/ports'
import { viewerOf, viewBy, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import { loadCounts } from './load-counts.js'
import { loadReferences } from './load-references.js'

/** The document of an object that a word names (a weekday's homepage), as it reads until it is first written. */
export const unwritten = ({ words = {} }: Resource, id: string): Document | null => {
  const named = Object.values(words).find((each) => each.id === id)
  return named === undefined ? null : { id, version: 0, value: named.initial }
}

/** The document of an object that exists and that the caller may see; else NotFound (decisions §3). */
export const findVisible =
  (documents: DocumentStore) =>
  (resource: Resource, caller: Caller, id: string): Outcome<Document> =>
    pipe(
      documents.get(resource.collection, caller.instance.number, id),
      TE.chainEitherKW((stored) => {
        const document = stored ?? unwritten(resource, id)
        return document !== null &&
          (resource.visibility?.(viewerOf(caller)) ?? []).every((filter) => meets(filter, document.value))
          ? E.right(document)
          : E.left(notFound)
      }),
    )

/** The view of a state that is already at hand. */
export const showObject =
  (documents: DocumentStore) =>
  (shape: Shape, caller: Caller, id: string, state: JsonObject): Outcome<JsonObject> =>
    pipe(
      TE.Do,
      TE.apS('find', loadReferences(documents)(caller, lookupsOf(shape, state))),
      TE.apS('counted', loadCounts(documents)(caller, countsOf(shape), [id])),
      TE.map(({ find, counted }) =>
        viewOf(shape, state, viewBy(caller, id, { find, count: (count) => counted(count, id) })),
      ),
    )

/** One object as the caller's role sees it: one look-up, and one more for each collection that it refers to. */
export const readObject =
  (documents: DocumentStore) =>
  (resource: Resource, caller: Caller, id: string): Outcome<JsonObject> =>
    pipe(
      findVisible(documents)(resource, caller, id),
      TE.chain((document) => showObject(documents)(resource, caller, id, document.value)),
    )

/** The additional information about one content object. */
export const readContentInfo =
  (documents: DocumentStore) =>
  (caller: Caller, id: string): Outcome<JsonObject> =>
    pipe(
      findVisible(documents)(content, caller, id),
      TE.chain(({ value }) => showObject(documents)(contentInfo, caller, id, value)),
    )
