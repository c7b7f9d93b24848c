/** Values in the examples of responses, where neither a body that is sent nor the schema says them. */
import { sampleObjects } from '@publishing-service/domain/declare'
import type { JsonObject } from '@publishing-service/domain/json'
import { apiVersion } from '../../api-version.js'
import { exampleId } from './example-parameters.js'
import { exampleUuid } from './example-value.js'

/** The address that links in examples start with. */
export const exampleBase = 'https://api.example.org'

const { event, image, location, slotOfStory, story, tag } = sampleObjects

const instance: JsonObject = { id: 1, url: `${exampleBase}/1`, roles: ['admin'] }

const objectIn = (collection: string, uuid = exampleId(collection)): JsonObject => ({
  uuid,
  url: `${exampleBase}/1/${collection}/${uuid}`,
})

const shownTag: JsonObject = { ...objectIn('tags'), title: 'Rockets', urlname: 'rockets' }

const download_url = `${exampleBase}/1/files/${image}/download/1772366400000`

const key: JsonObject = { api_key: 'example-key-of-the-demo' }

const audited: JsonObject = {
  name: 'website',
  operation: 'createObject',
  collection: 'content',
  object: story,
}

/** By the name of a shape or schema; of rows that are not of a resource, by that of the operation. */
export const responseValues: Readonly<Record<string, JsonObject>> = {
  Service: {
    version: apiVersion,
    openapi_url: `${exampleBase}/openapi.json`,
    docs_url: `${exampleBase}/docs`,
    dashboard_url: `${exampleBase}/dashboard`,
    health_url: `${exampleBase}/health/ready`,
  },
  Liveness: { forwarded: { for: true, proto: 'https', host: 'api.example.org' } },
  Readiness: { version: apiVersion, errors: [] },
  Token: { access_token: 'example-of-an-access-token', expires_in: 86_400, items: [instance] },
  Me: { name: 'website', ...key, items: [{ ...instance, title: 'Demo' }] },
  IssuedKey: { ...key, api_secret: 'an-example-of-a-secret-that-nobody-may-know' },
  WebhookSecret: {
    url: `${exampleBase}/1/webhooks/${exampleUuid}`,
    secret: 'whsec_c2VjcmV0IG9mIGFuIGV4YW1wbGUgdGhhdCBpcyBub25l',
  },
  Instance: { id: 1, url: `${exampleBase}/instances/1` },
  InstanceCreated: { id: 2, url: `${exampleBase}/instances/2` },
  File: { mimetype: 'image/png', byte_size: 112_525, width: 640, height: 427, download_url },
  Uploaded: { download_url },
  Slot: { uuid: slotOfStory, content_uuid: story },
  SlotWritten: { content_uuid: story, slot_uuid: slotOfStory },
  MediaWritten: { msg: 'media updated' },
  PartWritten: { msg: 'list updated' },
  Tagging: { uuid: story, tag_uuid: tag, predicate: 'describes' },
  attachTag: { uuid: story },
  Tag: { title: 'Trams' },
  Event: { ...objectIn('content', event), title: 'Espresso, Explained' },
  Medium: { slot_uuid: slotOfStory, thumb_url: `${download_url}?w=240&h=240` },
  ListingImage: objectIn('files'),
  RelatedLinkLocation: objectIn('locations', location),
  UserWritten: { url: `${exampleBase}/users/${exampleUuid}` },
  ObjectTags: { items: [{ ...shownTag, predicate: 'describes' }] },
  TagCloud: { items: [{ ...shownTag, count: 3, weight: 1 }] },
  Resolution: { ...objectIn('homepage'), type: 'homepage', path: '/' },
  Change: {
    kind: 'published',
    type: 'content',
    path: '/news/trams/',
    previous_path: null,
    ...objectIn('content'),
  },
  listCollections: { name: 'sections', url: `${exampleBase}/1/sections` },
  listUsers: { name: 'website', roles: [{ instance: 1, roles: ['editor'] }] },
  listKeys: key,
  listInstances: { id: 1, title: 'Demo', url: `${exampleBase}/instances/1` },
  listAudit: audited,
  listInstanceAudit: audited,
  listOccurrences: { title: 'Espresso, Explained' },
  listTaggedObjects: {
    type: 'content',
    title: 'Three Photographs of Far Away',
    url: `${exampleBase}/1/content/${story}`,
  },
  searchObjects: {
    type: 'content',
    title: 'Three Photographs of Far Away',
    highlight: 'From the <b>market</b> square.',
  },
}
