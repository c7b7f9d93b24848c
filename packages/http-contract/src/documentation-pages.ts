type Page = {
  /** The operation’s id. */
  readonly id: string
  readonly path: string
  /** Its title. */
  readonly summary: string
  readonly description: string
}

/**
 * The pages for people. The error page’s address stands in `error_uri` of every error
 * (docs/behaviour/errors.md#body).
 */
export const documentationPages = {
  reference: {
    id: 'readReference',
    path: '/docs',
    summary: 'Reference',
    description: 'A page for people: every operation, to read and to try.',
  },
  objects: {
    id: 'readObjectReference',
    path: '/docs/objects',
    summary: 'Objects',
    description: 'A page for people: what every object is made of, attribute by attribute.',
  },
  requests: {
    id: 'readRequestGuide',
    path: '/docs/requests',
    summary: 'Requests',
    description: 'A page for people: tokens, lists, caching and conditional requests, with commands to copy.',
  },
  markup: {
    id: 'readMarkupReference',
    path: '/docs/markup',
    summary: 'Body markup',
    description: 'A page for people: what may stand in a body, and what is told of each fault.',
  },
  errors: {
    id: 'readErrorReference',
    path: '/docs/errors',
    summary: 'Errors',
    description: 'A page for people: what each error code means and what to do. `error_uri` leads here.',
  },
} as const satisfies Readonly<Record<string, Page>>

export type PageName = keyof typeof documentationPages
