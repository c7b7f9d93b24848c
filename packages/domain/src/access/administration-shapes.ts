import { E } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import { isJsonObject } from '../json.js'
import { settingsAttributes } from '../instance/settings.js'
import { derived, stored } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import type { CollectionFilter } from '../resource/collection-filter.js'
import { integersFilter, textsFilter, uuidsFilter } from '../resource/standard-filters.js'
import { parsePeriod } from '../time/naive-date-time.js'
import type { Schema } from '../value/schema.js'
import { text } from '../value/text.js'
import { maxInstance } from './instance-roles.js'
import { utcTime } from './utc-time.js'

const moment: Schema = { type: 'string', format: 'date-time' }

const timeOf = (value: Json | undefined): string | null => (typeof value === 'number' ? utcTime(value) : null)

const stateText =
  (name: string) =>
  (state: JsonObject): Json =>
    state[name] ?? null

/** What a request sends for a new API key. */
export const keyAttributes = {
  title: stored(text({ max: 255 }), 'What the key is for, for people.'),
} as const

/** An API key (docs/behaviour/administration.md#keys). */
export const keyRows: Queryable = {
  attributes: {
    api_key: derived({ type: 'string' }, 'The API key.', (_state, view) => view.id),
    url: derived(
      { type: 'string', format: 'uri' },
      'API URL, for its revocation.',
      (state: JsonObject, view) => view.links.object(`users/${String(state['user'])}/keys`, view.id),
    ),
    title: derived(
      { type: 'string' },
      'What the key is for, for people; null if it was created without a title.',
      stateText('title'),
      { nullable: true },
    ),
    created: derived(moment, 'When it was created, in UTC.', (state: JsonObject) => timeOf(state['created'])),
    revoked: derived(
      moment,
      'When it was revoked, in UTC; null while it is valid.',
      (state: JsonObject) => timeOf(state['revoked']),
      { nullable: true },
    ),
    last_used: derived(
      moment,
      'When it was last used, in UTC, to the minute; null if it was not.',
      (state: JsonObject) => timeOf(state['last_used']),
      { nullable: true },
    ),
    created_by: derived(
      { type: 'string', format: 'uuid' },
      'UUID of the API user that made it; null for the command line, and for keys of earlier versions.',
      stateText('created_by'),
      { nullable: true },
    ),
    created_by_name: derived(
      { type: 'string' },
      'Name of that user when it made the key.',
      stateText('created_by_name'),
      { nullable: true },
    ),
  },
  orders: { created: 'created' },
  filters: {},
}

/** An instance, with its settings (docs/behaviour/administration.md#instances). */
export const instanceRows: Queryable = {
  attributes: {
    id: derived(
      { type: 'integer', minimum: 1 },
      'Number of the instance.',
      (state: JsonObject) => state['number'] ?? null,
    ),
    url: derived({ type: 'string', format: 'uri' }, 'API URL, for its deletion.', (_state, view) =>
      view.links.object('instances', view.id),
    ),
    ...Object.fromEntries(
      Object.entries(settingsAttributes).map(([name, { type, description }]) => [
        name,
        derived(
          type.outputSchema ?? type.schema,
          description,
          ({ settings }: JsonObject) =>
            settings !== undefined && isJsonObject(settings) ? (settings[name] ?? null) : null,
          name === 'website_url' ? { nullable: true } : {},
        ),
      ]),
    ),
  },
  orders: { id: 'number' },
  filters: {},
}

/** A period of UTC. */
const utcPeriod: CollectionFilter = {
  description:
    'Within this period of UTC: `<from>_<to>`, either side may be empty; from is included, to is not.',
  schema: { type: 'string', format: 'period', pattern: '^[^_]*_[^_]*$' },
  keys: ['created'],
  parse: (value) => {
    const period = parsePeriod(value, 'UTC')
    if (E.isLeft(period)) return period
    const { from, to } = period.right
    return E.right([{ key: 'created', atLeast: from ?? '0', ...(to === null ? {} : { below: to }) }])
  },
}

/** Enough for 100 UUIDs. */
const objectIds = '^[A-Za-z0-9_-]{1,3700}$'
const isObjectIds = new RegExp(objectIds)

/** Underscores separate ids, but keys may contain them, so the whole text may be one id too. */
const objectsFilter: CollectionFilter = {
  description:
    'Changes of these objects: UUIDs, numbers or keys, separated by underscores; of the keys that contain underscores only one.',
  schema: { type: 'string', format: 'object-ids', pattern: objectIds },
  keys: ['object'],
  parse: (ids) =>
    isObjectIds.test(ids)
      ? E.right([{ key: 'object', oneOf: [...new Set([...ids.split('_'), ids])].filter((id) => id !== '') }])
      : E.left('must be UUIDs, numbers or keys, separated by underscores, with 3700 characters at most'),
}

const nullableUuid = { nullable: true } as const

/** An entry of the audit log (docs/behaviour/administration.md#audit-log). */
export const auditRows: Queryable = {
  attributes: {
    uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier of the entry.', (_state, view) => view.id),
    created: derived(moment, 'When the change was made, in UTC.', stateText('created')),
    instance: derived(
      { type: 'integer', minimum: 1 },
      'The instance; null if the change concerns none.',
      stateText('instance'),
      nullableUuid,
    ),
    operation: derived({ type: 'string' }, 'The operation, such as `changeObject`.', stateText('operation')),
    collection: derived(
      { type: 'string' },
      'The collection of the object that was changed.',
      stateText('collection'),
    ),
    object: derived(
      { type: 'string' },
      'UUID, number or key of the object that was changed; null for settings.',
      stateText('object'),
      nullableUuid,
    ),
    title: derived(
      { type: 'string' },
      'Name of the object at that time; null if it has none, for comments, and in entries of earlier versions.',
      stateText('title'),
      nullableUuid,
    ),
    user: derived(
      { type: 'string', format: 'uuid' },
      'UUID of the API user; null for a command of the command line, and for a sign-in without the right secret.',
      stateText('user'),
      nullableUuid,
    ),
    name: derived({ type: 'string' }, 'Name of the API user at that time.', stateText('name')),
    api_key: derived(
      { type: 'string' },
      'The API key; null for a command of the command line, and for a sign-in without the right secret.',
      stateText('api_key'),
      nullableUuid,
    ),
    address: derived(
      { type: 'string' },
      'Remote address of the client; null for a command of the command line.',
      stateText('address'),
      nullableUuid,
    ),
    request: derived({ type: 'string' }, 'Request id of the service, as in its log.', stateText('request')),
    client_request: derived(
      { type: 'string' },
      'Request id that the client chose in `X-Request-Id`; null if it sent none.',
      stateText('client_request'),
      nullableUuid,
    ),
    changes: derived(
      { type: 'object' },
      'What changed in users, roles, keys and settings, and a new `state` of an object; null for other changes.',
      stateText('changes'),
      nullableUuid,
    ),
  },
  initialFields: ['created', 'name', 'operation', 'collection', 'object'],
  orders: { created: 'created' },
  filters: {
    created: utcPeriod,
    users: uuidsFilter('user', 'Changes by these API users'),
    operations: textsFilter('operation', 'Changes by these operations', 60),
    objects: objectsFilter,
    instances: integersFilter('instance', 'Changes on these instances', { min: 1, max: maxInstance }),
  },
}

/** The audit log of one instance. */
export const instanceAuditRows: Queryable = {
  ...auditRows,
  filters: Object.fromEntries(Object.entries(auditRows.filters).filter(([name]) => name !== 'instances')),
}

/** Days for which entries of the audit log are kept. */
export const auditDays = 400
