export type { Instances } from './access/instances.js'
export * from './access/principals.js'
export { attempt, isFailure, orThrow, unwrap } from './attempt.js'
export type { AuditSource } from './audit/audit.js'
export { unrecorded, type AuditChange, type Recorded } from './recording.js'
export { type TokenGrant, type TokenRequest } from './access/exchange-token.js'
export type { IssuedLink } from './accounts/sign-in-links.js'
export type { BegunSession } from './accounts/sign-in-sessions.js'
export type { Visit } from './accounts/visit.js'
export type { SignIn } from './access/record-sign-in.js'
export type { InstanceRow, NewInstance } from './administration/administer-instances.js'
export type { IssuedKey, KeyMaker, KeyOwner, NewKey } from './administration/administer-keys.js'
export type { UserChange, UserRow } from './administration/administer-users.js'
export { grantRole, revokeRole } from './administration/user-operations.js'
export type { DeletedInstance, DeletionRequest } from './administration/delete-instance.js'
export type { KeyRow } from './administration/stored-keys.js'
export type { Readiness, ReadinessError } from './check-readiness.js'
export { createRateLimits, type RateReading, type ReadRate } from './access/rate-limits.js'
export * from './caller.js'
export { collections } from './collections.js'
export { isUrgent } from './urgent-changes.js'
export type {
  DeploymentRequest,
  Identity,
  InstanceAccess,
  InstanceRequest,
  Sessions,
} from './open-session.js'
export * from './failure.js'
export { noLinks } from './no-links.js'
export type { Download } from './files/download-file.js'
export type { Collected, Orphan } from './files/garbage-collection.js'
export { settingsCounter, type Dependencies, type WriteCounter, WriteCounters } from './write-counters.js'
export type { Findings, Verification, VerifyProgress, VerifyStep } from './files/verify-storage.js'
export type { Precondition } from './engine/precondition.js'
export type { Operation } from './operation.js'
export type { Session } from './session.js'
export type { Changed } from './operation.js'
export type { DeploymentOperation, DeploymentSession } from './deployment-operation.js'
export * from './deployment-operations.js'
export * from './operations.js'
export * from './ports.js'
export type { CopyFailure, Differences } from './storage-copy/copy-failure.js'
export type { SourceStores } from './storage-copy/content.js'
export type { CopyProgress, CopyResult, CopyStep, CopyTools } from './storage-copy/copy-run.js'
export * from './storage-copy/copy-storage.js'
export {
  maxForeignCounted,
  type IdentityRequest,
  type SampleData,
  type StoresDiffer,
} from './store-identity.js'
export * from './use-cases.js'
export type { Audit } from './audit/audit.js'
export type { StoreIdentity } from './store-identity.js'
