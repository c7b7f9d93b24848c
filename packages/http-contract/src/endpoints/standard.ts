import type { Endpoint } from '../endpoint.js'

/** What most endpoints have in common. */
export const standard: Pick<Endpoint, 'body' | 'caching' | 'parameters'> = {
  body: 'none',
  caching: 'none',
  parameters: [],
}
