/** What carries out the declarations: plans of reads, drafts and checks of writes. Only the application, which answers the questions of a decision, and the contract need them. */
export { memberCountFaults, membersOf, withMembers } from '../resource/member-list.js'
export { segmentsOf, subcollectionOf, visibilityOf, isVisibleTo } from '../resource/resource.js'
export { objectName, rowsOfMembers, uniqueTextOf } from '../resource/resources.js'
export { partOf, tableEntries, acceptedState } from '../resource/table-entries.js'
export {
  type Draft,
  draftAttributes,
  suppliedReferences,
  draftItems,
  type ItemsDraft,
} from '../resource/draft-attributes.js'
export {
  decideRestore,
  lacksUrlname,
  recomputed,
  takenFault,
  decideRemoval,
  preventionOf,
  type Removal,
  draftFaults,
  missingTarget,
} from '../resource/decide-write.js'
export {
  addedDependencies,
  dependencesOf,
  followersOf,
  newPlace,
  type Dependency,
  type Follower,
} from '../resource/effects.js'
export {
  attributeChanges,
  formerValues,
  bodyUuidFaults,
  withComputed,
  type RestoreCommand,
} from '../resource/draft-write.js'
export {
  decideDraftChange,
  decidePublication,
  draftAfter,
  draftShapeOf,
  draftState,
  emptyDraft,
  publicationOf,
  withoutTime,
  type ObjectDraft,
} from '../resource/object-draft.js'
export { draftsCollection } from '../resource/has-draft.js'
export { timeTouched, withTouched } from '../resource/touched.js'
export { storedTest } from '../resource/stored-state.js'
export { searchedAttributes } from '../resource/search-filter.js'
export { searchIndex, searchKindsOf } from '../search/search-index.js'
export {
  findAmong,
  isAliveIn,
  readPlan,
  type FoundObjects,
  type Lookup,
  type ReadPlan,
  type Selection,
} from '../resource/read-plan.js'
export type { Count, Links } from '../resource/view-context.js'
export {
  referencesNamedIn,
  referencesVisibleWith,
  withVisibleReferences,
} from '../resource/hidden-references.js'
