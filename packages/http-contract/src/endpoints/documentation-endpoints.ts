import { documentationPages, type PageName } from '../documentation-pages.js'
import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

/** A page for each of `documentationPages`. */
export const documentationEndpoints: readonly Endpoint[] = Object.entries(documentationPages).map(
  ([page, { id, path, summary, description }]) => ({
    ...standard,
    permission: null,
    operation: 'readPage',
    page: page as PageName,
    id,
    method: 'GET',
    path,
    summary,
    description,
    caching: 'documentation',
    gives: { _tag: 'Page' },
  }),
)
