import {
  E,
  lookupsOf,
  meets,
  notFound,
  pipe,
  TE,
  viewOf,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { Document, DocumentStore } from '@publishing-service/ports'
import { viewerOf, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import { loadReferences } from './load-references.js'

/** What stands for an object that has a word of its own, until it is first written. */
const unwritten = ({ words = {} }: Resource, id: string): Document | null => {
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
  (resource: Resource, caller: Caller, id: string, state: JsonObject): Outcome<JsonObject> =>
    pipe(
      loadReferences(documents)(caller, lookupsOf(resource, state)),
      TE.map((find) => viewOf(resource, state, { ...viewerOf(caller), id, links: caller.links, find })),
    )

/** One object as the caller's role sees it: one look-up, and one more for each collection that it refers to. */
export const readObject =
  (documents: DocumentStore) =>
  (resource: Resource, caller: Caller, id: string): Outcome<JsonObject> =>
    pipe(
      findVisible(documents)(resource, caller, id),
      TE.chain((document) => showObject(documents)(resource, caller, id, document.value)),
    )
