import {
  displayName,
  isPredicate,
  notFound,
  pipe,
  taggingsOf,
  TE,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import { loadReferences, lookupsOfReferences } from '../objects/load-references.js'
import { findVisible } from '../objects/read-object.js'

/** The tags of an object, by one predicate or by all, as far as the caller may see them (decisions §11). */
export const listTags =
  (documents: DocumentStore) =>
  (
    resource: Resource,
    caller: Caller,
    id: string,
    predicate: string | null,
  ): Outcome<readonly JsonObject[]> => {
    if (predicate !== null && !isPredicate(predicate)) return TE.left(notFound)
    return pipe(
      findVisible(documents)(resource, caller, id),
      TE.chain(({ value }) => {
        const taggings = taggingsOf(value).filter(
          (each) => predicate === null || each.predicate === predicate,
        )
        const references = taggings.map(({ tag }) => ({ path: '', collection: 'tags', id: tag }))
        return pipe(
          loadReferences(documents)(caller, lookupsOfReferences(references)),
          TE.map((find) =>
            taggings.flatMap((each) => {
              const tag = find('tags', each.tag)
              if (tag === undefined) return []
              return [
                {
                  uuid: each.tag,
                  url: caller.links.object('tags', each.tag),
                  predicate: each.predicate,
                  title: displayName(tag),
                  type: tag['type'] ?? null,
                  state: tag['state'] ?? null,
                },
              ]
            }),
          ),
        )
      }),
    )
  }
