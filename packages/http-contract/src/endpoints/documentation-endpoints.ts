import { documentationPages, type PageName } from '../documentation-pages.js'
import type { PageEndpoint } from '../endpoint.js'

/** A page for each of `documentationPages`. */
export const documentationEndpoints: readonly PageEndpoint[] = Object.entries(documentationPages).map(
  ([page, { id, path, summary, description }]) => ({
    kind: 'page',
    operation: 'readPage',
    permission: null,
    page: page as PageName,
    id,
    method: 'GET',
    path,
    summary,
    description,
    caching: 'documentation',
    parameters: [],
    body: 'none',
    responsePayload: { _tag: 'Page' },
  }),
)
