import { createExchangeToken } from './access/exchange-token.js'
import { createExpireTokens } from './access/expire-tokens.js'
import { createInstances } from './access/instances.js'
import { createPrincipals } from './access/principals.js'
import { administerInstances } from './administration/administer-instances.js'
import { administerKeys } from './administration/administer-keys.js'
import { readContentInfo } from './content-info.js'
import { createDownloadFile } from './files/download-file.js'
import { createLeftOvers } from './files/left-overs.js'
import { removeFileData } from './files/remove-file-data.js'
import { createUploadFile } from './files/upload-file.js'
import { countWrites } from './generations.js'
import { checkReadiness } from './check-readiness.js'
import { createInTurn } from './in-turn.js'
import { listCollections } from './list-collections.js'
import { createListObjects } from './objects/list-objects.js'
import { readObject } from './objects/read-object.js'
import { createRemoveObject } from './objects/remove-object.js'
import { createUpdateDocument } from './objects/update-document.js'
import { createWriteObject } from './objects/write-object.js'
import { listMembers } from './objects/list-members.js'
import { addMember, readMembers, replaceMembers } from './objects/member-lists.js'
import { addToPathHistory, readPathHistory, replacePathHistory } from './objects/path-history.js'
import { putStories, readStories } from './homepage/stories.js'
import { putTagging, readTagging, removeTagging } from './tagging/attach-tag.js'
import { forgetFormerTag } from './tagging/forget-former-tag.js'
import { listTagCategories } from './tagging/list-tag-categories.js'
import { listTagged } from './tagging/list-tagged.js'
import { listTags } from './tagging/list-tags.js'
import { readTagCloud } from './tagging/tag-cloud.js'
import type { Deployment, Ports } from './ports.js'
import { addSlotMedium, listMedia, replaceSlotMedia } from './slots/slot-media.js'
import { sourceOfCopy } from './storage-copy/copy-marks.js'
import { listSlots, putSlot, readSlot, removeSlot } from './slots/slots.js'

/** Everything that the service does, over one set of ports. */
export const createUseCases = (outside: Ports, deployment: Deployment) => {
  const { documents, generations } = countWrites(outside.documents)
  const ports: Ports = { ...outside, documents }
  const inTurn = createInTurn()
  const update = createUpdateDocument(documents, inTurn)
  const listObjects = createListObjects(documents, generations)
  return {
    generations,
    principals: createPrincipals(ports),
    instances: createInstances(ports, update, deployment, generations),
    exchangeToken: createExchangeToken(ports),
    readObject: readObject(documents),
    listObjects,
    writeObject: createWriteObject(ports, deployment, inTurn, {
      tags: forgetFormerTag(documents, update),
    }),
    removeObject: createRemoveObject(documents, inTurn, { files: removeFileData(ports) }),
    listCollections,
    contentInfo: readContentInfo(documents),
    listSlots: listSlots(documents),
    readSlot: readSlot(documents),
    putSlot: putSlot(update, deployment),
    removeSlot: removeSlot(update),
    listMedia: listMedia(documents),
    replaceMedia: replaceSlotMedia(documents, update, deployment),
    addMedium: addSlotMedium(documents, update, deployment),
    readMembers: readMembers(documents),
    listMembers: listMembers(documents),
    replaceMembers: replaceMembers(documents, update, deployment),
    addMember: addMember(documents, update, deployment),
    readPathHistory: readPathHistory(documents),
    addToPathHistory: addToPathHistory(documents, update, deployment),
    replacePathHistory: replacePathHistory(documents, update, deployment),
    readStories: readStories(documents),
    putStories: putStories(documents, update, deployment),
    putTagging: putTagging(documents, update, deployment),
    readTagging: readTagging(documents),
    removeTagging: removeTagging(documents, update),
    listTags: listTags(documents),
    listTagged: listTagged(documents),
    listTagCategories: listTagCategories(documents, listObjects),
    readTagCloud: readTagCloud(documents),
    uploadFile: createUploadFile(ports, update, deployment),
    downloadFile: createDownloadFile(ports, deployment),
    leftOvers: createLeftOvers(ports),
    expireTokens: createExpireTokens(ports),
    administerInstances: administerInstances(ports),
    administerKeys: administerKeys(ports),
    checkReadiness: checkReadiness(ports),
    sourceOfCopy: sourceOfCopy(documents),
  }
}

export type UseCases = ReturnType<typeof createUseCases>
