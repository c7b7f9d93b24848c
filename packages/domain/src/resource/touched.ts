/** When anything that the page of an object shows was last changed (docs/behaviour/changes.md#touched). */
import type { JsonObject } from '../json.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { dateTime } from '../value/scalar.js'
import { derived, stored, type AttributeTable } from './attribute.js'
import { periodFilter } from './collection-filter.js'
import { stamps } from './standard-attributes.js'
import { attributeIn } from './table-entries.js'

const touchedAt = stored(dateTime, 'When anything that its page shows was last changed.', { internal: true })

/** The time of an object; that of its last change if nothing has touched it since. */
export const timeTouched = (state: JsonObject): string | null =>
  attributeIn({ touched_at: touchedAt }, 'touched_at', state) ?? attributeIn(stamps, 'modified', state)

/** Rows alone have it: the entity tag of an object, with which a client makes its changes, does not follow others. */
export const touchedAttributes = {
  touched_at: touchedAt,
  touched: derived(dateTime.schema, 'When anything that its page shows was last changed.', timeTouched, {
    rowsOnly: true,
    nullable: true,
  }),
} as const

export const touchedOrder = { touched: 'touched_at' } as const

export const touchedFilter = { touched: periodFilter('touched_at', 'Touched within this period') } as const

/** The state of an object that is touched now. */
export const withTouched = (
  { attributes }: { readonly attributes: AttributeTable },
  state: JsonObject,
  now: NaiveDateTime,
): JsonObject => (Object.hasOwn(attributes, 'touched_at') ? { ...state, touched_at: now } : state)
