import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

/** What belongs to no instance. */
export const serviceEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    permission: null,
    operation: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a key for an access token',
    body: 'form',
  },
  {
    ...standard,
    permission: null,
    operation: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the process runs',
  },
  {
    ...standard,
    permission: null,
    operation: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the service can serve',
  },
  {
    ...standard,
    permission: null,
    operation: 'readErrorReference',
    method: 'GET',
    path: '/docs/errors',
    summary: 'What each error code means',
  },
]
