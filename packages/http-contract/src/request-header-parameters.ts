import type { Schema } from '@publishing-service/domain/declare'
import { needsToken, type Endpoint } from './endpoint.js'

const text = { type: 'string' } as const

type HeaderParameter = {
  readonly description: string
  readonly schema: Schema
  /** Whether an endpoint reads it. */
  readonly appliesTo: (endpoint: Endpoint) => boolean
}

const isRead = ({ method }: Endpoint): boolean => method === 'GET'

/** The request headers that the service reads, except Accept, Content-Type and Authorization. */
export const requestHeaderParameters: Readonly<Record<string, HeaderParameter>> = {
  'X-Request-Id': {
    description: 'Identifies the request in the log of the service and in the response.',
    schema: text,
    appliesTo: () => true,
  },
  Prefer: {
    description:
      '`handling=strict` makes unknown attributes and parameters faults; by default they are ignored.',
    schema: text,
    appliesTo: needsToken,
  },
  'Cache-Control': {
    description: '`no-cache` bypasses the response cache of the service, which makes the response slower.',
    schema: text,
    appliesTo: (endpoint) =>
      isRead(endpoint) && endpoint.permission !== null && endpoint.responsePayload._tag !== 'Data',
  },
  'If-None-Match': {
    description:
      'On a read: the entity tags of responses that the client has; if one is current, the response is 304. On a write: `*` permits creation, but not replacement.',
    schema: text,
    appliesTo: (endpoint) => (endpoint.method === 'GET' ? endpoint.caching !== 'none' : needsToken(endpoint)),
  },
  'If-Match': {
    description:
      'The entity tag of the representation that the change is based on; 412 if it is not current.',
    schema: text,
    appliesTo: (endpoint) => endpoint.method !== 'GET' && needsToken(endpoint),
  },
  Range: {
    description:
      'The requested part of the data, such as `bytes=0-1023`; a request for several parts returns the whole.',
    schema: text,
    appliesTo: ({ responsePayload }) => responsePayload._tag === 'Data',
  },
  'If-Range': {
    description:
      'The entity tag that the data must have for `Range` to apply; otherwise the response is the whole.',
    schema: text,
    appliesTo: ({ responsePayload }) => responsePayload._tag === 'Data',
  },
}
