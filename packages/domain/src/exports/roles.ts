/** Roles, their permissions and the operations that need them; settings of instances. */
export {
  hasPublicDownloads,
  isOpened,
  operations,
  type Opening,
  type OperationAccess,
} from '../role/operations.js'
export {
  actions,
  permissions,
  roleNeeded,
  readActions,
  subjectsWithDrafts,
  subjectsWithVersions,
  type Action,
  type ReadAction,
  type Subject,
  isRole,
  mayActAs,
  roleDescriptions,
  roles,
  rolesFrom,
  strongest,
  unrestricted,
} from '../role/permissions.js'
export { writeProblem, type Writer } from '../resource/draft-write.js'
export {
  confirmationFault,
  deletionDelay,
  isUnsetSetting,
  settingsAttributes,
  settingsIn,
} from '../instances/settings.js'
export { instanceIndex } from '../instances/instance-index.js'
