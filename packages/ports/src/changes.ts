import type { Change } from './document-store.js'

/** Whether a part of a write changes nothing, and only expects something. */
export const isExpectation = ({ kind }: Pick<Change, 'kind'>): boolean =>
  kind === 'expect' || kind === 'expect none'

type Named = { readonly id: string } | { readonly document: { readonly id: string } }

/** The id of the document that is changed or expected. */
export const idOfChange = (change: Named): string => ('document' in change ? change.document.id : change.id)
