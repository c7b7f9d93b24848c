/** Request bodies other than resources: settings, administration, slots, media, stories, members, taggings, earlier paths. */
import { tagging } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import {
  maxRelatedLinks,
  media,
  relatedLink,
  slot,
  slotLimits,
  story,
  storyList,
  visitorComment,
} from '@publishing-service/domain/content'
import { earlierPath, maxPaths } from '@publishing-service/domain/paths'
import {
  accountChange,
  codeActivation,
  forgottenPassword,
  keyAttributes,
  keySignIn,
  linkAcceptance,
  linkRequest,
  newPasskey,
  newPassword,
  passkeyChange,
  passkeySignIn,
  passwordSignIn,
  previewRequest,
  rolesOfUser,
  rolesOnInstance,
  userAttributes,
} from '@publishing-service/access'
import { settingsAttributes } from '@publishing-service/domain/roles'
import { exportAttributes } from '@publishing-service/domain/jobs'
import { importShape } from '@publishing-service/domain/imports'
import { webhookAttributes } from '@publishing-service/domain/webhooks'
import type { Endpoint } from '@publishing-service/http-contract'
import { sampleRequest } from './sample-request.js'
import type { Fixture } from './service-fixture.js'

/** Objects of a shape that an endpoint accepts, and their position in the request body. */
export type Part = {
  readonly shape: Shape
  /** A valid object of one variant. */
  readonly valid: (variant: string | null) => JsonObject
  readonly body: (part: Json) => JsonObject
  /** The prefix of the paths of faults. */
  readonly prefix: string
  /** Whether null means “not sent” (PUT) rather than “clear” (PATCH). */
  readonly whole: boolean
  /** The maximum number of items, for a list. */
  readonly max?: number
}

type Context = Pick<Fixture, 'candidates' | 'bodies'>

const whole = (shape: Shape, valid: Part['valid']): Part => ({
  shape,
  valid,
  body: (part) => part as JsonObject,
  prefix: '',
  whole: true,
})

/** A list of a shape. Its first item is valid. */
const listed = (shape: Shape, valid: Part['valid'], first: JsonObject, max: number): Part => ({
  shape,
  valid,
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

/** The parts of a shape that the body of an endpoint can contain. Throws for an unknown endpoint. */
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
    case 'createUser':
      return [whole({ attributes: userAttributes }, () => ({ name: 'a user' }))]
    case 'createPreview':
      return [whole(previewRequest, () => ({}))]
    case 'sendVisitorComment':
      return [whole(visitorComment, () => ({ comment: 'A comment', creator: 'Ada' }))]
    case 'createWebhook':
      return [
        whole({ attributes: webhookAttributes }, () => ({ url: 'https://receiver.invalid/', active: false })),
      ]
    case 'changeWebhook':
      return [{ ...whole({ attributes: webhookAttributes }, () => ({})), whole: false }]
    case 'createImport':
      return [
        whole(importShape, (kind) => ({
          kind: kind ?? 'wordpress',
          file_uuid: context.candidates({ collection: 'files', media: 'image' })[0] ?? '',
          options:
            kind === 'ghost'
              ? { site: 'https://www.example.org' }
              : kind === 'csv'
                ? { collection: 'locations' }
                : {},
        })),
      ]
    case 'createExport':
      return [whole({ attributes: exportAttributes }, () => ({}))]
    case 'createKey':
      return [whole({ attributes: keyAttributes }, () => ({}))]
    case 'changeAccount':
      return [{ ...whole(accountChange, () => ({})), whole: false }]
    case 'activateOneTimeCodes':
      return [whole(codeActivation, () => ({ code: '123456' }))]
    case 'addPasskey':
      return [whole(newPasskey, () => ({ title: 'a device', answer: {} }))]
    case 'changePasskey':
      return [{ ...whole(passkeyChange, () => ({})), whole: false }]
    case 'forgetPassword':
      return [whole(forgottenPassword, () => ({ email: 'nobody@example.org' }))]
    case 'signInWithPasskey':
      return [whole(passkeySignIn, () => ({ answer: {} }))]
    case 'setPassword':
      return [whole(newPassword, () => ({ password: 'a long password of nobody' }))]
    case 'signInWithKey':
      return [whole(keySignIn, () => ({ api_key: 'no-key', api_secret: 'no-secret' }))]
    case 'signInWithPassword':
      return [
        whole(passwordSignIn, () => ({ email: 'nobody@example.org', password: 'a long password of nobody' })),
      ]
    case 'readLink':
    case 'createLinkOptions':
    case 'confirmEmail':
      return [whole(linkRequest, () => ({ token: 'no-link' }))]
    case 'useLink':
      return [whole(linkAcceptance, () => ({ token: 'no-link' }))]
    case 'changeUser':
      return [{ ...whole({ attributes: userAttributes }, () => ({})), whole: false }]
    case 'replaceUserRoles':
      return [whole({ attributes: rolesOfUser }, () => ({ items: [] }))]
    case 'replaceInstanceRoles':
      return [whole({ attributes: rolesOnInstance }, () => ({ roles: [] }))]
    case 'createInstance':
      return [whole({ attributes: settingsAttributes }, () => ({ title: 'Another', timezone: 'UTC' }))]
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
      throw new Error(`no body parts are declared for ${endpoint.method} ${endpoint.path}`)
  }
}
