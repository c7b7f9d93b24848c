import type { Endpoint } from '../endpoint.js'
import type { Payload } from '../payload.js'
import { standard } from './standard.js'
import { roles } from '@publishing-service/domain'

const tokenRequest: Payload = {
  _tag: 'Form',
  name: 'TokenRequest',
  schema: {
    type: 'object',
    description: 'A key, to be exchanged for a token.',
    properties: {
      grant_type: {
        type: 'string',
        enum: ['client_credentials'],
        description: 'Always `client_credentials`.',
      },
      api_key: { type: 'string', minLength: 1, description: 'The API key.' },
      api_secret: {
        type: 'string',
        minLength: 1,
        format: 'password',
        writeOnly: true,
        description: 'Its secret.',
      },
    },
    required: ['grant_type', 'api_key', 'api_secret'],
  },
}

const token: Payload = {
  _tag: 'Fixed',
  name: 'Token',
  schema: {
    type: 'object',
    description: 'An access token, and where it may be used.',
    properties: {
      access_token: { type: 'string', description: 'Send it as `Authorization: Bearer`.' },
      token_type: { type: 'string', enum: ['bearer'], description: 'Always `bearer`.' },
      expires_in: { type: 'integer', minimum: 1, description: 'How long it holds, in seconds.' },
      items: {
        type: 'array',
        description: 'The instances that it may be used on, by id.',
        items: {
          type: 'object',
          description: 'An instance, and the roles that the token has there.',
          properties: {
            id: { type: 'integer', minimum: 1, description: 'Number of the instance, as in paths.' },
            roles: {
              type: 'array',
              description: 'The roles.',
              items: { type: 'string', enum: roles, description: 'A role.' },
            },
            url: { type: 'string', format: 'uri', description: 'Address of the instance.' },
          },
          required: ['id', 'roles', 'url'],
        },
      },
    },
    required: ['access_token', 'token_type', 'expires_in', 'items'],
  },
}

const health = (status: string): Payload => ({
  _tag: 'Fixed',
  name: status === 'live' ? 'Liveness' : 'Readiness',
  schema: {
    type: 'object',
    description: 'That all is well.',
    properties: { status: { type: 'string', enum: [status], description: `Always \`${status}\`.` } },
    required: ['status'],
  },
})

/** What belongs to no instance. */
export const serviceEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    permission: null,
    operation: 'exchangeToken',
    id: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a key for an access token',
    description:
      'OAuth 2.0 with the grant type `client_credentials`. The token holds for a day; get a new one when it has expired. Who guesses too often has to wait.',
    body: 'form',
    takes: tokenRequest,
    gives: token,
    problems: ['InvalidTokenRequest', 'UnsupportedGrantType', 'InvalidClient', 'TooManyRequests'],
  },
  {
    ...standard,
    permission: null,
    operation: 'readLiveness',
    id: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the process runs',
    description: 'Answers as long as the process can answer at all; nothing else is looked at.',
    gives: health('live'),
  },
  {
    ...standard,
    permission: null,
    operation: 'readReadiness',
    id: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the service can serve',
    description: 'Looks at the stores; 503 while one is out of reach, and while the service shuts down.',
    gives: health('ready'),
  },
  {
    ...standard,
    permission: null,
    operation: 'readOpenApi',
    id: 'readOpenApi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The API as an OpenAPI 3.1 document, the same for every instance and role.',
    caching: 'documentation',
    gives: { _tag: 'Document' },
  },
]
