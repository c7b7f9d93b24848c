import { visitorOperations } from '@publishing-service/access'
import { serviceEndpoint } from '../endpoint.js'
import type { Payload } from '../payload.js'
import { serviceName } from '../api-version.js'
import type { Schema } from '@publishing-service/domain/declare'
import { roles } from '@publishing-service/domain/roles'

const tokenRequest: Payload = {
  _tag: 'Form',
  name: 'TokenRequest',
  example: {
    grant_type: 'client_credentials',
    api_key: 'example-key-of-the-demo',
    api_secret: 'an-example-of-a-secret-that-nobody-may-know',
  },
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
    description: 'An access token, and the instances on which it can be used.',
    properties: {
      access_token: { type: 'string', description: 'Send it as `Authorization: Bearer`.' },
      token_type: { type: 'string', enum: ['bearer'], description: 'Always `bearer`.' },
      expires_in: { type: 'integer', minimum: 1, description: 'Lifetime in seconds.' },
      items: {
        type: 'array',
        description: 'The instances on which it can be used, by id.',
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

const revocation: Payload = {
  _tag: 'Form',
  name: 'RevocationRequest',
  example: { token: 'example-of-an-access-token' },
  schema: {
    type: 'object',
    description: 'A token that is not needed any more.',
    properties: {
      token: {
        type: 'string',
        minLength: 1,
        format: 'password',
        writeOnly: true,
        description: 'The access token.',
      },
      token_type_hint: { type: 'string', description: 'Ignored: all tokens are access tokens.' },
    },
    required: ['token'],
  },
}

const revoked: Payload = {
  _tag: 'Fixed',
  name: 'Revoked',
  schema: { type: 'object', description: 'The token is not valid. There is nothing else to say.' },
}

const status = (word: string): Readonly<Record<'status', Schema>> => ({
  status: { type: 'string', enum: [word], description: `Always \`${word}\`.` },
})

const liveness: Payload = {
  _tag: 'Fixed',
  name: 'Liveness',
  schema: {
    type: 'object',
    description: 'The process is running.',
    properties: {
      ...status('live'),
      forwarded: {
        type: 'object',
        description:
          'What the headers `X-Forwarded-*` of this request say, whether they are trusted or not: for the operator of a proxy.',
        properties: {
          for: { type: 'boolean', description: 'Whether there is an address of a client.' },
          proto: {
            type: 'string',
            enum: ['', 'http', 'https'],
            description: 'The scheme; empty without one.',
          },
          host: { type: 'string', description: 'The host; empty without one.' },
        },
        required: ['for', 'proto', 'host'],
      },
    },
    required: ['status', 'forwarded'],
  },
}

const readiness: Payload = {
  _tag: 'Fixed',
  name: 'Readiness',
  schema: {
    type: 'object',
    description: 'Requests can be served. Errors that need an operator are listed.',
    properties: {
      ...status('ready'),
      version: { type: 'string', description: 'Version of the service, such as `0.1.0`.' },
      errors: {
        type: 'array',
        description: 'Errors that need an operator; empty if there are none.',
        items: {
          type: 'object',
          description: 'An error that does not prevent requests from being served.',
          properties: {
            part: { type: 'string', description: 'The affected part.' },
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
    description: 'The service, with the addresses of its documentation and dashboard.',
    properties: {
      name: { type: 'string', enum: [serviceName], description: `Always \`${serviceName}\`.` },
      version: { type: 'string', description: 'Release of the API.' },
      openapi_url: address('the OpenAPI document'),
      docs_url: address('the reference for people'),
      dashboard_url: address('the dashboard for people'),
      health_url: address('the health check'),
    },
    required: ['name', 'version', 'openapi_url', 'docs_url', 'dashboard_url', 'health_url'],
  },
}

/** Endpoints that belong to no instance. */
export const serviceEndpoints = {
  readService: serviceEndpoint({
    operation: visitorOperations.readService,
    id: 'readService',
    method: 'GET',
    path: '/',
    summary: 'Describe the service',
    description:
      'Its name and release, and the addresses of its documentation and dashboard. A client that prefers `text/html`, as browsers do, is redirected to `/docs`.',
    caching: 'documentation',
    responsePayload: service,
    htmlAt: 'reference',
    redirects: 'To an HTML page.',
  }),
  exchangeToken: serviceEndpoint({
    operation: visitorOperations.exchangeToken,
    id: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a key for an access token',
    description:
      'OAuth 2.0 with the grant type `client_credentials`. A token is valid for one day; get a new one when it has expired. Failed attempts are limited.',
    body: 'form',
    requestPayload: tokenRequest,
    responsePayload: token,
  }),
  revokeToken: serviceEndpoint({
    operation: visitorOperations.revokeToken,
    id: 'revokeToken',
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke an access token',
    description:
      'RFC 7009. The token itself is the authority; a key is not needed. An unknown or expired token returns the same response. The other tokens of the key stay valid.',
    body: 'form',
    requestPayload: revocation,
    responsePayload: revoked,
  }),
  readLiveness: serviceEndpoint({
    operation: visitorOperations.readLiveness,
    id: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Check whether the process is running',
    description: 'Responds as long as the process is running; nothing else is checked.',
    responsePayload: liveness,
    unlimited: true,
  }),
  readReadiness: serviceEndpoint({
    operation: visitorOperations.readReadiness,
    id: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    summary: 'Check whether the service is ready',
    description:
      'Checks the stores; 503 while one is unavailable, and while the service shuts down. `errors` lists what needs an operator although requests are served.',
    responsePayload: readiness,
    unlimited: true,
  }),
  readOpenApi: serviceEndpoint({
    operation: visitorOperations.readOpenApi,
    id: 'readOpenApi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Read the OpenAPI document',
    description: 'The API as an OpenAPI 3.1 document, the same for every instance and role.',
    caching: 'documentation',
    responsePayload: { _tag: 'Document' },
  }),
}
