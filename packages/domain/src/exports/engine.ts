/** What carries out the declarations: plans of reads, drafts and checks of writes. Only the application, which answers the questions of a decision, and the contract need them. */
export { memberCountFaults, membersOf, withMembers } from '../resource/member-list.js'
export { segmentsOf, subcollectionOf, visibilityOf } from '../resource/resource.js'
export { initialState, objectName, rowsOfMembers } from '../resource/resources.js'
export { acceptedState, partOf, storedTest, tableEntries } from '../resource/attribute-tables.js'
export {
  type Draft,
  draftAttributes,
  suppliedReferences,
  draftItems,
  type ItemsDraft,
} from '../resource/draft-attributes.js'
export {
  decisionFor,
  type Decision,
  decideRestore,
  lacksUrlname,
  takenFault,
  decideRemoval,
  preventionOf,
  type Removal,
  draftFaults,
  missingTarget,
} from '../resource/decide-write.js'
export {
  addedDependencies,
  blockersOf,
  dependentsOf,
  placeholderOf,
  followersOf,
  newPlace,
  type Dependency,
  type Parent,
  type Follower,
} from '../resource/effects.js'
export {
  attributeChanges,
  formerValues,
  bodyUuidFaults,
  hasEarlierState,
  isSameObject,
  withoutChange,
  withTouched,
  type RestoreCommand,
} from '../resource/draft-write.js'
export { computedValue, withComputed } from '../resource/with-computed.js'
export {
  decideDraftChange,
  decidePublication,
  draftAfter,
  draftShapeOf,
  draftState,
  emptyDraft,
  publicationOf,
  missedAt,
  remainingDraft,
  withMissed,
  type ObjectDraft,
} from '../drafts/object-draft.js'
export { listedMissShape, missedBecause, mostMissedListed } from '../drafts/missed-publication.js'
export { draftsCollection, timeTouched } from '../resource/standard-attributes.js'
export { searchedAttributes } from '../resource/search-filter.js'
export { highlight } from '../search/highlight.js'
export { searchIndex, searchKindsOf } from '../search/search-index.js'
export {
  detailOf,
  findAmong,
  isAliveIn,
  readPlan,
  type Detail,
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
