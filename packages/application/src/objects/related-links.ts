import {
  badParameters,
  content,
  draftItem,
  draftItems,
  hasVisibleTarget,
  linkCountFaults,
  maxRelatedLinks,
  operations,
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
  type ViewContext,
} from '@publishing-service/domain'
import { valueContextOf, SessionView } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { changePart, checkDraft } from './change-part.js'
import { loadReferences, lookupsOfStates } from './load-references.js'
import { findVisible } from './read-object.js'

const linksView = (session: Session, { items }: StoredLinks): Outcome<ViewContext> =>
  pipe(
    loadReferences(session, lookupsOfStates(session, relatedLink, items)),
    TE.map((find) => new SessionView(session, '', { find })),
  )

const showLinks = (
  session: Session,
  links: StoredLinks,
  where: readonly Filter[],
): Outcome<readonly JsonObject[]> =>
  pipe(
    linksView(session, links),
    TE.map((view) => viewLinks(links, view, where)),
  )

/** The related links of a content object that the caller may see, in their order. */
export const readRelatedLinks: ReadOperation<
  { readonly id: string; readonly parameters: Parameters },
  readonly JsonObject[]
> = {
  ...operations.readRelatedLinks,
  run: (session, { id, parameters }) =>
    pipe(
      TE.fromEither(parseRelatedLinksQuery(parameters, session)),
      TE.mapLeft((faults): Failure => badParameters(faults)),
      TE.chain((where) =>
        pipe(
          findVisible(session, content, id),
          TE.chain(({ value }) => showLinks(session, relatedLinksOf(value), where)),
        ),
      ),
    ),
}

const changeLinks = (session: Session, id: string, draft: ItemsDraft, appends: boolean): Outcome<void> => {
  const sent = draft.items

  const show = (state: JsonObject): Outcome<JsonObject> =>
    pipe(
      showLinks(session, relatedLinksOf(state), []),
      TE.map((items) => ({ items })),
    )

  const added = (links: StoredLinks): Outcome<readonly JsonObject[]> => {
    const all = [...links.items, ...sent]
    if (linkCountFaults(all).length === 0) return TE.right(all)
    // Links to deleted objects do not count.
    return pipe(
      linksView(session, links),
      TE.map((view) => [...links.items.filter((link) => hasVisibleTarget(link, view)), ...sent]),
      TE.chain((items) => {
        const tooMany = linkCountFaults(items)
        return tooMany.length > 0 ? TE.left<Failure>(badParameters(tooMany)) : TE.right(items)
      }),
    )
  }

  const change = (state: JsonObject): Outcome<JsonObject> =>
    pipe(
      checkDraft(session, draft),
      TE.chain(() => (appends ? added(relatedLinksOf(state)) : TE.right(sent))),
      TE.map((items) => ({ ...state, related_links: { items } })),
    )

  return changePart(session, content, id, { show, change })
}

type Change = { readonly id: string; readonly body: JsonObject }

/** Replaces the related links: `{items: [{…}]}`. */
export const replaceRelatedLinks: WriteOperation<Change, void> = {
  ...operations.replaceRelatedLinks,
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => {
    const context = valueContextOf(session)
    return changeLinks(session, id, draftItems(relatedLink, body, context, maxRelatedLinks), false)
  },
}

/** Appends a related link. */
export const addRelatedLink: WriteOperation<Change, void> = {
  ...operations.addRelatedLink,
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => {
    const draft = draftItem(relatedLink, body, valueContextOf(session))
    return changeLinks(session, id, draft, true)
  },
}
