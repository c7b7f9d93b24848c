/** A valid request for each operation. Tests alter one part of it at a time. */
import type { Endpoint } from '@publishing-service/http-contract'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { RequestOptions } from '../harness/http-client.js'
import { requiredBody, variantsOf } from '../harness/valid-bodies.js'
import { smallPng } from '../harness/small-files.js'
import { randomUUID } from 'node:crypto'
import type { Fixture } from './service-fixture.js'

const json = (value: Json): RequestOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
})

/** The parts of the fixture that sample requests use. */
export type SampleContext = Pick<Fixture, 'bodies' | 'candidates'>

const noOptions: RequestOptions = {}

const embed: Json = { type: 'embed', embed_code: '<iframe></iframe>' }

const newObject = ({ resource }: Endpoint, { candidates }: SampleContext): RequestOptions => {
  if (resource === undefined) throw new Error('no resource')
  const [variant = null] = variantsOf(resource)
  return json(requiredBody(resource, variant, randomUUID(), candidates))
}

const relatedLink: Json = { type: 'url', text: 'A link', link_url: 'https://example.org/' }

const earlierPath: Json = { path: '/earlier/path/' }

/** A list member that exists in the fixture. */
const memberOf = ({ members, path }: Endpoint, { candidates }: SampleContext): JsonObject => {
  const media = members?.shape.attributes[members.item]
  if (members === undefined || media?.kind !== 'stored') throw new Error(`no members at ${path}`)
  const [reference] = media.type.references?.(randomUUID()) ?? []
  const [id] = reference === undefined ? [] : candidates(reference)
  if (id === undefined) throw new Error(`noOptions to list at ${path}`)
  return { [members.item]: id }
}

const samples: Readonly<Record<string, (endpoint: Endpoint, fixture: SampleContext) => RequestOptions>> = {
  listObjects: () => noOptions,
  createObject: newObject,
  readObject: () => noOptions,
  // Sends the current object back, so that the fixture stays unchanged.
  replaceObject: ({ resource }, { bodies }) => json(bodies.get(resource?.collection ?? '') ?? {}),
  changeObject: () => json({}),
  removeObject: () => noOptions,
  exchangeToken: () => ({
    body: 'grant_type=client_credentials&api_key=nobody&api_secret=nothing',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
  revokeToken: () => ({
    body: 'token=unknown',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
  listCollections: () => noOptions,
  readSettings: () => noOptions,
  replaceSettings: () =>
    json({
      title: 'The Daily Test',
      timezone: 'Europe/Vienna',
      directory_addon: true,
      website_url: 'https://www.example.org',
      public_comments: true,
    }),
  changeSettings: () => json({}),
  readSetting: () => noOptions,
  readContentInfo: () => noOptions,
  listSlots: () => noOptions,
  readDefaultThumbnail: () => noOptions,
  readSlot: () => noOptions,
  replaceSlot: () => json({ relevance: 'inline', display: 'gallery' }),
  changeSlot: () => json({}),
  removeSlot: () => noOptions,
  listMedia: () => noOptions,
  replaceMedia: () => json({ items: [embed] }),
  addMedium: () => json(embed),
  readMembers: () => noOptions,
  replaceMembers: (endpoint, fixture) => json({ items: [memberOf(endpoint, fixture)] }),
  addMember: (endpoint, fixture) => json(memberOf(endpoint, fixture)),
  listMembers: () => noOptions,
  listTagCategories: () => noOptions,
  readRelatedLinks: () => noOptions,
  replaceRelatedLinks: () => json({ items: [relatedLink] }),
  addRelatedLink: () => json(relatedLink),
  listDraftSlots: () => noOptions,
  readDraftSlot: () => noOptions,
  replaceDraftSlot: () => json({ relevance: 'inline', display: 'gallery' }),
  changeDraftSlot: () => json({}),
  removeDraftSlot: () => noOptions,
  listDraftMedia: () => noOptions,
  replaceDraftMedia: () => json({ items: [embed] }),
  addDraftMedium: () => json(embed),
  readDraftRelatedLinks: () => noOptions,
  replaceDraftRelatedLinks: () => json({ items: [relatedLink] }),
  addDraftRelatedLink: () => json(relatedLink),
  readDraftMembers: () => noOptions,
  replaceDraftMembers: (endpoint, fixture) => json({ items: [memberOf(endpoint, fixture)] }),
  addDraftMember: (endpoint, fixture) => json(memberOf(endpoint, fixture)),
  listDraftTags: () => noOptions,
  readDraftTagging: () => noOptions,
  attachDraftTag: () => json({}),
  detachDraftTag: () => noOptions,
  sendVisitorComment: () => json({ comment: 'A comment', creator: 'Ada' }),
  createPreview: () => json({ expires_in: 3600 }),
  removePreviews: () => noOptions,
  readPresence: () => noOptions,
  notePresence: () => noOptions,
  removePresence: () => noOptions,
  readDraft: () => noOptions,
  replaceDraft: ({ permission }, { bodies }) => json(bodies.get(permission?.subject ?? '') ?? {}),
  changeDraft: () => json({}),
  removeDraft: () => noOptions,
  publishDraft: () => noOptions,
  readPathHistory: () => noOptions,
  replacePathHistory: () => json({ items: [earlierPath] }),
  addToPathHistory: () => json(earlierPath),
  listPeople: () => noOptions,
  listChanges: () => noOptions,
  listMissedPublications: () => noOptions,
  listTrash: () => noOptions,
  restoreFromTrash: () => noOptions,
  removeFromTrash: () => noOptions,
  listWebhooks: () => noOptions,
  createWebhook: () => json({ url: 'https://receiver.invalid/', active: false }),
  readWebhook: () => noOptions,
  changeWebhook: () => json({}),
  removeWebhook: () => noOptions,
  replaceWebhookSecret: () => noOptions,
  testWebhook: () => noOptions,
  listDeliveries: () => noOptions,
  repeatDelivery: () => noOptions,
  listExports: () => noOptions,
  createExport: () => json({}),
  readExport: () => noOptions,
  removeExport: () => noOptions,
  downloadExport: () => noOptions,
  listImports: () => noOptions,
  createImport: (_endpoint, { candidates }) => {
    const [file = ''] = candidates({ collection: 'files', media: 'image' })
    return json({ kind: 'wordpress', file_uuid: file })
  },
  readImport: () => noOptions,
  removeImport: () => noOptions,
  listImportLines: () => noOptions,
  listVersions: () => noOptions,
  listVersionChanges: () => noOptions,
  readVersion: () => noOptions,
  restoreVersion: () => noOptions,
  resolvePath: () => noOptions,
  exportRedirects: () => noOptions,
  readWebPage: () => noOptions,
  searchObjects: () => noOptions,
  readSectionStories: () => noOptions,
  listOccurrences: () => noOptions,
  readFeed: () => noOptions,
  readCalendar: () => noOptions,
  readEventCalendar: () => noOptions,
  readSitemap: () => noOptions,
  readNews: () => noOptions,
  readRobots: () => noOptions,
  readStories: () => noOptions,
  replaceStories: () => json({ auto: false, items: [{ type: 'link', link_url: 'https://example.org/' }] }),
  attachTag: () => json({}),
  readTagging: () => noOptions,
  detachTag: () => noOptions,
  listTags: () => noOptions,
  listTagged: () => noOptions,
  readTagCloud: () => noOptions,
  uploadFile: () => ({ body: smallPng, headers: { 'Content-Type': 'image/png' } }),
  downloadFile: () => noOptions,
  readMe: () => noOptions,
  listUsers: () => noOptions,
  createUser: () => json({ name: 'somebody' }),
  readUser: () => noOptions,
  changeUser: () => json({}),
  removeUser: () => noOptions,
  readAccount: () => noOptions,
  changeAccount: () => json({ language: 'de' }),
  mailConfirmation: () => noOptions,
  confirmEmail: () => json({ token: 'no-link' }),
  setPassword: () => json({ password: 'a long password of nobody' }),
  removePassword: () => noOptions,
  createOneTimeSecret: () => noOptions,
  activateOneTimeCodes: () => json({ code: '123456' }),
  removeOneTimeCodes: () => noOptions,
  createPasskeyOptions: () => noOptions,
  listPasskeys: () => noOptions,
  addPasskey: () => json({ title: 'a device', answer: {} }),
  changePasskey: () => json({ title: 'a device' }),
  removePasskey: () => noOptions,
  listIdentities: () => noOptions,
  removeIdentity: () => noOptions,
  forgetPassword: () => json({ email: 'nobody@example.org' }),
  beginProviderSignIn: () => noOptions,
  finishProviderSignIn: () => noOptions,
  createSignInOptions: () => noOptions,
  signInWithPasskey: () => json({ answer: {} }),
  createLinkOptions: () => json({ token: 'no-link' }),
  listSessions: () => noOptions,
  endSession: () => noOptions,
  endSessions: () => noOptions,
  createLink: () => noOptions,
  removeLinks: () => noOptions,
  readSignIn: () => noOptions,
  signInWithKey: () => json({ api_key: 'no-key', api_secret: 'no-secret' }),
  signInWithPassword: () => json({ email: 'nobody@example.org', password: 'a long password of nobody' }),
  signOut: () => noOptions,
  readLink: () => json({ token: 'no-link' }),
  useLink: () => json({ token: 'no-link', password: 'a long password of nobody' }),
  listKeys: () => noOptions,
  createKey: () => json({ title: 'a program' }),
  revokeKey: () => noOptions,
  readUserRoles: () => noOptions,
  replaceUserRoles: () => json({ items: [{ instance: 1, roles: ['reader'] }] }),
  readInstanceRoles: () => noOptions,
  replaceInstanceRoles: () => json({ roles: ['reader'] }),
  removeInstanceRoles: () => noOptions,
  listInstances: () => noOptions,
  createInstance: () => json({ title: 'Another', timezone: 'UTC' }),
  readInstance: () => noOptions,
  removeInstance: () => noOptions,
  listAudit: () => noOptions,
  listInstanceAudit: () => noOptions,
  readService: () => noOptions,
  readLiveness: () => noOptions,
  readReadiness: () => noOptions,
  readPage: () => noOptions,
  readOpenApi: () => noOptions,
}

export const sampleRequest = (endpoint: Endpoint, fixture: SampleContext): RequestOptions => {
  const sample = samples[endpoint.operation]
  if (sample === undefined) throw new Error(`the operation ${endpoint.operation} has no sample`)
  return sample(endpoint, fixture)
}
