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
import type { Deployment, Ports } from './ports.js'
import { addSlotMedium, listMedia, replaceSlotMedia } from './slots/slot-media.js'
import { listSlots, putSlot, readSlot, removeSlot } from './slots/slots.js'

/** Everything that the service does, over one set of ports. */
export const createUseCases = (outside: Ports, deployment: Deployment) => {
  const { documents, generations } = countWrites(outside.documents)
  const ports: Ports = { ...outside, documents }
  const inTurn = createInTurn()
  const update = createUpdateDocument(documents, inTurn)
  return {
    generations,
    principals: createPrincipals(ports),
    instances: createInstances(ports, update, deployment, generations),
    exchangeToken: createExchangeToken(ports),
    readObject: readObject(documents),
    listObjects: createListObjects(documents, generations),
    writeObject: createWriteObject(ports, deployment, inTurn),
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
    uploadFile: createUploadFile(ports, update, deployment),
    downloadFile: createDownloadFile(ports),
    leftOvers: createLeftOvers(ports),
    expireTokens: createExpireTokens(ports),
    administerInstances: administerInstances(ports),
    administerKeys: administerKeys(ports),
    checkReadiness: checkReadiness(ports),
  }
}

export type UseCases = ReturnType<typeof createUseCases>
