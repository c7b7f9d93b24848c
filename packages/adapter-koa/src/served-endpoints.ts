/** Every endpoint with the operation that serves it. A mistyped operation does not compile. */
import { resources, type Resource } from '@publishing-service/domain'
import { storyLists } from '@publishing-service/domain/content'
import { listingImages } from '@publishing-service/domain/locations'
import { categoryTags } from '@publishing-service/domain/tags'
import * as operations from '@publishing-service/application'
import {
  contract,
  defaultFacts,
  draftEndpoints,
  draftListingImageEndpoints,
  draftRelatedLinkEndpoints,
  draftSlotEndpointsOn,
  draftTagEndpoints,
  isOffered,
  listingImageEndpoints,
  pathHistoryEndpoints,
  presenceEndpoints,
  relatedLinkEndpoints,
  resourceEndpoints,
  resourcesWithDrafts,
  resourcesWithPath,
  resourcesWithVersions,
  storyEndpoints,
  subcollectionEndpoints,
  taggableResources,
  tagListEndpoints,
  versionEndpoints,
} from '@publishing-service/http-contract'
import type { ServedEndpoint } from './handler.js'
import { dataOnInstance, onDeployment, onInstance, waitingOnInstance } from './run-operation.js'
import { servedByItself, servedPages } from './service-handlers.js'
import { servedSignIn } from './sign-in-handlers.js'

const once: readonly ServedEndpoint[] = [
  onDeployment(contract.readMe, operations.readMe),
  onDeployment(contract.readAccount, operations.readAccount),
  onDeployment(contract.changeAccount, operations.changeAccount),
  onDeployment(contract.setPassword, operations.setPassword),
  onDeployment(contract.removePassword, operations.removePassword),
  onDeployment(contract.createPasskeyOptions, operations.createPasskeyOptions),
  onDeployment(contract.listPasskeys, operations.listPasskeys),
  onDeployment(contract.addPasskey, operations.addPasskey),
  onDeployment(contract.changePasskey, operations.changePasskey),
  onDeployment(contract.removePasskey, operations.removePasskey),
  onDeployment(contract.listIdentities, operations.listIdentities),
  onDeployment(contract.removeIdentity, operations.removeIdentity),
  onDeployment(contract.createOneTimeSecret, operations.createOneTimeSecret),
  onDeployment(contract.mailConfirmation, operations.mailConfirmation),
  onDeployment(contract.confirmEmail, operations.confirmEmail),
  onDeployment(contract.activateOneTimeCodes, operations.activateOneTimeCodes),
  onDeployment(contract.removeOneTimeCodes, operations.removeOneTimeCodes),
  onDeployment(contract.listSessions, operations.listSessions),
  onDeployment(contract.endSession, operations.endSession),
  onDeployment(contract.endSessions, operations.endSessions),
  onDeployment(contract.createLink, operations.createLink),
  onDeployment(contract.removeLinks, operations.removeLinks),

  onDeployment(contract.listUsers, operations.listUsers),
  onDeployment(contract.createUser, operations.createUser),
  onDeployment(contract.readUser, operations.readUser),
  onDeployment(contract.changeUser, operations.changeUser),
  onDeployment(contract.removeUser, operations.removeUser),
  onDeployment(contract.listKeys, operations.listKeys),
  onDeployment(contract.createKey, operations.createKey),
  onDeployment(contract.revokeKey, operations.revokeKey),
  onDeployment(contract.readUserRoles, operations.readUserRoles),
  onDeployment(contract.replaceUserRoles, operations.replaceUserRoles),
  onDeployment(contract.readInstanceRoles, operations.readInstanceRoles),
  onDeployment(contract.replaceInstanceRoles, operations.replaceInstanceRoles),
  onDeployment(contract.removeInstanceRoles, operations.removeInstanceRoles),
  onDeployment(contract.listInstances, operations.listInstances),
  onDeployment(contract.createInstance, operations.createInstance),
  onDeployment(contract.readInstance, operations.readInstance),
  onDeployment(contract.removeInstance, operations.removeInstance),

  onDeployment(contract.listAudit, operations.listAudit),

  onInstance(contract.listCollections, operations.listCollections),
  onInstance(contract.readSettings, operations.readSettings),
  onInstance(contract.replaceSettings, operations.replaceSettings),
  onInstance(contract.changeSettings, operations.changeSettings),
  onInstance(contract.readSetting, operations.readSetting),
  onInstance(contract.listMissedPublications, operations.listMissedPublications),

  onInstance(contract.listTrash, operations.listTrash),
  onInstance(contract.restoreFromTrash, operations.restoreFromTrash),
  onInstance(contract.removeFromTrash, operations.removeFromTrash),

  onInstance(contract.listPeople, operations.listPeople),
  onInstance(contract.listInstanceAudit, operations.listInstanceAudit),

  onInstance(contract.listSlots, operations.listSlots),
  onInstance(contract.readSlot, operations.readSlot),
  onInstance(contract.replaceSlot, operations.replaceSlot),
  onInstance(contract.changeSlot, operations.changeSlot),
  onInstance(contract.removeSlot, operations.removeSlot),
  onInstance(contract.listSlotMedia, operations.listMedia),
  onInstance(contract.replaceSlotMedia, operations.replaceMedia),
  onInstance(contract.addSlotMedium, operations.addMedium),
  onInstance(contract.listContentMedia, operations.listMedia),
  onInstance(contract.replaceContentMedia, operations.replaceMedia),
  onInstance(contract.addContentMedium, operations.addMedium),
  onInstance(contract.readContentInfo, operations.readContentInfo),
  onInstance(contract.listOccurrences, operations.listOccurrences),

  onInstance(contract.uploadFile, operations.uploadFile),
  dataOnInstance(contract.downloadFile, operations.downloadFile),
  onInstance(contract.readDefaultThumbnail, operations.readDefaultThumbnail),

  onInstance(contract.readTagging, operations.readTagging),
  onInstance(contract.attachTag, operations.attachTag),
  onInstance(contract.detachTag, operations.detachTag),
  onInstance(contract.listTaggedObjects, operations.listTagged),
  onInstance(contract.listCategoryTags, operations.listMembers(categoryTags)),
  onInstance(contract.replaceCategoryTags, operations.replaceMembers(categoryTags)),
  onInstance(contract.addCategoryTag, operations.addMember(categoryTags)),
  onInstance(contract.listCategoriesOfTag, operations.listTagCategories),
  onInstance(contract.readTagCloud, operations.readTagCloud),

  onInstance(contract.listSectionStories, operations.readSectionStories),

  onInstance(contract.searchObjects, operations.searchObjects),

  onInstance(contract.readAtomFeed, operations.readFeed),
  onInstance(contract.readRssFeed, operations.readFeed),
  onInstance(contract.readJsonFeed, operations.readFeed),

  onInstance(contract.readCalendar, operations.readCalendar),
  onInstance(contract.readEventCalendar, operations.readEventCalendar),

  waitingOnInstance(contract.listChanges, operations.listChanges),

  onInstance(contract.readSitemap, operations.readSitemap),
  onInstance(contract.readNews, operations.readNews),
  onInstance(contract.readRobots, operations.readRobots),

  onInstance(contract.sendVisitorComment, operations.sendVisitorComment),

  onInstance(contract.readWebPage, operations.readWebPage),

  onInstance(contract.resolvePath, operations.resolvePath),
  onInstance(contract.exportRedirects, operations.exportRedirects),

  onInstance(contract.listWebhooks, operations.listWebhooks),
  onInstance(contract.createWebhook, operations.createWebhook),
  onInstance(contract.readWebhook, operations.readWebhook),
  onInstance(contract.changeWebhook, operations.changeWebhook),
  onInstance(contract.removeWebhook, operations.removeWebhook),
  onInstance(contract.replaceWebhookSecret, operations.replaceWebhookSecret),
  onInstance(contract.testWebhook, operations.testWebhook),
  onInstance(contract.listExports, operations.listExports),
  onInstance(contract.createExport, operations.createExport),
  onInstance(contract.readExport, operations.readExport),
  onInstance(contract.removeExport, operations.removeExport),
  dataOnInstance(contract.downloadExport, operations.downloadExport),
  onInstance(contract.listImports, operations.listImports),
  onInstance(contract.createImport, operations.createImport),
  onInstance(contract.readImport, operations.readImport),
  onInstance(contract.removeImport, operations.removeImport),
  onInstance(contract.listImportLines, operations.listImportLines),
  onInstance(contract.listDeliveries, operations.listDeliveries),
  onInstance(contract.repeatDelivery, operations.repeatDelivery),
]

const ofResource = (resource: Resource): readonly ServedEndpoint[] => {
  const { list, create, read, replace, change, remove } = resourceEndpoints(resource)
  const all = [
    onInstance(list, operations.listObjects(resource)),
    onInstance(create, operations.createObject(resource)),
    onInstance(read, operations.readObject(resource)),
    onInstance(replace, operations.replaceObject(resource)),
    onInstance(change, operations.changeObject(resource)),
    onInstance(remove, operations.removeObject(resource)),
  ].filter((endpoint) => isOffered(resource, endpoint))
  const lists = subcollectionEndpoints(resource)
  return [
    ...all,
    ...lists.map(({ endpoint, listed }) => onInstance(endpoint, operations.listObjects(listed))),
  ]
}

const ofTags = (resource: Resource): readonly ServedEndpoint[] => {
  const { list, listByPredicate } = tagListEndpoints(resource)
  const operation = operations.listTags(resource)
  return [onInstance(list, operation), onInstance(listByPredicate, operation)]
}

const ofPathHistory = (resource: Resource): readonly ServedEndpoint[] => {
  const { read, replace, add } = pathHistoryEndpoints(resource)
  return [
    onInstance(read, operations.readPathHistory(resource)),
    onInstance(replace, operations.replacePathHistory(resource)),
    onInstance(add, operations.addToPathHistory(resource)),
  ]
}

const ofVersions = (resource: Resource): readonly ServedEndpoint[] => {
  const { list, read, changes, restore } = versionEndpoints(resource)
  return [
    onInstance(list, operations.listVersions(resource)),
    onInstance(read, operations.readVersion(resource)),
    onInstance(changes, operations.listVersionChanges(resource)),
    onInstance(restore, operations.restoreVersion(resource)),
  ]
}

const ofPresence = (resource: Resource): readonly ServedEndpoint[] => {
  const { read, note, remove } = presenceEndpoints(resource)
  return [
    onInstance(read, operations.readPresence(resource)),
    onInstance(note, operations.notePresence(resource)),
    onInstance(remove, operations.removePresence(resource)),
  ]
}

const ofDraft = (resource: Resource): readonly ServedEndpoint[] => {
  const { read, replace, change, remove, publish, createPreview, removePreviews } = draftEndpoints(resource)
  const tags = draftTagEndpoints(resource)
  return [
    onInstance(read, operations.readDraft(resource)),
    onInstance(replace, operations.replaceDraft(resource)),
    onInstance(change, operations.changeDraft(resource)),
    onInstance(remove, operations.removeDraft(resource)),
    onInstance(publish, operations.publishDraft(resource)),
    onInstance(createPreview, operations.createPreview(resource)),
    onInstance(removePreviews, operations.removePreviews(resource)),
    onInstance(tags.list, operations.listDraftTags(resource)),
    onInstance(tags.read, operations.readDraftTagging(resource)),
    onInstance(tags.attach, operations.attachDraftTag(resource)),
    onInstance(tags.detach, operations.detachDraftTag(resource)),
  ]
}

const draftSlots = draftSlotEndpointsOn(defaultFacts)
const links = relatedLinkEndpoints
const draftLinks = draftRelatedLinkEndpoints
const images = listingImageEndpoints
const draftImages = draftListingImageEndpoints

const parts: readonly ServedEndpoint[] = [
  onInstance(draftSlots.listSlots, operations.listDraftSlots),
  onInstance(draftSlots.readSlot, operations.readDraftSlot),
  onInstance(draftSlots.replaceSlot, operations.replaceDraftSlot),
  onInstance(draftSlots.changeSlot, operations.changeDraftSlot),
  onInstance(draftSlots.removeSlot, operations.removeDraftSlot),
  onInstance(draftSlots.listSlotMedia, operations.listDraftMedia),
  onInstance(draftSlots.replaceSlotMedia, operations.replaceDraftMedia),
  onInstance(draftSlots.addSlotMedium, operations.addDraftMedium),
  onInstance(links.list, operations.readRelatedLinks),
  onInstance(links.replace, operations.replaceRelatedLinks),
  onInstance(links.add, operations.addRelatedLink),
  onInstance(draftLinks.list, operations.readDraftRelatedLinks),
  onInstance(draftLinks.replace, operations.replaceDraftRelatedLinks),
  onInstance(draftLinks.add, operations.addDraftRelatedLink),
  onInstance(images.list, operations.readMembers(listingImages)),
  onInstance(images.replace, operations.replaceMembers(listingImages)),
  onInstance(images.add, operations.addMember(listingImages)),
  onInstance(draftImages.list, operations.readDraftMembers(listingImages)),
  onInstance(draftImages.replace, operations.replaceDraftMembers(listingImages)),
  onInstance(draftImages.add, operations.addDraftMember(listingImages)),
  ...storyLists.flatMap((list) => {
    const { read, replace } = storyEndpoints(list)
    return [
      onInstance(read, operations.readStories(list)),
      onInstance(replace, operations.replaceStories(list)),
    ]
  }),
]

export const servedEndpoints: readonly ServedEndpoint[] = [
  ...servedByItself,
  ...servedPages,
  ...servedSignIn,
  ...once,
  ...parts,
  ...resources.flatMap(ofResource),
  ...taggableResources.flatMap(ofTags),
  ...resourcesWithPath.flatMap(ofPathHistory),
  ...resourcesWithVersions.flatMap((resource) => [...ofVersions(resource), ...ofPresence(resource)]),
  ...resourcesWithDrafts.flatMap(ofDraft),
]
