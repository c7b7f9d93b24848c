import { badParameters, content, type ViewContext } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { draftItem } from '@publishing-service/domain/declare'
import {
  hasVisibleTarget,
  linkCountFaults,
  maxRelatedLinks,
  parseRelatedLinksQuery,
  relatedLink,
  relatedLinksOf,
  viewLinks,
  visibleLinks,
  type StoredLinks,
} from '@publishing-service/domain/content'
import { parseIncludePaths, type Parameters } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { draftItems, type ItemsDraft } from '@publishing-service/domain/engine'
import { accepted, allOf, fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { changePart, checkDraft } from '../engine/change-part.js'
import { loadReferences, lookupsOfStates } from '../engine/load-related.js'
import { findVisible } from '../engine/read-one.js'
import { showItems, type ShownItems } from '../engine/show-items.js'

const linksView = async (session: Session, { items }: StoredLinks): Promise<ViewContext> => {
  const find = await loadReferences(session, lookupsOfStates(session, relatedLink, items))
  return new SessionView(session, '', { find })
}

/** The related links of a content object that the caller may see, in their order. */
export const readRelatedLinks: ReadOperation<
  { readonly id: string; readonly parameters: Parameters },
  ShownItems
> = {
  ...operations.readRelatedLinks,
  run: async (session, { id, parameters }) => {
    const [paths, where] = accepted(
      allOf(parseIncludePaths(relatedLink, parameters), parseRelatedLinksQuery(parameters, session)),
    )
    const { value } = await findVisible(session, content, id)
    const links = relatedLinksOf(value)
    const view = await linksView(session, links)
    const shown = visibleLinks(links, view, where)
    return showItems(
      session,
      relatedLink,
      shown.map((state) => ({ state, view })),
      paths,
    )
  },
}

const changeLinks = (session: Session, id: string, draft: ItemsDraft, appends: boolean): Promise<void> => {
  const sent = draft.items
  const withAdded = async (links: StoredLinks): Promise<readonly JsonObject[]> => {
    const all = [...links.items, ...sent]
    if (linkCountFaults(all).length === 0) return all
    // Links to deleted objects do not count.
    const view = await linksView(session, links)
    const items = [...links.items.filter((link) => hasVisibleTarget(link, view)), ...sent]
    const tooMany = linkCountFaults(items)
    if (tooMany.length > 0) fail(badParameters(tooMany))
    return items
  }
  return changePart(session, content, id, {
    show: async (state) => {
      const links = relatedLinksOf(state)
      return { items: viewLinks(links, await linksView(session, links), []) }
    },
    change: async (state) => {
      await checkDraft(session, draft)
      const items = appends ? await withAdded(relatedLinksOf(state)) : sent
      return { ...state, related_links: { items } }
    },
  })
}

type Change = { readonly id: string; readonly body: JsonObject }

/** Replaces the related links: `{items: [{…}]}`. */
export const replaceRelatedLinks: WriteOperation<Change, void> = {
  ...operations.replaceRelatedLinks,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    const context = valueContextOf(session)
    return changeLinks(session, id, draftItems(relatedLink, body, context, maxRelatedLinks), false)
  },
}

/** Appends a related link. */
export const addRelatedLink: WriteOperation<Change, void> = {
  ...operations.addRelatedLink,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    const draft = draftItem(relatedLink, body, valueContextOf(session))
    return changeLinks(session, id, draft, true)
  },
}
