import { operations } from '@publishing-service/domain/roles'
import type { Schema } from '@publishing-service/domain/declare'
import {
  deliveryAttributes,
  deliveryRows,
  mostWebhooks,
  webhookRows,
} from '@publishing-service/domain/webhooks'
import { instanceEndpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, fixed, json, objectOf, rowsOf, writtenIn, type Response } from '../response.js'

const webhook: NamedShape = {
  name: 'Webhook',
  description: 'A web hook: an address that receives what happens to public objects.',
  shape: {
    ...webhookRows,
    examples: {
      bodies: [
        {
          url: 'https://www.example.org/hooks/publishing',
          events: ['content.published', 'content.updated', 'content.unpublished', 'content.deleted'],
          description: 'Builds the pages of the website.',
        },
      ],
    },
  },
}

const payload = { _tag: 'Object', of: webhook } as const

const uuid = (description: string): Schema => ({ type: 'string', format: 'uuid', description })

const withSecret: Response<{ readonly id: string; readonly secret: string }> = {
  payload: fixed('WebhookSecret', 'A web hook, with its secret.', {
    url: { type: 'string', format: 'uri', description: 'API URL of the web hook.' },
    uuid: uuid('Identifier of the web hook.'),
    secret: {
      type: 'string',
      description: 'The secret that signs, as libraries of Standard Webhooks read it. It is not shown again.',
    },
  }),
  encode: ({ id, secret }, { links }) => json({ url: links.object('webhooks', id), uuid: id, secret }),
}

const { uuid: deliveryUuid, state, status, failure } = deliveryAttributes

const tested: NamedShape = {
  name: 'WebhookTest',
  description: 'What came of a test.',
  shape: { attributes: { uuid: deliveryUuid, state, status, failure } },
}

const redelivered: Response<void, '{delivery_uuid}'> = {
  payload: fixed('Redelivered', 'Which delivery is attempted again.', {
    uuid: uuid('Identifier of the delivery.'),
  }),
  encode: (_, { path }) => json({ uuid: path.delivery_uuid }),
}

/** Web hooks (docs/behaviour/webhooks.md). */
export const webhookEndpoints = {
  listWebhooks: instanceEndpoint({
    operation: operations.listWebhooks,
    id: 'listWebhooks',
    method: 'GET',
    path: '/{iid}/webhooks',
    summary: 'List web hooks',
    description: 'The newest first. Secrets are not shown.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(webhookRows),
  }),
  createWebhook: instanceEndpoint({
    operation: operations.createWebhook,
    id: 'createWebhook',
    method: 'POST',
    path: '/{iid}/webhooks',
    summary: 'Create a web hook',
    description: `It receives what happens from now on. The secret is returned only here: receivers verify signatures with it, by the conventions of Standard Webhooks. An instance has at most ${mostWebhooks}.`,
    body: 'object',
    requestPayload: payload,
    input: ({ body }) => ({ body }),
    response: withSecret,
  }),
  readWebhook: instanceEndpoint({
    operation: operations.readWebhook,
    id: 'readWebhook',
    method: 'GET',
    path: '/{iid}/webhooks/{uuid}',
    summary: 'Read a web hook',
    caching: 'unstored',
    description: 'Its receiver and events, and whether its deliveries fail.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(webhook),
  }),
  changeWebhook: instanceEndpoint({
    operation: operations.changeWebhook,
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/{iid}/webhooks/{uuid}',
    summary: 'Change a web hook',
    description:
      'Changes only the attributes that are sent. While `active` is false, events wait; they are sent when it is true again.',
    body: 'object',
    requestPayload: payload,
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: writtenIn('webhooks'),
  }),
  removeWebhook: instanceEndpoint({
    operation: operations.removeWebhook,
    id: 'removeWebhook',
    method: 'DELETE',
    path: '/{iid}/webhooks/{uuid}',
    summary: 'Delete a web hook',
    description: 'Nothing is sent to it any more, not even what was waiting.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: deleted,
  }),
  replaceWebhookSecret: instanceEndpoint({
    operation: operations.replaceWebhookSecret,
    id: 'replaceWebhookSecret',
    method: 'POST',
    path: '/{iid}/webhooks/{uuid}/secret',
    summary: 'Replace the secret of a web hook',
    description:
      'Returns a new secret, only here. Deliveries are signed with both secrets for a day, so that receivers can change to it meanwhile.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: withSecret,
  }),
  testWebhook: instanceEndpoint({
    operation: operations.testWebhook,
    id: 'testWebhook',
    method: 'POST',
    path: '/{iid}/webhooks/{uuid}/test',
    summary: 'Test a web hook',
    description:
      'Sends the event `test` at once, and returns what came of it. It is sent once, and not again if it fails.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(tested),
  }),
  listDeliveries: instanceEndpoint({
    operation: operations.listDeliveries,
    id: 'listDeliveries',
    method: 'GET',
    path: '/{iid}/webhooks/{uuid}/deliveries',
    summary: 'List the deliveries of a web hook',
    description: 'Those of the last 30 days, the newest first.',
    body: 'none',
    input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
    response: rowsOf(deliveryRows),
  }),
  repeatDelivery: instanceEndpoint({
    operation: operations.repeatDelivery,
    id: 'repeatDelivery',
    method: 'POST',
    path: '/{iid}/webhooks/{uuid}/deliveries/{delivery_uuid}/redeliver',
    summary: 'Deliver again',
    description:
      'Whatever its state is. The delivery keeps its identifier, so that the receiver recognises it, and is attempted for two days again.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid, delivery: path.delivery_uuid }),
    response: redelivered,
  }),
}
