import { createExchangeToken } from './access/exchange-token.js'
import { createExpireTokens } from './access/expire-tokens.js'
import { createInstances } from './access/instances.js'
import { createPrincipals } from './access/principals.js'
import { administerInstances } from './administration/administer-instances.js'
import { administerKeys } from './administration/administer-keys.js'
import { administerUsers } from './administration/administer-users.js'
import { createDeleteInstance } from './administration/delete-instance.js'
import { createDownloadFile } from './files/download-file.js'
import { createGarbageCollection } from './files/garbage-collection.js'
import { removeFileData } from './files/remove-file-data.js'
import { createUploadFile } from './files/upload-file.js'
import { verifyStorage } from './files/verify-storage.js'
import { countWrites } from './generations.js'
import { checkReadiness, requestChecks } from './check-readiness.js'
import { createInTurn } from './in-turn.js'
import { listCollections } from './list-collections.js'
import { observeCalls } from './observe-calls.js'
import { observeRoom } from './observe-room.js'
import { createListObjects } from './objects/list-objects.js'
import { readInTurns } from './objects/read-in-turns.js'
import { readContentInfo, readObject } from './objects/read-object.js'
import { createPageReader } from './objects/read-page.js'
import { createFinishRemovals } from './objects/finish-removals.js'
import { createRemoveObject } from './objects/remove-object.js'
import { createUpdateDocument } from './objects/update-document.js'
import { createWriteObject } from './objects/write-object.js'
import { listMembers } from './objects/list-members.js'
import { addMember, readMembers, replaceMembers } from './objects/member-lists.js'
import { addToPathHistory, readPathHistory, replacePathHistory } from './objects/path-history.js'
import { addRelatedLink, readRelatedLinks, replaceRelatedLinks } from './objects/related-links.js'
import { putStories, readStories } from './homepage/stories.js'
import { putTagging, readTagging, removeTagging } from './tagging/attach-tag.js'
import { forgetFormerTag } from './tagging/forget-former-tag.js'
import { listTagCategories } from './tagging/list-tag-categories.js'
import { listTagged } from './tagging/list-tagged.js'
import { listTags } from './tagging/list-tags.js'
import { readTagCloud } from './tagging/tag-cloud.js'
import { guardUnreadable } from './unreadable-documents.js'
import type { Deployment, Ports } from './ports.js'
import { createStoreIdentity } from './store-identity.js'
import { addSlotMedium, listMedia, replaceSlotMedia, scalesImages } from './slots/slot-media.js'
import { sourceOfCopy } from './storage-copy/copy-marks.js'
import { listSlots, readSlot, removeSlot, writeSlot } from './slots/slots.js'

/** Everything that the service does, over one set of ports. */
export const createUseCases = (outside: Ports, deployment: Deployment) => {
  const observed = observeRoom({ ...outside, ...observeCalls(outside) })
  const { documents: counted, generations } = countWrites(readInTurns(observed.documents, outside.clock))
  const { strict: documents, lenient } = guardUnreadable(counted, outside.log)
  const ports: Ports = { ...outside, ...observed, documents }
  const inTurn = createInTurn()
  const update = createUpdateDocument(documents, inTurn)
  const storeIdentity = createStoreIdentity(ports)
  const garbageCollection = createGarbageCollection(ports, deployment, storeIdentity)
  const pages = createPageReader(lenient, ports.clock)
  const listObjects = createListObjects(lenient, generations, pages, ports.log)
  const instances = createInstances(ports, update, deployment, generations)
  const canScale = scalesImages(ports, deployment)
  return {
    generations,
    principals: createPrincipals(ports),
    instances,
    exchangeToken: createExchangeToken(ports),
    readObject: readObject(lenient),
    listObjects,
    writeObject: createWriteObject(ports, deployment, inTurn, {
      tags: forgetFormerTag(documents, update),
    }),
    removeObject: createRemoveObject(ports, inTurn, { files: removeFileData(ports) }),
    listCollections,
    contentInfo: readContentInfo(documents),
    listSlots: listSlots(lenient),
    readSlot: readSlot(lenient),
    writeSlot: writeSlot(update, deployment),
    removeSlot: removeSlot(update),
    listMedia: listMedia(lenient, canScale),
    replaceMedia: replaceSlotMedia(documents, update, deployment, canScale),
    addMedium: addSlotMedium(documents, update, deployment, canScale),
    readMembers: readMembers(documents),
    listMembers: listMembers(lenient),
    replaceMembers: replaceMembers(documents, update, deployment),
    addMember: addMember(documents, update, deployment),
    readRelatedLinks: readRelatedLinks(lenient),
    replaceRelatedLinks: replaceRelatedLinks(documents, update, deployment),
    addRelatedLink: addRelatedLink(documents, update, deployment),
    readPathHistory: readPathHistory(documents),
    addToPathHistory: addToPathHistory(documents, update, deployment),
    replacePathHistory: replacePathHistory(documents, update, deployment),
    readStories: readStories(documents),
    putStories: putStories(documents, update, deployment),
    putTagging: putTagging(documents, update, deployment),
    readTagging: readTagging(documents),
    removeTagging: removeTagging(documents, update),
    listTags: listTags(lenient),
    listTagged: listTagged(lenient, generations, pages),
    listTagCategories: listTagCategories(documents, listObjects),
    readTagCloud: readTagCloud(lenient),
    uploadFile: createUploadFile(ports, update, deployment),
    downloadFile: createDownloadFile(ports, deployment),
    storeIdentity,
    garbageCollection,
    verifyStorage: verifyStorage(ports, garbageCollection),
    expireTokens: createExpireTokens(ports),
    finishRemovals: createFinishRemovals(ports),
    administerInstances: administerInstances(ports, instances),
    deleteInstance: createDeleteInstance(ports, lenient, update, storeIdentity),
    administerKeys: administerKeys(ports, update),
    administerUsers: administerUsers(ports, update),
    checkReadiness: checkReadiness(requestChecks(ports), [garbageCollection.errors]),
    sourceOfCopy: sourceOfCopy(documents),
  }
}

export type UseCases = ReturnType<typeof createUseCases>
