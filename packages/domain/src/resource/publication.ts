import { E } from '../fp.js'
import { oneOf } from '../value/scalar.js'
import { computed, stored } from './attribute.js'
import type { Filter } from './filter.js'
import type { CollectionFilter } from './collection-filter.js'
import { reachedAt } from './moment.js'
import type { Viewer } from './view-context.js'

/** The publication state of an object, shared by all resources that are published (docs/behaviour/collections.md#state-filter). */
export type PublicationState = 'draft' | 'published'

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
  parse: (text, viewer) => {
    if (text === 'live') return E.right([live(viewer)])
    if (text !== 'published' && text !== 'draft') return E.left('must be one of live, published, draft')
    if (viewer.role === 'public_user') return E.left('must be live: the role public_user sees nothing else')
    return E.right([{ key: 'state', equals: text }])
  },
}
