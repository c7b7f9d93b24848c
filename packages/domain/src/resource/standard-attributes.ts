/** Attributes that several resources share: moments of date-times, stamps, the order by title, the state of publication, drafts, what was touched. */
import { stored, computed, derived, folded } from './attribute.js'
import { apiUser, text } from '../value/text.js'
import { dateTime, oneOf } from '../value/scalar.js'
import { E } from '../fp.js'
import type { Filter } from './filter.js'
import { type CollectionFilter, periodFilter } from './collection-filter.js'
import type { Viewer, Count } from './view-context.js'
import type { Role } from '../role/permissions.js'
import type { JsonObject } from '../json.js'
import { attributeIn } from './attribute-tables.js'

/** The longest moment: two date-times and what separates them. */
const maxMoment = 61

/** The moment of a date-time in a repeated hour; null where the date-time itself is the moment. */
export const momentOf = (name: string) =>
  stored(text({ max: maxMoment }), `The moment of ${name}, if that is in a repeated hour.`, {
    internal: true,
    momentOf: name,
  })

/** When a date-time is reached, as a text that sorts by time. */
export const reachedAt = (
  time: string | null | undefined,
  moment: string | null | undefined,
): string | null => (typeof time === 'string' ? (moment ?? time) : null)

/** When an object was created and last changed, in the instance's zone, and which API user created it. */
export const stamps = {
  created: stored(dateTime, 'When it was created; now, unless sent.', {
    retained: true,
    alwaysSet: true,
    undrafted: true,
  }),
  modified: stored(dateTime, 'When it was last changed; now on each change, unless sent.', {
    retained: true,
    alwaysSet: true,
    undrafted: true,
  }),
  created_by: stored(apiUser, 'API user that created it; null if the service did.', {
    readOnly: true,
    visibleTo: 'reader',
  }),
} as const

const unrecorded = 'null if it was created before this was recorded'

/** The stamps of objects that had none at first. */
export const laterStamps = {
  created: stored(dateTime, `When it was created; now by default; ${unrecorded}.`, {
    retained: true,
    undrafted: true,
  }),
  modified: stored(dateTime, `When it was last changed; by default now on each change; ${unrecorded}.`, {
    retained: true,
    undrafted: true,
  }),
  created_by: stamps.created_by,
} as const

/** The sort key of the title: the first of these attributes that has a value. */
export const titleOrder = <N extends string>(...names: readonly N[]) =>
  folded('The title as lists order it.', names, (state: Readonly<Record<N, string | null>>) => {
    for (const name of names) if (typeof state[name] === 'string') return state[name]
    return ''
  })

/** The publication state of an object, shared by all resources that are published (docs/behaviour/collections.md#state-filter). */
type PublicationState = 'draft' | 'published'

export const publicationState = (initial: PublicationState) =>
  stored(
    oneOf(['draft', 'published']),
    'Whether it is published. A published object goes live at `issued`.',
    {
      initial,
    },
  )

// For an object without an issue date: sorts before every date and after absent values.
const fromTheBeginning = '0'

type Publishable = {
  readonly state: PublicationState | null
  readonly issued?: string | null
  readonly issued_moment?: string | null
}

/** When an object goes live, as a text that sorts by time; null if it is not published. */
export const liveSince = ({ state, issued, issued_moment }: Publishable): string | null =>
  state === 'published' ? (reachedAt(issued, issued_moment) ?? fromTheBeginning) : null

export const liveFrom = computed(
  'text',
  'When a published object goes live.',
  ['state', 'issued', 'issued_moment'],
  liveSince,
)

/** Live: published, and `issued` is absent or not in the future. */
export const live = ({ now }: Pick<Viewer, 'now'>): Filter => ({
  key: 'live_from',
  above: '',
  atMost: now,
})

export const stateFilter: CollectionFilter<'state' | 'live_from'> = {
  description:
    'State: `live` (published, and `issued` absent or past), `published` or `draft`. A public_user sees only `live`.',
  schema: { type: 'string', enum: ['live', 'published', 'draft'] },
  keys: ['state', 'live_from'],
  parse: (sent, viewer) => {
    if (sent === 'live') return E.right([live(viewer)])
    if (sent !== 'published' && sent !== 'draft') return E.left('must be one of live, published, draft')
    if (viewer.role === 'public_user') return E.left('must be live: the role public_user sees nothing else')
    return E.right([{ key: 'state', equals: sent }])
  },
}

/**
 * The collection of drafts, with the keys that tell of which object each is: a list of its collection, and its UUID; of when it
 * is published; and of when it should have been.
 */
export const draftsCollection = {
  name: 'drafts',
  of: 'collections',
  object: 'object',
  due: 'due',
  missed: 'missed',
} as const

/** Whether an object of a collection has a draft, for the roles that may edit it. */
export const hasDraft = (collection: string, visibleTo: Role) => {
  const counts: Count = {
    collection: draftsCollection.name,
    key: draftsCollection.of,
    text: collection,
    within: draftsCollection.object,
  }
  return derived(
    { type: 'boolean' },
    'Whether it has a draft: changes that are not published. Only for roles that may edit.',
    (_state, view) => view.count(counts) > 0,
    { counts, visibleTo, sparse: true },
  )
}

// When anything that the page of an object shows was last changed (docs/behaviour/changes.md#touched).

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

/**
 * The filters of stamps. Rows that were created within a period are in the order of that time, because a store that read them
 * in the sequence of insertion would read the whole period for each page.
 */
export const stampFilters = {
  created: { ...periodFilter('created', 'Created within this period'), ordersRows: true },
  modified: periodFilter('modified', 'Modified within this period'),
} as const

export const touchedOrder = { touched: 'touched_at' } as const

export const touchedFilter = { touched: periodFilter('touched_at', 'Touched within this period') } as const
