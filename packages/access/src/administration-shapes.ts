import {
  derived,
  momentSchema,
  nullable,
  shown,
  shownId,
  textSchema,
  uriSchema,
  uuidSchema,
} from '@publishing-service/domain/declare'
import { E } from '@publishing-service/domain/fp'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import {
  type CollectionFilter,
  integersFilter,
  type Queryable,
  textsFilter,
  uuidsFilter,
} from '@publishing-service/domain/lists'
import { isUnsetSetting, settingsAttributes } from '@publishing-service/domain/roles'
import { parsePeriod } from '@publishing-service/domain/time'
import { maxInstance } from './user.js'

const number = { type: 'integer', minimum: 1 } as const

/** An instance, with its settings (docs/behaviour/administration.md#instances). */
export const instanceRows: Queryable = {
  attributes: {
    id: shown('number', number, 'Number of the instance.'),
    url: derived(uriSchema, 'API URL, for its deletion.', (_state, view) =>
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
          isUnsetSetting(name) ? { nullable: true } : {},
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

/** An entry of the audit log (docs/behaviour/administration.md#audit-log). */
export const auditRows: Queryable = {
  attributes: {
    uuid: shownId(uuidSchema, 'Identifier of the entry.'),
    created: shown('created', momentSchema, 'When the change was made, in UTC.'),
    instance: shown('instance', number, 'The instance; null if the change concerns none.', nullable),
    operation: shown('operation', textSchema, 'The operation, such as `changeObject`.'),
    collection: shown('collection', textSchema, 'The collection of the object that was changed.'),
    object: shown(
      'object',
      textSchema,
      'UUID, number or key of the object that was changed; null for settings.',
      nullable,
    ),
    title: shown(
      'title',
      textSchema,
      'Name of the object at that time; null if it has none, for comments, and in entries of earlier versions.',
      nullable,
    ),
    user: shown(
      'user',
      uuidSchema,
      'UUID of the API user; null for a command of the command line, and for a sign-in without the right secret.',
      nullable,
    ),
    name: shown('name', textSchema, 'Name of the API user at that time.'),
    api_key: shown(
      'api_key',
      textSchema,
      'The API key; null for a command of the command line, and for a sign-in without the right secret.',
      nullable,
    ),
    address: shown(
      'address',
      textSchema,
      'Remote address of the client; null for a command of the command line.',
      nullable,
    ),
    request: shown('request', textSchema, 'Request id of the service, as in its log.'),
    client_request: shown(
      'client_request',
      textSchema,
      'Request id that the client chose in `X-Request-Id`; null if it sent none.',
      nullable,
    ),
    changes: shown(
      'changes',
      { type: 'object' },
      'What changed in users, roles, keys and settings, and a new `state` of an object; null for other changes.',
      nullable,
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

/** An object in the trash (docs/behaviour/trash.md). The states are entries of the audit log. */
export const trashRows: Queryable = {
  attributes: {
    type: shown('collection', textSchema, 'The collection of the object.'),
    uuid: shown('object', uuidSchema, 'UUID of the object.'),
    title: shown('title', textSchema, 'Name of the object; null if it has none.', nullable),
    deleted: shown('created', momentSchema, 'When it was deleted, in UTC.'),
    deleted_by: shown(
      'user',
      uuidSchema,
      'UUID of the API user that deleted it; null for the command line.',
      nullable,
    ),
    deleted_by_name: shown('name', textSchema, 'Name of that user at that time.'),
    expires: shown('expires', momentSchema, 'When it is deleted for good, in UTC.'),
  },
  initialFields: ['type', 'uuid', 'title', 'deleted', 'deleted_by', 'expires'],
  orders: { expires: 'expires' },
  filters: {},
}

/** Days for which entries of the audit log are retained, by default. */
export const defaultAuditDays = 400
