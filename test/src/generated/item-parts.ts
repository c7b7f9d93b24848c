/** What endpoints take beside attributes of resources: settings, slots, media, stories, members, taggings, earlier paths. */
import {
  earlierPath,
  maxPaths,
  maxRelatedLinks,
  media,
  relatedLink,
  settingsAttributes,
  slot,
  slotLimits,
  story,
  storyList,
  tagging,
  type Json,
  type JsonObject,
  type Shape,
} from '@publishing-service/domain'
import type { Endpoint } from '@publishing-service/http-contract'
import { sampleRequest } from './sample-request.js'
import type { Stage } from './stage.js'

/** What an endpoint takes: objects of a shape, and how they stand in its body. */
export type Part = {
  readonly shape: Shape
  /** A right object of one variant. */
  readonly right: (variant: string | null) => JsonObject
  readonly body: (part: Json) => JsonObject
  /** What paths of faults start with. */
  readonly prefix: string
  /** Whether null means «not sent» (PUT) rather than «clear» (PATCH). */
  readonly whole: boolean
  /** How many a list takes, where it is one. */
  readonly max?: number
}

type Context = Pick<Stage, 'candidates' | 'bodies'>

const whole = (shape: Shape, right: Part['right']): Part => ({
  shape,
  right,
  body: (part) => part as JsonObject,
  prefix: '',
  whole: true,
})

/** A list of a shape, behind one right item. */
const listed = (shape: Shape, right: Part['right'], first: JsonObject, max: number): Part => ({
  shape,
  right,
  body: (part) => ({ items: [first, part] }),
  prefix: 'items.1.',
  whole: true,
  max,
})

const embed: JsonObject = { type: 'embed', embed_code: '<b>x</b>' }
const link: JsonObject = { type: 'link', link_url: 'https://example.org/' }
const path: JsonObject = { path: '/another/path/' }

const mediumOf =
  ({ candidates }: Context) =>
  (variant: string | null): JsonObject => {
    if (variant === 'embed') return embed
    return variant === 'file'
      ? { type: 'file', image_uuid: candidates({ collection: 'files', media: 'image' })[0] ?? '' }
      : {
          type: 'external',
          url_type: 'audio',
          urls: [{ url: 'https://example.org/a.mp3', mimetype: 'audio/mpeg' }],
        }
  }

const storyOf =
  ({ candidates }: Context) =>
  (variant: string | null): JsonObject =>
    variant === 'link' ? link : { type: 'content', link_uuid: candidates({ collection: 'content' })[0] ?? '' }

const anyLink: JsonObject = { type: 'url', link_url: 'https://example.org/' }

const relatedLinkOf =
  ({ candidates }: Context) =>
  (variant: string | null): JsonObject => {
    if (variant === 'url') return anyLink
    const collection = variant === 'location' ? 'locations' : 'content'
    return { type: variant, target_uuid: candidates({ collection })[0] ?? '' }
  }

const memberOf = (endpoint: Endpoint, context: Context): JsonObject => {
  const { items, ...item } = JSON.parse(String(sampleRequest(endpoint, context).body)) as JsonObject
  return Array.isArray(items) ? (items[0] as JsonObject) : item
}

/** Everything of a shape that an endpoint's body can hold; an endpoint that isn't known here fails the tests. */
export const partsOf = (endpoint: Endpoint, context: Context): readonly Part[] => {
  const { operation, members } = endpoint
  switch (operation) {
    case 'changeSettings':
      return [{ ...whole({ attributes: settingsAttributes }, () => ({})), whole: false }]
    case 'replaceSettings':
      return [
        whole({ attributes: settingsAttributes }, () => ({
          title: 'The Daily Test',
          timezone: 'Europe/Vienna',
        })),
      ]
    case 'replaceSlot':
      return [whole(slot, () => ({ relevance: 'inline' }))]
    case 'changeSlot':
      return [{ ...whole(slot, () => ({ relevance: 'inline' })), whole: false }]
    case 'addMedium':
      return [whole(media, mediumOf(context))]
    case 'replaceMedia':
      return [listed(media, mediumOf(context), embed, slotLimits.media)]
    case 'replaceStories':
      return [
        { ...whole(storyList, () => ({})), body: (part) => ({ items: [], ...(part as JsonObject) }) },
        listed(story, storyOf(context), link, 100),
      ]
    case 'attachTag':
      return [whole(tagging, () => ({}))]
    case 'addRelatedLink':
      return [whole(relatedLink, relatedLinkOf(context))]
    case 'replaceRelatedLinks':
      return [listed(relatedLink, relatedLinkOf(context), anyLink, maxRelatedLinks)]
    case 'addToPathHistory':
      return [whole(earlierPath, () => path)]
    case 'replacePathHistory':
      return [listed(earlierPath, () => path, { path: '/x/' }, maxPaths)]
    case 'addMember':
    case 'replaceMembers': {
      if (members === undefined) throw new Error(`no members at ${endpoint.path}`)
      const member = memberOf(endpoint, context)
      return [
        operation === 'addMember'
          ? whole(members.shape, () => member)
          : listed(members.shape, () => member, member, members.max),
      ]
    }
    default:
      throw new Error(`what does ${endpoint.method} ${endpoint.path} take?`)
  }
}
