import { fault, type Fault } from '../fault.js'
import type { Either } from '../fp.js'
import { isJsonObject, jsonObject, type JsonObject } from '../json.js'
import { derived, stored, type WholeOf } from '../resource/attribute.js'
import { readParameter, type Parameters } from '../resource/collection-filter.js'
import { defineItems } from '../resource/draft-attributes.js'
import { matchesFilter, type Filter } from '../resource/filter.js'
import { stateFilter } from '../resource/standard-attributes.js'
import { sampleObjects } from '../resource/resource.js'
import { attributeIn, partOf, type OtherForms, type Shape } from '../resource/attribute-tables.js'
import type { ViewContext, Viewer } from '../resource/view-context.js'
import { viewOf } from '../resource/read-plan.js'
import { byVariant, opaque } from '../value/value-type.js'
import { listOf, record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { integer, oneOf } from '../value/scalar.js'
import { webAddress } from '../value/address.js'
import { text, uuid } from '../value/text.js'

/** Maximum number of related links of one content object. */
export const maxRelatedLinks = 200

/** The collections of the objects that links lead to, by `type`. */
const targets = { content: 'content', location: 'locations' } as const
const targetTypes = ['content', 'location'] as const
type TargetType = (typeof targetTypes)[number]

const isTargetType = (type: unknown): type is TargetType => type === 'content' || type === 'location'

type Leading = { readonly type: 'url' | TargetType | null; readonly target_uuid: string | null }

/** The target of a link, if the viewer may see it. */
const targetOf = (
  { type, target_uuid: id }: Leading,
  { find }: ViewContext,
): { readonly collection: string; readonly id: string; readonly state: JsonObject } | null => {
  if (!isTargetType(type) || typeof id !== 'string') return null
  const collection = targets[type]
  const state = find(collection, id)
  return state === undefined ? null : { collection, id, state }
}

const attributes = {
  type: stored(oneOf(['url', ...targetTypes]), 'What it leads to.', { required: true }),
  ord: stored(
    integer({ min: 1, max: maxRelatedLinks }),
    'Position among the items of the response, from 1.',
    {
      readOnly: true,
      alwaysSet: true,
    },
  ),
  uuid: derived(
    uuid.schema,
    'The content object or location.',
    (state: Leading, view) => targetOf(state, view)?.id ?? null,
    { only: targetTypes, needs: ['target_uuid'] },
  ),
  url: derived(
    { type: 'string', format: 'uri' },
    'API URL of the content object or location.',
    (state: Leading, view) => {
      const target = targetOf(state, view)
      return target === null ? null : view.links.object(target.collection, target.id)
    },
    { only: targetTypes, needs: ['target_uuid'] },
  ),
  target_uuid: stored(
    byVariant(uuid, { content: reference(targets.content), location: reference(targets.location) }),
    'The content object or location; read as `uuid`.',
    { only: targetTypes, required: true, writeOnly: true },
  ),
  text: stored(text({ max: 1000 }), 'Text of the link.', { only: ['url'] }),
  link_url: stored(webAddress, 'Address.', { only: ['url'], required: true }),
} as const

/** Links as GET returns them: with `uuid` instead of `target_uuid`. */
const linksAsRead: OtherForms = {
  schemas: [
    {
      type: 'object',
      description: 'A link to a content object or location, as GET returns it.',
      properties: {
        type: { type: 'string', enum: targetTypes, description: 'What it leads to.' },
        uuid: { ...uuid.schema, description: 'The content object or location.' },
      },
      required: ['type', 'uuid'],
    },
  ],
  what: 'an object with type, and target_uuid or link_url',
  read: (sent) => {
    if (!isJsonObject(sent)) return null
    const { uuid: id, target_uuid: named = null, ...rest } = sent
    return named !== null || id === undefined ? sent : { ...rest, target_uuid: id }
  },
}

/** An item of the related links of a content object. */
export const relatedLink = defineItems({
  attributes,
  variant: 'type',
  plural: 'related links',
  examples: {
    bodies: [
      { type: 'location', target_uuid: sampleObjects.location },
      { type: 'url', link_url: 'https://images.nasa.gov/', text: 'More photographs at NASA' },
    ],
  },
  otherForms: linksAsRead,
  check: () => [],
})

/** A fault if a change would result in too many links. */
export const linkCountFaults = (links: readonly JsonObject[]): readonly Fault[] =>
  links.length > maxRelatedLinks
    ? [fault('items', 'limit', `would be more than ${maxRelatedLinks} ${relatedLink.plural}`)]
    : []

/** A link, returned with its target only. */
const linkWithTarget = opaque(jsonObject, {
  resolve: (link, isAlive) => {
    const { type = null, target_uuid: id = null } = isJsonObject(link) ? link : {}
    const isDead =
      isTargetType(type) && typeof id === 'string' && !isAlive({ path: '', collection: targets[type], id })
    return isDead ? null : link
  },
})

const storedLinks = {
  items: stored(listOf(linkWithTarget, maxRelatedLinks), 'The links.', { required: true }),
} as const

/** The related links as their content object stores them. */
export type StoredLinks = WholeOf<typeof storedLinks>

export const noLinks: StoredLinks = { items: [] }

/** The related links in the state of a content object. */
export const relatedLinksAttributes = {
  related_links: stored(record(storedLinks), 'Related links.', {
    internal: true,
    part: true,
    heavy: true,
    initial: noLinks,
  }),
} as const

/** The content and locations that links lead to. */
export const linkTargets = ({ items }: StoredLinks): readonly string[] =>
  items.flatMap((link) => attributeIn(attributes, 'target_uuid', link) ?? [])

export const relatedLinksOf = (content: JsonObject): StoredLinks =>
  attributeIn(relatedLinksAttributes, 'related_links', content) ?? noLinks

/** The parameters of the list. */
export const relatedLinksParameters = {
  state: {
    description: `${stateFilter.description} It is the state of the linked objects; links to addresses are always returned.`,
    schema: stateFilter.schema,
  },
} as const

/** Decodes the parameters to conditions on the linked objects. */
export const parseRelatedLinksQuery = (
  parameters: Parameters,
  viewer: Viewer,
): Either<readonly Fault[], readonly Filter[]> =>
  readParameter(parameters, 'state', [], (value) => stateFilter.parse(value, viewer, {}))

/** Whether a link leads to an address, or to an object that exists, may be seen and meets the conditions. */
export const hasVisibleTarget = (
  link: JsonObject,
  view: ViewContext,
  where: readonly Filter[] = [],
): boolean => {
  const leading = partOf(attributes, link)
  if (!isTargetType(leading.type)) return true
  const target = targetOf(leading, view)
  return target !== null && where.every((filter) => matchesFilter(filter, target.state))
}

/** The links that a viewer sees, in their order, each with its position. */
export const visibleLinks = (
  { items }: StoredLinks,
  view: ViewContext,
  where: readonly Filter[],
): readonly JsonObject[] =>
  items
    .filter((link) => hasVisibleTarget(link, view, where))
    .map((link, index) => ({ ...link, ord: index + 1 }))

/** The links that a viewer sees, in their order, as items of a shape. */
export const viewLinks = (
  links: StoredLinks,
  view: ViewContext,
  where: readonly Filter[],
  shape: Shape = relatedLink,
): readonly JsonObject[] => visibleLinks(links, view, where).map((link) => viewOf(shape, link, view))
