/** The occurrences of events, queried like a collection (docs/behaviour/collections.md#occurrences). */
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import { derived } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import { readParameter, type Parameters, idsFilter, uuidsFilter } from '../resource/collection-filter.js'
import type { Resource } from '../resource/resource.js'
import type { Viewer } from '../resource/view-context.js'
import { pathAttribute } from '../paths/public-path.js'
import { content } from '../content/content.js'
import { contentPath } from '../content/attributes/common-attributes.js'
import { boundedPeriod, endOf, parseOccurrencePeriod, startOf, type OccurrencePeriod } from './occurring.js'

/** The years of the default period, from now. */
const defaultYears = 2

const { title, urlname, section_uuid, location_uuid, event_status_type, dtstart, dtend } = content.attributes

/** The filters of content that occurrences have too. */
const shared = new Set(['sections', 'subtree', 'tags', 'tags_any', 'tags_none', 'predicate'])

/** A view has the id of the event, and its state with the times of the occurrence. */
export const occurrenceIndex = {
  collection: content.collection,
  attributes: {
    event_uuid: derived(
      { type: 'string', format: 'uuid' },
      'Identifier of the event.',
      (_state, view) => view.id,
    ),
    dtstart,
    dtend,
    url: derived({ type: 'string', format: 'uri' }, 'API URL of the event.', (_state, view) =>
      view.links.object(content.collection, view.id),
    ),
    path: pathAttribute(contentPath),
    title,
    urlname,
    section_uuid,
    location_uuid,
    event_status_type,
  },
  orders: {},
  facets: {},
  filters: {
    period: {
      description: `Only occurrences that overlap this period: \`<from>_<to>\`; from is included, to is not. The ${defaultYears} years from now by default.`,
      schema: boundedPeriod,
      keys: ['occurrences'],
      // The occurrences are found by it, not the events.
      parse: (text, viewer) => {
        const period = parseOccurrencePeriod(text, viewer)
        return E.isLeft(period) ? period : E.right([])
      },
    },
    events: idsFilter('ids', 'Only occurrences of these events'),
    locations: uuidsFilter('location_uuid', 'Only at these locations'),
    ...Object.fromEntries(Object.entries(content.filters).filter(([name]) => shared.has(name))),
  },
  within: [{ key: 'content_type', equals: 'event' }],
  ...(content.shownToPublic === undefined ? {} : { shownToPublic: content.shownToPublic }),
} as const satisfies Queryable & Pick<Resource, 'collection'>

/** The filters by which few of many events may be selected. */
export const selectiveFilters = ['sections', 'locations', 'tags', 'tags_any'] as const

/** The period of a query of occurrences. */
export const occurrencePeriod = (
  parameters: Parameters,
  viewer: Viewer,
): Either<readonly Fault[], OccurrencePeriod> => {
  const { now } = viewer
  const initial = { from: now, to: `${Number(now.slice(0, 4)) + defaultYears}${now.slice(4)}` }
  return readParameter(parameters, 'period', initial, (text) => parseOccurrencePeriod(text, viewer))
}

/** The state of the event with the times of one occurrence. */
export const occurrenceState = (event: JsonObject, occurrence: string): JsonObject => ({
  ...event,
  dtstart: startOf(occurrence),
  dtend: event['dtend'] === null ? null : endOf(occurrence),
})
