import { systemCollections } from '../collections.js'
import type { WritableTarget } from '../objects/update-document.js'
import { keyPurpose } from './stored-keys.js'

export const keysTarget: WritableTarget = {
  collection: systemCollections.keys.name,
  unique: keyPurpose,
  rejection: () => null,
  urgent: true,
}
