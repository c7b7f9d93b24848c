type Page = {
  /** The id of the operation. */
  readonly id: string
  readonly path: string
  /** The title of the page. */
  readonly summary: string
  readonly description: string
}

/** The HTML pages. The address of the error page is the `error_uri` of every error (docs/behaviour/errors.md#body). */
export const documentationPages = {
  reference: {
    id: 'readReference',
    path: '/docs',
    summary: 'Reference',
    description: 'An HTML page with every operation, to read and to try.',
  },
  objects: {
    id: 'readObjectReference',
    path: '/docs/objects',
    summary: 'Objects',
    description: 'An HTML page with the attributes of every object.',
  },
  requests: {
    id: 'readRequestGuide',
    path: '/docs/requests',
    summary: 'Requests',
    description: 'An HTML page about tokens, lists, caching and conditional requests, with commands to copy.',
  },
  markup: {
    id: 'readMarkupReference',
    path: '/docs/markup',
    summary: 'Body markup',
    description: 'An HTML page about the markup of bodies, with the message of each fault.',
  },
  errors: {
    id: 'readErrorReference',
    path: '/docs/errors',
    summary: 'Errors',
    description: 'An HTML page with the meaning of each error code and what to do. `error_uri` leads here.',
  },
} as const satisfies Readonly<Record<string, Page>>

export type PageName = keyof typeof documentationPages
