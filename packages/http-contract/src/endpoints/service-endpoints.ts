import type { ServiceEndpoint } from '../endpoint.js'
import type { Payload } from '../payload.js'
import { serviceName } from '../api-version.js'
import { roles, type Schema } from '@publishing-service/domain'

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

const status = (word: string): Readonly<Record<'status', Schema>> => ({
  status: { type: 'string', enum: [word], description: `Always \`${word}\`.` },
})

const liveness: Payload = {
  _tag: 'Fixed',
  name: 'Liveness',
  schema: {
    type: 'object',
    description: 'That the process runs.',
    properties: status('live'),
    required: ['status'],
  },
}

const readiness: Payload = {
  _tag: 'Fixed',
  name: 'Readiness',
  schema: {
    type: 'object',
    description: 'That requests can be served, and what an operator has to act on all the same.',
    properties: {
      ...status('ready'),
      version: { type: 'string', description: 'Version of the service, such as `0.1.0`.' },
      errors: {
        type: 'array',
        description: 'What an operator has to act on; empty where all is well.',
        items: {
          type: 'object',
          description: 'An error that keeps no request from being served.',
          properties: {
            part: { type: 'string', description: 'The part that it is about.' },
            text: { type: 'string', description: 'What is wrong, and what to do.' },
          },
          required: ['part', 'text'],
        },
      },
    },
    required: ['status', 'version', 'errors'],
  },
}

const address = (what: string): Schema => ({
  type: 'string',
  format: 'uri',
  description: `Address of ${what}.`,
})

const service: Payload = {
  _tag: 'Fixed',
  name: 'Service',
  schema: {
    type: 'object',
    description: 'The service, and where it is described.',
    properties: {
      name: { type: 'string', enum: [serviceName], description: `Always \`${serviceName}\`.` },
      version: { type: 'string', description: 'Release of the API.' },
      openapi_url: address('the OpenAPI document'),
      docs_url: address('the reference for people'),
      health_url: address('the health check'),
    },
    required: ['name', 'version', 'openapi_url', 'docs_url', 'health_url'],
  },
}

const common = { kind: 'service', permission: null, caching: 'none', parameters: [], body: 'none' } as const

/** What belongs to no instance. */
export const serviceEndpoints: readonly ServiceEndpoint[] = [
  {
    ...common,
    operation: 'readService',
    id: 'readService',
    method: 'GET',
    path: '/',
    summary: 'What the service is',
    description:
      'Its name and release, and the addresses of its descriptions. A client that prefers `text/html`, as browsers do, is redirected to `/docs`.',
    caching: 'documentation',
    gives: service,
    htmlAt: 'reference',
  },
  {
    ...common,
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
    problems: ['InvalidTokenRequest', 'UnsupportedGrantType', 'InvalidClient'],
  },
  {
    ...common,
    operation: 'readLiveness',
    id: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the process runs',
    description: 'Answers as long as the process can answer at all; nothing else is looked at.',
    gives: liveness,
    unlimited: true,
  },
  {
    ...common,
    operation: 'readReadiness',
    id: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the service can serve',
    description:
      'Looks at the stores; 503 while one is out of reach, and while the service shuts down. What an operator has to act on although requests are served is in `errors`.',
    gives: readiness,
    unlimited: true,
  },
  {
    ...common,
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
