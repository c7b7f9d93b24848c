import { file, tag } from '@publishing-service/domain'
import { tagsNamedIn } from '@publishing-service/domain/tags'
import { draftRemoval } from './drafts/stored-drafts.js'
import { removeFileData } from './files/file-blobs.js'
import { withNamedTypes } from './locations/location-types.js'
import { listNearest, loadVenues } from './locations/nearest.js'
import { leavingChanges, placeChanges, takenNames } from './paths/places.js'
import { loadSubtrees } from './sections/load-subtrees.js'
import type { Topics } from './session.js'
import { clearFormerTag } from './tags/clear-former-tag.js'
import { withNamedTags } from './tags/named-tags.js'

/** What the topics add to the reads and writes of the engine. */
export const topics: Topics = {
  namedIn: tagsNamedIn,
  named: [withNamedTags, withNamedTypes, loadSubtrees],
  near: { list: listNearest, named: loadVenues },
  takenNames,
  written: placeChanges,
  removed: [leavingChanges, draftRemoval],
  beforeCreation: new Map([[tag.collection, clearFormerTag]]),
  afterRemoval: new Map([[file.collection, removeFileData]]),
}
