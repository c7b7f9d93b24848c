/** The administration of web hooks (docs/behaviour/webhooks.md). */
import { badParameters, fault, notFound, viewOf } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { utcTime } from '@publishing-service/domain/time'
import {
  deliveryRows,
  mostWebhooks,
  newProgress,
  testEvent,
  webhookAttributes,
  webhookLimitProblem,
  webhookRows,
  type StoredDelivery,
  type StoredWebhook,
} from '@publishing-service/domain/webhooks'
import { fail, throwIf } from '../attempt.js'
import { deploymentView, listRows } from '../administration/list-rows.js'
import { draftOf } from '../administration/draft-of.js'
import { feedPlace } from '../changes/read-changes.js'
import { systemCollections } from '../collections.js'
import { requirePrecondition } from '../engine/precondition.js'
import { removeStored } from '../engine/remove-stored.js'
import { contended } from '../failure.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import {
  bodyOf,
  deliveriesTarget,
  deliveryIn,
  deliveryOf,
  secretsOf,
  webhooksTarget,
  withSecret,
  type Webhook,
  webhookOf,
} from './stored-webhooks.js'

const { webhooks, webhookDeliveries, webhookWork } = systemCollections

type Named = { readonly id: string }
type Listed = { readonly parameters: Parameters }
type Body = { readonly body: JsonObject }

const newestFirst = [{ key: 'created', direction: 'desc' }] as const

const refusals = {
  insecure: 'must begin with https://, because the deployment does not allow http',
  private_address: 'leads to a private, loopback or link-local address, which the deployment does not allow',
} as const

/** Throws BadParameters if nothing would be sent to an address. */
const requireReceiver = async ({ webhooks: { sender } }: Session, url: string): Promise<void> => {
  const refusal = await sender.refusal(url)
  if (refusal !== null) fail(badParameters([fault('url', 'rule', refusals[refusal])]))
}

const rowsContext = ({ clock, links, strict, webhooks: { documents } }: Session) => ({
  clock,
  links,
  strict,
  systemDocuments: documents,
})

const found = async (session: Session, id: string): Promise<Webhook> => {
  const document = await session.webhooks.documents.get(webhooks.name, id)
  return webhookOf(session.instance.number, id, document?.value ?? null)
}

const shown = (session: Session, { id, ...value }: Webhook): JsonObject =>
  viewOf(webhookRows, value, deploymentView(session, id))

/** The same for a write. A precondition is about the web hook as its admins read it. */
const requireMet = (session: Session, hook: Webhook): void =>
  requirePrecondition(session.precondition, shown(session, hook))

/** Writes what becomes of a web hook; null removes it. */
const write = <A extends JsonObject | null>(
  session: Session,
  id: string,
  change: (before: Webhook, value: JsonObject) => Promise<A>,
): Promise<A> =>
  session.webhooks.write(
    webhooksTarget,
    id,
    async (value) => {
      const before = webhookOf(session.instance.number, id, value)
      requireMet(session, before)
      return change(before, value ?? {})
    },
    session.documents.recorded,
  )

/** The address of the instance, by that of a collection. */
const rootOf = ({ links }: Session): string => links.collection('webhooks').replace(/\/webhooks$/, '')

export const listWebhooks: ReadOperation<Listed, Listing> = {
  ...operations.listWebhooks,
  run: (session, { parameters }) =>
    listRows(rowsContext(session), {
      collection: webhooks.name,
      rows: webhookRows,
      parameters,
      where: [{ key: 'instance', equals: session.instance.number }],
      initialOrder: newestFirst,
    }),
}

export const readWebhook: ReadOperation<Named, JsonObject> = {
  ...operations.readWebhook,
  run: async (session, { id }) => shown(session, await found(session, id)),
}

/** A web hook, and its secret, which is not shown again. */
type NewSecret = Named & { readonly secret: string }

/** Creates a web hook, which receives what happens from now on. */
export const createWebhook: WriteOperation<Body, NewSecret> = {
  ...operations.createWebhook,
  changed: (_input, id) => ({ object: id }),
  run: async (session, { body }) => {
    const { clock, ids, instance } = session
    const { documents, sender } = session.webhooks
    const { events, active, ...draft } = draftOf(session, webhookAttributes, 'put', body, null)
    await requireReceiver(session, draft.url)
    requirePrecondition(session.precondition, null)
    const id = ids.uuid()
    const secret = sender.newSecret()
    const value: StoredWebhook = {
      ...draft,
      events: events ?? [],
      active: active ?? true,
      instance: instance.number,
      created: clock.now(),
      secret,
      root: rootOf(session),
      start: await feedPlace(session, 'now'),
    }
    const ofInstance = { where: [{ key: 'instance', equals: instance.number }] } as const
    await session.exclusively(webhooks.name, async () => {
      throwIf(webhookLimitProblem(await documents.count(webhooks.name, ofInstance, mostWebhooks)))
      await session.webhooks.write(webhooksTarget, id, async () => value, session.documents.recorded)
    })
    return { id, secret }
  },
}

/** Changes a web hook. One that is switched on again begins anew. */
export const changeWebhook: WriteOperation<Named & Body, string> = {
  ...operations.changeWebhook,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    await write(session, id, async (before, value) => {
      const draft = draftOf(session, webhookAttributes, 'patch', body, value)
      if (draft.url !== before.url) await requireReceiver(session, draft.url)
      const anew = draft.active === true && !before.active ? { failing_since: null, switched_off: null } : {}
      return { ...value, ...draft, ...anew, root: rootOf(session) }
    })
    return id
  },
}

export const removeWebhook: WriteOperation<Named, void> = {
  ...operations.removeWebhook,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }) => {
    await write(session, id, async () => null)
    await removeStored(session.webhooks.documents, webhookWork.name, id)
  },
}

/** Replaces the secret. Each former one signs too for a day, so that no delivery is refused meanwhile. */
export const replaceWebhookSecret: WriteOperation<Named, NewSecret> = {
  ...operations.replaceWebhookSecret,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }) => {
    const secret = session.webhooks.sender.newSecret()
    await write(session, id, async (_before, value) => withSecret({ id, value }, secret, session.clock.now()))
    return { id, secret }
  },
}

/** What came of a test. */
type TestResult = Pick<StoredDelivery, 'state' | 'status' | 'failure'> & { readonly uuid: string }

/** Sends an event to the receiver at once, whether or not the web hook is on. It is listed with the deliveries. */
export const testWebhook: WriteOperation<Named, TestResult> = {
  ...operations.testWebhook,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }) => {
    const { clock, ids } = session
    const { documents, sender } = session.webhooks
    const hook = await found(session, id)
    requireMet(session, hook)
    const now = clock.now()
    const uuid = ids.uuid()
    const event = {
      event: testEvent,
      type: 'webhooks',
      object: id,
      url: `${hook.root}/webhooks/${id}`,
      path: null,
      previous_path: null,
      time: utcTime(now),
      sequence: 0,
    }
    const delivery = deliveryOf(hook, event, now)
    const body = bodyOf(uuid, delivery)
    const answer = await sender.send({
      url: hook.url,
      id: uuid,
      time: now,
      body,
      secrets: secretsOf(hook, now),
    })
    if (answer === null) fail(contended)
    const state = answer.failure === null ? 'delivered' : 'failed'
    const tested = {
      ...delivery,
      ...answer,
      state,
      attempts: 1,
      first: now,
      attempted: now,
    }
    const inserted = await documents.insert(webhookDeliveries.name, { id: uuid, unique: null, value: tested })
    if (E.isLeft(inserted)) fail(contended)
    return { uuid, state, ...answer }
  },
}

export const listDeliveries: ReadOperation<Named & Listed, Listing> = {
  ...operations.listDeliveries,
  run: async (session, { id, parameters }) => {
    await found(session, id)
    return listRows(rowsContext(session), {
      collection: webhookDeliveries.name,
      rows: deliveryRows,
      parameters,
      where: [{ key: 'hook', equals: id }],
      initialOrder: newestFirst,
    })
  },
}

/** Delivers again, under the same identifier, as if it was not attempted before. */
export const repeatDelivery: WriteOperation<Named & { readonly delivery: string }, void> = {
  ...operations.repeatDelivery,
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, delivery }) => {
    const { documents, update } = session.webhooks
    requireMet(session, await found(session, id))
    const stored = await documents.get(webhookDeliveries.name, delivery)
    if (stored === null || deliveryIn(stored).hook !== id) fail(notFound)
    const again = async (before: JsonObject) => ({ ...before, ...newProgress(session.clock.now()) })
    await update(deliveriesTarget, delivery, again)
  },
}
