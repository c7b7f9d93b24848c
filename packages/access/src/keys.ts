import {
  derived,
  internal,
  readOnly,
  requiredInternal,
  requiredReadOnly,
  serviceText,
  serviceTime,
  shownId,
  stored,
  text,
  textSchema,
  uriSchema,
  uuidSchema,
  type WholeOf,
} from '@publishing-service/domain/declare'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Queryable } from '@publishing-service/domain/lists'
import { utcTime } from '@publishing-service/domain/time'

/** An API key (docs/behaviour/administration.md#keys). */
export const keyAttributes = {
  api_key: shownId(textSchema, 'The API key.'),
  url: derived(uriSchema, 'API URL, for its revocation.', (state: JsonObject, view) =>
    view.links.object(`users/${String(state['user'])}/keys`, view.id),
  ),
  title: stored(text({ max: 255 }), 'What the key is for, for people; null if it has no title.'),
  created: stored(serviceTime, 'When it was created, in UTC.', requiredReadOnly),
  revoked: stored(serviceTime, 'When it was revoked, in UTC; null while it is valid.', readOnly),
  last_used: stored(
    serviceTime,
    'When it was last used, in UTC, to the minute; null if it was not.',
    readOnly,
  ),
  created_by: stored(
    { ...serviceText, schema: uuidSchema },
    'UUID of the API user that made it; null for the command line, and for keys of earlier versions.',
    readOnly,
  ),
  created_by_name: stored(serviceText, 'Name of that user when it made the key.', readOnly),
  user: stored(serviceText, 'UUID of the API user that it belongs to.', requiredInternal),
  secret: stored(serviceText, 'Hash of its secret.', requiredInternal),
  purpose: stored(
    serviceText,
    'At most one key that is not revoked has a requiredReadOnly purpose.',
    internal,
  ),
} as const

export const keyRows: Queryable = {
  attributes: keyAttributes,
  orders: { created: 'created' },
  filters: {},
}

export type Key = WholeOf<typeof keyAttributes>

/** What the audit log says of a key: its user, and each of these values, which it did not have before. */
export const keyChanges = (
  user: string,
  { title = null, revoked = null }: Partial<Pick<Key, 'title' | 'revoked'>>,
): JsonObject => ({
  user,
  ...(title === null ? {} : { title: { before: null, after: title } }),
  ...(revoked === null ? {} : { revoked: { before: null, after: utcTime(revoked) } }),
})
