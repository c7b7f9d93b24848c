/** What serves each endpoint. A missing or mistyped operation does not compile. */
import { resources, type Resource } from '@publishing-service/domain'
import { storyLists, type StoryList } from '@publishing-service/domain/content'
import { listingImages } from '@publishing-service/domain/locations'
import { categoryTags } from '@publishing-service/domain/tags'
import * as operations from '@publishing-service/application'
import {
  contract,
  defaultFacts,
  documentationEndpoints,
  draftEndpoints,
  draftListingImageEndpoints,
  draftRelatedLinkEndpoints,
  draftSlotEndpointsOn,
  draftTagEndpoints,
  listingImageEndpoints,
  pathHistoryEndpoints,
  presenceEndpoints,
  relatedLinkEndpoints,
  resourceEndpoints,
  resourcesWithPath,
  serviceEndpoints,
  signInEndpoints,
  storyEndpoints,
  subcollectionEndpoints,
  taggableResources,
  tagListEndpoints,
  resourcesWithDrafts,
  resourcesWithVersions,
  versionEndpoints,
} from '@publishing-service/http-contract'
import type { Handler } from './handler.js'
import { dataOnInstance, onDeployment, onInstance, waitingOnInstance } from './run-operation.js'
import { readPage, serviceHandlers } from './service-handlers.js'
import { forOwnPages, signInHandlers } from './sign-in-handlers.js'

type HandlersOf<Endpoints> = Readonly<Record<keyof Endpoints, Handler>>

const single = {
  readMe: onDeployment(contract.readMe, operations.readMe),
  readAccount: onDeployment(contract.readAccount, operations.readAccount),
  changeAccount: onDeployment(contract.changeAccount, operations.changeAccount),
  setPassword: onDeployment(contract.setPassword, operations.setPassword),
  removePassword: onDeployment(contract.removePassword, operations.removePassword),
  createPasskeyOptions: onDeployment(contract.createPasskeyOptions, operations.createPasskeyOptions),
  listPasskeys: onDeployment(contract.listPasskeys, operations.listPasskeys),
  addPasskey: onDeployment(contract.addPasskey, operations.addPasskey),
  changePasskey: onDeployment(contract.changePasskey, operations.changePasskey),
  removePasskey: onDeployment(contract.removePasskey, operations.removePasskey),
  listIdentities: onDeployment(contract.listIdentities, operations.listIdentities),
  removeIdentity: onDeployment(contract.removeIdentity, operations.removeIdentity),
  createOneTimeSecret: onDeployment(contract.createOneTimeSecret, operations.createOneTimeSecret),
  mailConfirmation: onDeployment(contract.mailConfirmation, operations.mailConfirmation),
  confirmEmail: onDeployment(contract.confirmEmail, operations.confirmEmail),
  activateOneTimeCodes: onDeployment(contract.activateOneTimeCodes, operations.activateOneTimeCodes),
  removeOneTimeCodes: onDeployment(contract.removeOneTimeCodes, operations.removeOneTimeCodes),
  listSessions: onDeployment(contract.listSessions, operations.listSessions),
  endSession: onDeployment(contract.endSession, operations.endSession),
  endSessions: onDeployment(contract.endSessions, operations.endSessions),
  createLink: onDeployment(contract.createLink, operations.createLink),
  removeLinks: onDeployment(contract.removeLinks, operations.removeLinks),
  listUsers: onDeployment(contract.listUsers, operations.listUsers),
  createUser: onDeployment(contract.createUser, operations.createUser),
  readUser: onDeployment(contract.readUser, operations.readUser),
  changeUser: onDeployment(contract.changeUser, operations.changeUser),
  removeUser: onDeployment(contract.removeUser, operations.removeUser),
  listKeys: onDeployment(contract.listKeys, operations.listKeys),
  createKey: onDeployment(contract.createKey, operations.createKey),
  revokeKey: onDeployment(contract.revokeKey, operations.revokeKey),
  readUserRoles: onDeployment(contract.readUserRoles, operations.readUserRoles),
  replaceUserRoles: onDeployment(contract.replaceUserRoles, operations.replaceUserRoles),
  readInstanceRoles: onDeployment(contract.readInstanceRoles, operations.readInstanceRoles),
  replaceInstanceRoles: onDeployment(contract.replaceInstanceRoles, operations.replaceInstanceRoles),
  removeInstanceRoles: onDeployment(contract.removeInstanceRoles, operations.removeInstanceRoles),
  listInstances: onDeployment(contract.listInstances, operations.listInstances),
  createInstance: onDeployment(contract.createInstance, operations.createInstance),
  readInstance: onDeployment(contract.readInstance, operations.readInstance),
  removeInstance: onDeployment(contract.removeInstance, operations.removeInstance),
  listAudit: onDeployment(contract.listAudit, operations.listAudit),
  listCollections: onInstance(contract.listCollections, operations.listCollections),
  readSettings: onInstance(contract.readSettings, operations.readSettings),
  replaceSettings: onInstance(contract.replaceSettings, operations.replaceSettings),
  changeSettings: onInstance(contract.changeSettings, operations.changeSettings),
  readSetting: onInstance(contract.readSetting, operations.readSetting),
  listMissedPublications: onInstance(contract.listMissedPublications, operations.listMissedPublications),
  listTrash: onInstance(contract.listTrash, operations.listTrash),
  restoreFromTrash: onInstance(contract.restoreFromTrash, operations.restoreFromTrash),
  removeFromTrash: onInstance(contract.removeFromTrash, operations.removeFromTrash),
  listPeople: onInstance(contract.listPeople, operations.listPeople),
  listInstanceAudit: onInstance(contract.listInstanceAudit, operations.listInstanceAudit),
  listSlots: onInstance(contract.listSlots, operations.listSlots),
  readSlot: onInstance(contract.readSlot, operations.readSlot),
  replaceSlot: onInstance(contract.replaceSlot, operations.replaceSlot),
  changeSlot: onInstance(contract.changeSlot, operations.changeSlot),
  removeSlot: onInstance(contract.removeSlot, operations.removeSlot),
  listSlotMedia: onInstance(contract.listSlotMedia, operations.listMedia),
  replaceSlotMedia: onInstance(contract.replaceSlotMedia, operations.replaceMedia),
  addSlotMedium: onInstance(contract.addSlotMedium, operations.addMedium),
  listContentMedia: onInstance(contract.listContentMedia, operations.listMedia),
  replaceContentMedia: onInstance(contract.replaceContentMedia, operations.replaceMedia),
  addContentMedium: onInstance(contract.addContentMedium, operations.addMedium),
  readContentInfo: onInstance(contract.readContentInfo, operations.readContentInfo),
  listOccurrences: onInstance(contract.listOccurrences, operations.listOccurrences),
  uploadFile: onInstance(contract.uploadFile, operations.uploadFile),
  downloadFile: dataOnInstance(contract.downloadFile, operations.downloadFile),
  readDefaultThumbnail: onInstance(contract.readDefaultThumbnail, operations.readDefaultThumbnail),
  readTagging: onInstance(contract.readTagging, operations.readTagging),
  attachTag: onInstance(contract.attachTag, operations.attachTag),
  detachTag: onInstance(contract.detachTag, operations.detachTag),
  listTaggedObjects: onInstance(contract.listTaggedObjects, operations.listTagged),
  listCategoryTags: onInstance(contract.listCategoryTags, operations.listMembers(categoryTags)),
  replaceCategoryTags: onInstance(contract.replaceCategoryTags, operations.replaceMembers(categoryTags)),
  addCategoryTag: onInstance(contract.addCategoryTag, operations.addMember(categoryTags)),
  listCategoriesOfTag: onInstance(contract.listCategoriesOfTag, operations.listTagCategories),
  readTagCloud: onInstance(contract.readTagCloud, operations.readTagCloud),
  listSectionStories: onInstance(contract.listSectionStories, operations.readSectionStories),
  searchObjects: onInstance(contract.searchObjects, operations.searchObjects),
  readAtomFeed: onInstance(contract.readAtomFeed, operations.readFeed),
  readRssFeed: onInstance(contract.readRssFeed, operations.readFeed),
  readJsonFeed: onInstance(contract.readJsonFeed, operations.readFeed),
  listChanges: waitingOnInstance(contract.listChanges, operations.listChanges),
  readSitemap: onInstance(contract.readSitemap, operations.readSitemap),
  readNews: onInstance(contract.readNews, operations.readNews),
  readRobots: onInstance(contract.readRobots, operations.readRobots),
  sendVisitorComment: onInstance(contract.sendVisitorComment, operations.sendVisitorComment),
  readWebPage: onInstance(contract.readWebPage, operations.readWebPage),
  resolvePath: onInstance(contract.resolvePath, operations.resolvePath),
  exportRedirects: onInstance(contract.exportRedirects, operations.exportRedirects),
  listWebhooks: onInstance(contract.listWebhooks, operations.listWebhooks),
  createWebhook: onInstance(contract.createWebhook, operations.createWebhook),
  readWebhook: onInstance(contract.readWebhook, operations.readWebhook),
  changeWebhook: onInstance(contract.changeWebhook, operations.changeWebhook),
  removeWebhook: onInstance(contract.removeWebhook, operations.removeWebhook),
  replaceWebhookSecret: onInstance(contract.replaceWebhookSecret, operations.replaceWebhookSecret),
  testWebhook: onInstance(contract.testWebhook, operations.testWebhook),
  listDeliveries: onInstance(contract.listDeliveries, operations.listDeliveries),
  repeatDelivery: onInstance(contract.repeatDelivery, operations.repeatDelivery),
} satisfies HandlersOf<typeof contract>

const ofResource = (
  endpoints: ReturnType<typeof resourceEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { list, create, read, replace, change, remove } = endpoints
  return {
    list: onInstance(list, operations.listObjects(resource)),
    create: onInstance(create, operations.createObject(resource)),
    read: onInstance(read, operations.readObject(resource)),
    replace: onInstance(replace, operations.replaceObject(resource)),
    change: onInstance(change, operations.changeObject(resource)),
    remove: onInstance(remove, operations.removeObject(resource)),
  }
}

const ofTags = (
  endpoints: ReturnType<typeof tagListEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { list, listByPredicate } = endpoints
  const operation = operations.listTags(resource)
  return { list: onInstance(list, operation), listByPredicate: onInstance(listByPredicate, operation) }
}

const ofPathHistory = (
  endpoints: ReturnType<typeof pathHistoryEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { read, replace, add } = endpoints
  return {
    read: onInstance(read, operations.readPathHistory(resource)),
    replace: onInstance(replace, operations.replacePathHistory(resource)),
    add: onInstance(add, operations.addToPathHistory(resource)),
  }
}

const ofVersions = (
  endpoints: ReturnType<typeof versionEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { list, read, changes, restore } = endpoints
  return {
    list: onInstance(list, operations.listVersions(resource)),
    read: onInstance(read, operations.readVersion(resource)),
    changes: onInstance(changes, operations.listVersionChanges(resource)),
    restore: onInstance(restore, operations.restoreVersion(resource)),
  }
}

const ofPresence = (
  endpoints: ReturnType<typeof presenceEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { read, note, remove } = endpoints
  return {
    read: onInstance(read, operations.readPresence(resource)),
    note: onInstance(note, operations.notePresence(resource)),
    remove: onInstance(remove, operations.removePresence(resource)),
  }
}

const ofDraft = (
  endpoints: ReturnType<typeof draftEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { read, replace, change, remove, publish, createPreview, removePreviews } = endpoints
  return {
    read: onInstance(read, operations.readDraft(resource)),
    replace: onInstance(replace, operations.replaceDraft(resource)),
    change: onInstance(change, operations.changeDraft(resource)),
    remove: onInstance(remove, operations.removeDraft(resource)),
    publish: onInstance(publish, operations.publishDraft(resource)),
    createPreview: onInstance(createPreview, operations.createPreview(resource)),
    removePreviews: onInstance(removePreviews, operations.removePreviews(resource)),
  }
}

const draftSlots = draftSlotEndpointsOn(defaultFacts)

const ofDraftSlots = {
  listSlots: onInstance(draftSlots.listSlots, operations.listDraftSlots),
  readSlot: onInstance(draftSlots.readSlot, operations.readDraftSlot),
  replaceSlot: onInstance(draftSlots.replaceSlot, operations.replaceDraftSlot),
  changeSlot: onInstance(draftSlots.changeSlot, operations.changeDraftSlot),
  removeSlot: onInstance(draftSlots.removeSlot, operations.removeDraftSlot),
  listSlotMedia: onInstance(draftSlots.listSlotMedia, operations.listDraftMedia),
  replaceSlotMedia: onInstance(draftSlots.replaceSlotMedia, operations.replaceDraftMedia),
  addSlotMedium: onInstance(draftSlots.addSlotMedium, operations.addDraftMedium),
} satisfies HandlersOf<typeof draftSlots>

const links = relatedLinkEndpoints
const ofRelatedLinks = {
  list: onInstance(links.list, operations.readRelatedLinks),
  replace: onInstance(links.replace, operations.replaceRelatedLinks),
  add: onInstance(links.add, operations.addRelatedLink),
} satisfies HandlersOf<typeof links>

const draftLinks = draftRelatedLinkEndpoints
const ofDraftRelatedLinks = {
  list: onInstance(draftLinks.list, operations.readDraftRelatedLinks),
  replace: onInstance(draftLinks.replace, operations.replaceDraftRelatedLinks),
  add: onInstance(draftLinks.add, operations.addDraftRelatedLink),
} satisfies HandlersOf<typeof draftLinks>

const images = listingImageEndpoints
const ofListingImages = {
  list: onInstance(images.list, operations.readMembers(listingImages)),
  replace: onInstance(images.replace, operations.replaceMembers(listingImages)),
  add: onInstance(images.add, operations.addMember(listingImages)),
} satisfies HandlersOf<typeof images>

const draftImages = draftListingImageEndpoints
const ofDraftListingImages = {
  list: onInstance(draftImages.list, operations.readDraftMembers(listingImages)),
  replace: onInstance(draftImages.replace, operations.replaceDraftMembers(listingImages)),
  add: onInstance(draftImages.add, operations.addDraftMember(listingImages)),
} satisfies HandlersOf<typeof draftImages>

const ofDraftTags = (
  endpoints: ReturnType<typeof draftTagEndpoints>,
  resource: Resource,
): HandlersOf<typeof endpoints> => {
  const { list, read, attach, detach } = endpoints
  return {
    list: onInstance(list, operations.listDraftTags(resource)),
    read: onInstance(read, operations.readDraftTagging(resource)),
    attach: onInstance(attach, operations.attachDraftTag(resource)),
    detach: onInstance(detach, operations.detachDraftTag(resource)),
  }
}

const ofStories = (
  endpoints: ReturnType<typeof storyEndpoints>,
  list: StoryList,
): HandlersOf<typeof endpoints> => {
  const { read, replace } = endpoints
  return {
    read: onInstance(read, operations.readStories(list)),
    replace: onInstance(replace, operations.replaceStories(list)),
  }
}

/** The handlers by the ids of their endpoints. */
const handlers = new Map<string, Handler>()

const add = <Endpoints extends Readonly<Record<string, { readonly id: string }>>>(
  endpoints: Endpoints,
  all: HandlersOf<Endpoints>,
): void => {
  for (const name of Object.keys(endpoints)) {
    const [endpoint, handler] = [endpoints[name], all[name]]
    if (endpoint !== undefined && handler !== undefined) handlers.set(endpoint.id, handler)
  }
}

add(contract, single)
for (const resource of resources) {
  const endpoints = resourceEndpoints(resource)
  add(endpoints, ofResource(endpoints, resource))
  for (const { endpoint, listed } of subcollectionEndpoints(resource))
    handlers.set(endpoint.id, onInstance(endpoint, operations.listObjects(listed)))
}
for (const resource of taggableResources) {
  const endpoints = tagListEndpoints(resource)
  add(endpoints, ofTags(endpoints, resource))
}
for (const resource of resourcesWithPath) {
  const endpoints = pathHistoryEndpoints(resource)
  add(endpoints, ofPathHistory(endpoints, resource))
}
for (const resource of resourcesWithVersions) {
  const endpoints = versionEndpoints(resource)
  add(endpoints, ofVersions(endpoints, resource))
  const presence = presenceEndpoints(resource)
  add(presence, ofPresence(presence, resource))
}
for (const resource of resourcesWithDrafts) {
  const endpoints = draftEndpoints(resource)
  add(endpoints, ofDraft(endpoints, resource))
  const tags = draftTagEndpoints(resource)
  add(tags, ofDraftTags(tags, resource))
}
add(draftSlots, ofDraftSlots)
add(links, ofRelatedLinks)
add(draftLinks, ofDraftRelatedLinks)
add(images, ofListingImages)
add(draftImages, ofDraftListingImages)
for (const list of storyLists) {
  const endpoints = storyEndpoints(list)
  add(endpoints, ofStories(endpoints, list))
}
for (const { id, operation } of serviceEndpoints) handlers.set(id, serviceHandlers[operation])
for (const { id, operation, ownPagesOnly } of signInEndpoints)
  handlers.set(id, ownPagesOnly === true ? forOwnPages(signInHandlers[operation]) : signInHandlers[operation])
for (const { id, page } of documentationEndpoints) handlers.set(id, readPage(page))

/** Throws if an endpoint has no handler, before the service listens. */
export const handlerOf = (id: string): Handler => {
  const handler = handlers.get(id)
  if (handler === undefined) throw new Error(`The endpoint ${id} has no handler`)
  return handler
}
