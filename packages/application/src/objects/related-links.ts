import {
  badParameters,
  content,
  draftFaults,
  draftItem,
  draftItems,
  leadsSomewhere,
  linkCountFaults,
  maxRelatedLinks,
  parseRelatedLinksQuery,
  pipe,
  relatedLink,
  relatedLinksOf,
  TE,
  viewLinks,
  type Filter,
  type ItemsDraft,
  type JsonObject,
  type Parameters,
  type StoredLinks,
  type View,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewerOf, viewBy, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { Deployment } from '../ports.js'
import { loadReferenced, loadReferences, lookupsOfReferences, lookupsOfStates } from './load-references.js'
import { permits, type Precondition } from './precondition.js'
import { findVisible } from './read-object.js'
import { writableBy, type UpdateDocument } from './update-document.js'

const viewOn =
  (documents: DocumentStore) =>
  (caller: Caller, { items }: StoredLinks): Outcome<View> =>
    pipe(
      loadReferences(documents)(caller, lookupsOfStates(relatedLink, items)),
      TE.map((find) => viewBy(caller, '', { find })),
    )

const showLinks =
  (documents: DocumentStore) =>
  (caller: Caller, links: StoredLinks, where: readonly Filter[]): Outcome<readonly JsonObject[]> =>
    pipe(
      viewOn(documents)(caller, links),
      TE.map((view) => viewLinks(links, view, where)),
    )

/** The related links of a content object that the caller may see, in their order. */
export const readRelatedLinks =
  (documents: DocumentStore) =>
  (caller: Caller, id: string, parameters: Parameters): Outcome<readonly JsonObject[]> =>
    pipe(
      TE.fromEither(parseRelatedLinksQuery(parameters, viewerOf(caller), caller.strict)),
      TE.mapLeft((faults): Failure => badParameters(faults)),
      TE.chain((where) =>
        pipe(
          findVisible(documents)(content, caller, id),
          TE.chain(({ value }) => showLinks(documents)(caller, relatedLinksOf(value), where)),
        ),
      ),
    )

const createChangeLinks =
  (documents: DocumentStore, update: UpdateDocument) =>
  (
    caller: Caller,
    id: string,
    { items: sent, references, faults }: ItemsDraft,
    precondition: Precondition | undefined,
    keepsOthers: boolean,
  ): Outcome<void> => {
    const permitted = (links: StoredLinks): Outcome<void> =>
      precondition === undefined
        ? TE.right(undefined)
        : pipe(
            showLinks(documents)(caller, links, []),
            TE.chainEitherKW((items) => permits(precondition, { items })),
          )

    const added = (links: StoredLinks): Outcome<readonly JsonObject[]> => {
      const all = [...links.items, ...sent]
      if (linkCountFaults(all).length === 0) return TE.right(all)
      // Links that lead nowhere any more do not count.
      return pipe(
        viewOn(documents)(caller, links),
        TE.map((view) => [...links.items.filter((link) => leadsSomewhere(link, view)), ...sent]),
        TE.chain((items) => {
          const tooMany = linkCountFaults(items)
          return tooMany.length > 0 ? TE.left<Failure>(badParameters(tooMany)) : TE.right(items)
        }),
      )
    }

    const change = (state: JsonObject): Outcome<JsonObject> => {
      const links = relatedLinksOf(state)
      return pipe(
        permitted(links),
        TE.chain(() => loadReferenced(documents)(caller, lookupsOfReferences(references))),
        TE.chain((found) => {
          const all = draftFaults({ faults, references }, found)
          return all.length > 0 ? TE.left<Failure>(badParameters(all)) : TE.right(undefined)
        }),
        TE.chain(() => (keepsOthers ? added(links) : TE.right(sent))),
        TE.map((items) => ({ ...state, related_links: { items } })),
      )
    }

    return pipe(
      update(writableBy(content, caller), id, change),
      TE.map(() => undefined),
    )
  }

/** Replaces the related links: `{items: [{…}]}`. */
export const replaceRelatedLinks = (
  documents: DocumentStore,
  update: UpdateDocument,
  deployment: Deployment,
) => {
  const changeLinks = createChangeLinks(documents, update)
  return (caller: Caller, id: string, input: JsonObject, precondition?: Precondition): Outcome<void> => {
    const context = valueContextOf(caller, deployment.streamingHosts)
    return changeLinks(
      caller,
      id,
      draftItems(relatedLink, input, context, maxRelatedLinks),
      precondition,
      false,
    )
  }
}

/** Adds a related link behind the others. */
export const addRelatedLink = (documents: DocumentStore, update: UpdateDocument, deployment: Deployment) => {
  const changeLinks = createChangeLinks(documents, update)
  return (caller: Caller, id: string, input: JsonObject, precondition?: Precondition): Outcome<void> => {
    const draft = draftItem(relatedLink, input, valueContextOf(caller, deployment.streamingHosts))
    return changeLinks(caller, id, draft, precondition, true)
  }
}
