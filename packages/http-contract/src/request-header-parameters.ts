import type { Schema } from '@publishing-service/domain'
import type { Endpoint } from './endpoint.js'

const text = { type: 'string' } as const

type HeaderParameter = {
  readonly description: string
  readonly schema: Schema
  /** Whether an endpoint looks at it. */
  readonly appliesTo: (endpoint: Endpoint) => boolean
}

const isRead = ({ method }: Endpoint): boolean => method === 'GET'

/** The request headers that mean something, with what they do; Accept, Content-Type and Authorization are elsewhere. */
export const requestHeaderParameters: Readonly<Record<string, HeaderParameter>> = {
  'X-Request-Id': {
    description: 'Names the request in the service’s log and in the answer.',
    schema: text,
    appliesTo: () => true,
  },
  Prefer: {
    description: '`handling=strict` makes unknown attributes and parameters faults; else they are ignored.',
    schema: text,
    appliesTo: ({ permission, body, gives, parameters }) =>
      permission !== null &&
      (body === 'object' || body === 'optional object' || gives._tag === 'Rows' || parameters.length > 0) &&
      gives._tag !== 'Data',
  },
  'Cache-Control': {
    description: '`no-cache` gets past the service’s own cache. It slows the answer.',
    schema: text,
    appliesTo: (endpoint) =>
      isRead(endpoint) && endpoint.permission !== null && endpoint.gives._tag !== 'Data',
  },
  'If-None-Match': {
    description:
      'On a read: the tags of answers that the client has; where one holds, the answer is 304. On a write: `*` lets it create, but not replace.',
    schema: text,
    appliesTo: ({ method, caching, permission }) =>
      method === 'GET' ? caching !== 'none' : permission !== null,
  },
  'If-Match': {
    description: 'The tag of the answer that the change was made from; 412 where it no longer holds.',
    schema: text,
    appliesTo: ({ method, permission }) => method !== 'GET' && permission !== null,
  },
  Range: {
    description: 'The part of the data that is asked for, as `bytes=0-1023`; several parts get the whole.',
    schema: text,
    appliesTo: ({ gives }) => gives._tag === 'Data',
  },
  'If-Range': {
    description: 'The tag that the part has to be of; else the answer is the whole.',
    schema: text,
    appliesTo: ({ gives }) => gives._tag === 'Data',
  },
}
