/** Roles, permissions, users, tokens, clients, request rates, settings of instances. */
export {
  clientAddress,
  maxCountedClients,
  forEachPolicy,
  ratePolicies,
  defaultRateLimits,
  rateCeiling,
  rateWindow,
  type AddressPolicy,
  type RateLimits,
  type RatePolicy,
  type SharedUse,
} from '../access/rate-limits.js'
export {
  defaultAuditDays,
  auditRows,
  trashRows,
  instanceAuditRows,
  instanceRows,
  keyAttributes,
  keyRows,
} from '../access/administration-shapes.js'
export {
  deploymentOperations,
  deploymentPermissions,
  hasStanding,
  standingNeeded,
  standings,
  type DeploymentOperationAccess,
  type DeploymentPermission,
  type Standing,
  administeredBy,
  keyChangeProblem,
  maySeeUser,
  namedInstanceProblem,
  roleChanges,
  userChangeProblem,
  visibleRoles,
  withVisibleRoles,
  type RoleChange,
} from '../access/user-administration.js'
export {
  normalRoles,
  rolesOfUser,
  rolesOnInstance,
  withoutRole,
  withRole,
  type InstanceRoles,
  userAttributes,
  userOf,
  userRows,
  type User,
  type UserRights,
  isTokenValid,
  tokenSeconds,
  type Me,
} from '../access/user.js'
export {
  confirmFault,
  unconfirmedEffects,
  gainEffects,
  maxUsableKeys,
  reductionOf,
  rightsChangeProblem,
  type OwnedKey,
  type RightsChange,
} from '../access/rights-changes.js'
export { maxPreviewSeconds, preview, previewAddress, previewRequest } from '../access/preview.js'
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
  strongest,
} from '../role/permissions.js'
export { unrestricted, writeProblem, type Writer } from '../resource/decide-write.js'
export { confirmationFault, deletionDelay, settingsAttributes, settingsIn } from '../instance/settings.js'
export { instanceIndex } from '../instance/instance-index.js'
